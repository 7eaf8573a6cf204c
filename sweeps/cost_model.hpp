// SPDX-License-Identifier: Apache-2.0
// How long a run will take, from how long earlier ones took: the product of what its program (with
// its arguments) and its configuration take. That is all that an order and an estimate need;
// nothing that a run computes depends on it. What comes with warpmem (sweeps/stored_costs.hpp)
// counts as one more configuration, so that programs which have run here also say how much faster
// or slower this machine is than that of the stored costs.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sweeps/database.hpp"
#include "sweeps/stored_costs.hpp"

namespace warpmem::sweeps {

class CostModel {
 public:
  /// Learns from all complete runs of a database.
  void learn(const Database& earlier);
  void learn(const std::vector<StoredCost>& stored);
  void learn(const std::string& program, std::size_t config, double seconds);
  /// Returns seconds; nothing for a program that no run had.
  std::optional<double> estimate(const std::string& program, std::size_t config) const;

  /// Return what tells programs, and configurations (YAML), apart here.
  static std::string program(const std::string& workload, const std::string& arguments) {
    return bare_name(workload, arguments) + "\n" + arguments;
  }
  static std::size_t config(const std::string& yaml) { return std::hash<std::string>()(yaml); }
  /// Returns the workload without the arguments that a sweep adds to the name of one that comes in
  /// it several times.
  static std::string bare_name(const std::string& workload, const std::string& arguments);

 private:
  struct Sample {
    std::size_t program, config;
    double log_seconds;
  };
  void fit() const;

  std::map<std::string, std::size_t> programs_;
  std::map<std::size_t, std::size_t> configs_;
  std::vector<Sample> samples_;
  // Logarithms; fitted when they are asked for.
  mutable std::vector<double> of_program_, of_config_;
  mutable std::size_t fitted_ = 0;  // samples in them
};

}  // namespace warpmem::sweeps
