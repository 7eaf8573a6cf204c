// SPDX-License-Identifier: Apache-2.0
#include "app/configuration.hpp"

#include <CLI/CLI.hpp>

namespace warpmem::app {

void add_configuration_options(CLI::App& command, ConfigurationOptions& options) {
  command.add_option("-c,--config", options.file, "machine description (YAML); see configs/")
      ->type_name("FILE");
  command
      .add_option("--set", options.assignments,
                  "set one key, after the file; may be repeated (l1d.mshr.kind=dl)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

Configuration::Configuration(const ConfigurationOptions& options) {
  params_.describe(schema_);
  config_ = std::make_unique<Config>(schema_);
  if (!options.file.empty()) config_->load_file(options.file);
  for (const std::string& assignment : options.assignments) config_->set(assignment);
  config_->finish([this](Problems& problems) { params_.validate(problems); });
  params_.derive();
}

}  // namespace warpmem::app
