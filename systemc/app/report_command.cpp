// SPDX-License-Identifier: Apache-2.0
// warpmem report: one HTML page from the results of one or several runs, or of a sweep.
#include <memory>

#include "app/commands.hpp"
#include "app/report_tool.hpp"
#include "base/output_file.hpp"

namespace warpmem::app {

void add_report(CLI::App& app, int& status) {
  struct ReportOptions {
    std::vector<std::string> runs;
    std::vector<std::string> synth;
    std::string output = "report.html";
    std::string title;
    std::vector<std::string> metrics;
    std::string baseline;
    std::string axis;
    std::string reference;
  };
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "make an HTML page from run directories or a sweep");
  command
      ->add_option("RUN", options->runs,
                   "run directories, the first the baseline; or the SQLite file of one sweep")
      ->required();
  command->add_option("--synth", options->synth,
                      "results of `warpmem synth --json`; those with --configured are matched with "
                      "the runs of their configuration");
  command->add_option("-o,--output", options->output, "the page to write")->capture_default_str();
  command->add_option("--title", options->title, "heading of the page");
  command->add_option("--metric", options->metrics, "statistics to draw of a sweep")
      ->allow_extra_args(false);
  command->add_option("--baseline", options->baseline,
                      "label of the axis that a sweep's values are divided by");
  command->add_option("--axis", options->axis, "axis of a sweep whose labels are the bars");
  command->add_option("--reference", options->reference,
                      "what others counted of the same programs (docs/correlate.md), shown beside");
  command->callback([options, &status] {
    std::vector<std::string> arguments = options->runs;
    std::vector<std::string> inputs = options->runs;
    inputs.insert(inputs.end(), options->synth.begin(), options->synth.end());
    inputs.push_back(options->reference);
    check_apart({options->output}, inputs_of(inputs));
    for (const std::string& file : options->synth) {
      arguments.emplace_back("--synth");
      arguments.push_back(file);
    }
    for (const std::string& metric : options->metrics) {
      arguments.push_back("--metric=" + metric);
    }
    const auto pass_on = [&arguments](const std::string& name, const std::string& value) {
      if (!value.empty()) {
        arguments.push_back(name + "=" + value);
      }
    };
    pass_on("--baseline", options->baseline);
    pass_on("--axis", options->axis);
    pass_on("--reference", options->reference);
    pass_on("--title", options->title);
    arguments.emplace_back("-o");
    arguments.push_back(options->output);
    status = run_report_tool(arguments);
  });
}

}  // namespace warpmem::app
