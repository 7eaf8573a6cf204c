// SPDX-License-Identifier: Apache-2.0
// The machine's parameters, read from a file and assignments, checked and ready to build from.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/cli_fwd.hpp"
#include "base/config.hpp"
#include "gpu/params.hpp"

namespace warpmem::app {

struct ConfigurationOptions {
  std::string machine;  ///< a file, or a name of `warpmem list configs`; empty: defaults
  std::vector<std::string> assignments;

  /// Returns the absolute path of the machine's file, or "". Throws UserError for an unknown name.
  std::string file() const;
  /// Returns that file and what it includes; what is wrong with them is left to Configuration.
  std::vector<std::filesystem::path> files() const;
};

/// Adds the options -c/--config and --set to a command.
void add_configuration_options(CLI::App& command, ConfigurationOptions& options);

class Configuration {
 public:
  /// Reads and checks everything. Throws UserError with every problem found.
  explicit Configuration(const ConfigurationOptions& options);

  const gpu::MachineParams& params() const { return params_; }
  const Schema& schema() const { return schema_; }
  const Config& config() const { return *config_; }

 private:
  gpu::MachineParams params_;
  Schema schema_;
  std::unique_ptr<Config> config_;
};

}  // namespace warpmem::app
