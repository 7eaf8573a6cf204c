// SPDX-License-Identifier: Apache-2.0
#include "app/configuration.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "app/named.hpp"

namespace warpmem::app {

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
}

std::string ConfigurationOptions::file() const {
  return machine.empty() ? "" : std::filesystem::absolute(machine_file(machine)).string();
}

std::vector<std::filesystem::path> ConfigurationOptions::files() const {
  if (machine.empty()) return {};
  gpu::MachineParams params;
  Schema schema;
  params.describe(schema);
  Config config(schema);
  config.load_file(file());
  return {config.files().begin(), config.files().end()};
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
