// SPDX-License-Identifier: Apache-2.0
#include "app/configuration.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>

#include "app/named.hpp"
#include "base/errors.hpp"
#include "base/text.hpp"

namespace warpmem::app {
namespace {

/// Of two values of a key one would be without effect.
void check_set_once(const std::vector<std::string>& assignments) {
  std::map<std::string_view, std::string_view> known;
  for (const std::string_view assignment : assignments) {
    const std::string_view key = trimmed(assignment.substr(0, assignment.find('=')));
    const auto [first, is_new] = known.try_emplace(key, assignment);
    if (!is_new)
      throw UserError(fmt::format("--set {}: the key is set before, by --set {}; allowed: once",
                                  shown(assignment), shown(first->second)));
  }
}

}  // namespace

void add_configuration_options(CLI::App& command, ConfigurationOptions& options) {
  command
      .add_option("-c,--config", options.machine,
                  "machine description (YAML), or a name of `warpmem list configs`")
      ->type_name("FILE");
  command
      .add_option("--set", options.assignments,
                  "set one key, after the file; may be repeated (l1d.mshr.kind=dl)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.parse_complete_callback([&options] { check_set_once(options.assignments); });
}

std::string ConfigurationOptions::file() const {
  return machine.empty() ? "" : std::filesystem::absolute(machine_file(machine)).string();
}

Configuration::Configuration(const ConfigurationOptions& options) {
  params_.describe(schema_);
  config_ = std::make_unique<Config>(schema_);
  // Messages name the file as it was given.
  if (!options.machine.empty()) config_->load_file(machine_file(options.machine));
  for (const std::string& assignment : options.assignments) config_->set(assignment);
  config_->finish([this](Problems& problems) { params_.validate(problems); });
  params_.derive();
}

}  // namespace warpmem::app
