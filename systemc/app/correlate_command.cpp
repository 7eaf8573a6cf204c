// SPDX-License-Identifier: Apache-2.0
// warpmem correlate: how far runs are from a reference, that is from counters of hardware, of
// Accel-Sim or of other runs. The tool is Python and uses Debian's packages, as the report does.
#include <memory>

#include "app/commands.hpp"
#include "app/places.hpp"
#include "app/report_tool.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/process.hpp"

namespace warpmem::app {

void add_correlate(CLI::App& app, int& status) {
  struct CorrelateOptions {
    std::vector<std::string> files;
    std::vector<std::string> match;
    std::string outlier = "10";
    std::string work = "1";
    std::string fail_above;
    std::string json;
    std::string page;
    std::string title;
    std::string write;
  };
  auto options = std::make_shared<CorrelateOptions>();
  CLI::App* command = app.add_subcommand(
      "correlate", "compare runs with a reference: hardware counters, Accel-Sim or other runs");
  command
      ->add_option(
          "FILE", options->files,
          "the reference (docs/correlate.md), then run directories; with --write only runs")
      ->required();
  command->add_option("--match", options->match, "RUN=NAME: the program that RUN is of")
      ->allow_extra_args(false);
  CLI::Option* outlier =
      command
          ->add_option("--outlier", options->outlier,
                       "error of the cycles, %, above which a launch is explained")
          ->capture_default_str();
  CLI::Option* work =
      command
          ->add_option("--work", options->work,
                       "difference of the instructions, %, above which a launch did different work")
          ->capture_default_str();
  command->add_option("--fail-above", options->fail_above,
                      "mean error of the cycles, %, above which the exit status is 1");
  command->add_option("--json", options->json, "write the result as JSON");
  CLI::Option* page =
      command->add_option("--page", options->page, "write the result as an HTML page");
  command->add_option("--title", options->title, "heading of the page")->needs(page);
  command
      ->add_option("--write", options->write,
                   "write the runs as a reference: JSON if the name ends so, else CSV")
      ->excludes(outlier)
      ->excludes(work);
  command->callback([options, &status] {
    check_apart({options->json, options->page, options->write}, inputs_of(options->files));
    std::vector<std::string> arguments = {"/usr/bin/python3", places().correlate_tool.string()};
    const auto pass_on = [&arguments](const std::string& name, const std::string& value) {
      if (!value.empty()) arguments.push_back(name + "=" + value);
    };
    for (const std::string& match : options->match) pass_on("--match", match);
    pass_on("--outlier", options->outlier);
    pass_on("--work", options->work);
    pass_on("--fail-above", options->fail_above);
    pass_on("--json", options->json);
    pass_on("--page", options->page);
    pass_on("--title", options->title);
    pass_on("--write", options->write);
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), options->files.begin(), options->files.end());
    const Process process{arguments};
    status = run_process(process);
    if (status < 0 || status > 2) throw UserError(ending(process, status));
  });
}

}  // namespace warpmem::app
