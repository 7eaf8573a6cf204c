// SPDX-License-Identifier: Apache-2.0
// warpmem formal: proves the properties of the RTL units.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "app/commands.hpp"
#include "app/kept_page.hpp"
#include "app/own_units.hpp"
#include "app/places.hpp"
#include "app/rtl_parameter.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"
#include "formal/formal.hpp"

namespace warpmem::app {

namespace {

struct FormalOptions {
  formal::FormalRequest request;
  std::vector<std::string> parameters;
  std::string json, page;
  std::string traces = ".";
  bool no_cache = false;
  std::vector<std::string> own_rtl;
};

int prove(const FormalOptions& options) {
  check_apart({options.json, options.page}, own_rtl_files(options.own_rtl));
  formal::FormalRequest request = options.request;
  request.rtl_root = places().rtl;
  request.use_cache = !options.no_cache;
  if (!options.own_rtl.empty()) {
    if (request.units.size() != 1) throw UserError("--rtl brings one unit; name it");
    check_no_page(options.page);
    request.own = checked_own_rtl(options.own_rtl, request.units.front());
  }
  request.trace_dir = options.traces;
  for (const std::string& assignment : options.parameters) {
    const auto [name, number] = rtl_number(assignment);
    request.params[name] = number;
  }
  if (!request.params.empty() && request.units.empty())
    throw UserError("-p " + options.parameters.front() +
                    ": units have sizes of their own; name the UNIT");
  if (options.own_rtl.empty())
    for (const std::string& unit : request.units) check_rtl_limits(unit, request.params);
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto clear = [terminal] {
    if (terminal) fmt::print(stderr, "\r\033[K");
  };
  if (terminal)
    request.progress = [&](const std::string& step) {
      clear();
      fmt::print(stderr, "{}", step);
    };
  request.violated = [&](const std::string& text) {
    clear();
    fmt::print("{}", text);
    std::fflush(stdout);
  };
  for (const std::string& file : {options.json, options.page})
    if (!file.empty()) check_output(file);
  const std::string earlier =
      options.page.empty() ? "" : kept_page(options.page, formal::page({}, ""));
  const auto results = formal::run(request);
  clear();
  fmt::print("{}", formal::table(results));
  if (!options.page.empty()) write_text(options.page, formal::page(results, earlier));
  if (!options.json.empty()) {
    nlohmann::json document = nlohmann::json::array();
    for (const auto& result : results) document.push_back(formal::to_json(result));
    write_text(options.json, json_text(document));
  }
  return formal::green(results) ? 0 : 1;
}

}  // namespace

void add_formal(CLI::App& app, int& status) {
  auto options = std::make_shared<FormalOptions>();
  CLI::App* command = app.add_subcommand("formal", "prove the properties of RTL units");
  auto& request = options->request;
  command->add_option("UNIT", request.units, "units (default: all that have properties)");
  add_own_rtl(*command, options->own_rtl);
  command->add_option("--property", request.property, "only this property, judged alone");
  command
      ->add_option("-p,--param", options->parameters,
                   "RTL parameter, NAME=VALUE, instead of the parameter sets of the table; may be "
                   "repeated")
      ->allow_extra_args(false);
  command->add_option("--depth", request.depth, "check all runs of N cycles instead of proving")
      ->check(CLI::Range(1, 1000));
  command->add_option("-j,--jobs", request.jobs, "parameter sets at once")
      ->check(CLI::Range(1, 64));
  command->add_option("--timeout", request.timeout_s, "limit of one engine's run, s (default 600)")
      ->check(CLI::Range(1, 86400));
  command->add_option("--traces", options->traces, "folder for violating runs (default: here)")
      ->check(CLI::ExistingDirectory);
  command->add_option("--json", options->json, "also write the results to FILE");
  command->add_option("--page", options->page,
                      "also write the results as a Markdown page; proofs that were not made keep "
                      "what FILE says of them");
  command->add_flag("--quick", request.quick, "only proofs of a few seconds");
  command->add_flag("--no-cache", options->no_cache, "prove even what is known");
  command->callback([options, &status] { status = prove(*options); });
}

}  // namespace warpmem::app
