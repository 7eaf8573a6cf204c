// SPDX-License-Identifier: Apache-2.0
// warpmem synth: area, timing and power of an RTL unit.
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <memory>

#include "app/commands.hpp"
#include "app/places.hpp"
#include "base/errors.hpp"
#include "synth/synth.hpp"

namespace warpmem::app {

namespace {

struct Options {
  std::string unit;
  std::vector<std::string> parameters;
  std::string liberty;
  std::string json;
  bool no_cache = false;
  bool keep_hierarchy = false;
  bool storage_outside = false;
};

void synthesize(const Options& options) {
  synth::SynthRequest request;
  request.unit = options.unit;
  request.rtl_root = places().rtl;
  request.liberty = options.liberty;
  request.use_cache = !options.no_cache;
  request.keep_hierarchy = options.keep_hierarchy;
  request.storage_outside = options.storage_outside;
  for (const std::string& assignment : options.parameters) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UserError("-p " + assignment + ": not of the form NAME=VALUE");
    request.params[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  if (isatty(STDERR_FILENO) != 0)
    request.progress = [](const std::string& step) { fmt::print(stderr, "{}\n", step); };
  const synth::SynthResult result = synth::run(request);
  fmt::print("{}", synth::table(result));
  if (options.json.empty()) return;
  std::ofstream out(options.json);
  out << synth::to_json(result).dump(2) << "\n";
  out.close();
  if (!out) throw UserError(options.json + ": cannot write");
}

}  // namespace

void add_synth(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("synth", "area, timing and power of an RTL unit");
  command->add_option("UNIT", options->unit, "unit (see `warpmem list units`)")->required();
  command
      ->add_option("-p,--param", options->parameters, "RTL parameter, NAME=VALUE; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--lib", options->liberty,
                      "standard-cell library, .lib or .lib.gz (default: osu018 of Debian)");
  command->add_option("--json", options->json, "also write the result to FILE");
  command->add_flag("--no-cache", options->no_cache, "synthesize even if the result is known");
  command->add_flag("--keep-hierarchy", options->keep_hierarchy, "area by module");
  command->add_flag("--storage-outside", options->storage_outside,
                    "leave the slots out, as where they are a memory macro");
  command->callback([options] { synthesize(*options); });
}

}  // namespace warpmem::app
