// SPDX-License-Identifier: Apache-2.0
// warpmem report: one HTML page from the results of one or several runs. The tool is Python and
// uses Debian's packages, so it wants Debian's interpreter whatever PATH says.
#include <memory>

#include "app/commands.hpp"
#include "app/places.hpp"
#include "base/process.hpp"

namespace warpmem::app {

void add_report(CLI::App& app, int& status) {
  struct Options {
    std::vector<std::string> runs;
    std::vector<std::string> synth;
    std::string output = "report.html";
    std::string title;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("report", "make an HTML page from run directories");
  command->add_option("RUN", options->runs, "run directories; the first is the baseline")
      ->required();
  command->add_option("--synth", options->synth, "results of `warpmem synth --json`");
  command->add_option("-o,--output", options->output, "the page to write")->capture_default_str();
  command->add_option("--title", options->title, "heading of the page");
  command->callback([options, &status] {
    std::vector<std::string> arguments = {"/usr/bin/python3", places().report_tool.string()};
    arguments.insert(arguments.end(), options->runs.begin(), options->runs.end());
    for (const std::string& file : options->synth) {
      arguments.push_back("--synth");
      arguments.push_back(file);
    }
    if (!options->title.empty()) {
      arguments.push_back("--title");
      arguments.push_back(options->title);
    }
    arguments.push_back("-o");
    arguments.push_back(options->output);
    status = run_process({arguments, "python3"});
  });
}

}  // namespace warpmem::app
