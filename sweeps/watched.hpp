// SPDX-License-Identifier: Apache-2.0
// What a sweep's runs keep beside their statistics, as its file asks for it:
//
//   observe: {per_pc: true, series: true, interval: 500}
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/yaml_source.hpp"

namespace warpmem::sweeps {

struct Watched {
  bool per_pc = false;            ///< statistics by memory instruction
  bool series = false;            ///< statistics over time
  std::uint64_t interval = 1000;  ///< SM cycles between points of the series

  bool any() const { return per_pc || series; }
  /// Returns the lines that app::parse_observations() reads; none when nothing is kept.
  std::vector<std::string> lines() const;
  /// Returns the options of `warpmem run` that ask for the same.
  std::vector<std::string> options() const;
};

/// Reads the entry `observe` of a sweep file; `fail` takes each problem with its line.
Watched read_watched(const YamlMember& entry,
                     const std::function<void(unsigned line, const std::string& what)>& fail);

}  // namespace warpmem::sweeps
