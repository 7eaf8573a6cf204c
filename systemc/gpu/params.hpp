// SPDX-License-Identifier: Apache-2.0
// The whole configuration: the memory system's, the SMs', and what only the machine knows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/gpc.hpp"
#include "memory/params.hpp"
#include "sm/params.hpp"

namespace warpmem::gpu {

struct MachineParams : memory::MemoryParams {
  bool check_data = false;
  bool flush_l2_between_kernels = false;
  std::uint64_t watchdog_cycles = 1'000'000;
  std::uint64_t max_cycles = 0;
  std::uint32_t launch_latency = 0;      ///< SM cycles from a launch to its first CTA
  std::uint32_t concurrent_kernels = 1;  ///< kernels that run at a time
  bool early_loads = false;              ///< of kernels from PTX
  std::uint32_t ctas_a_cycle = 0;        ///< CTAs dispatched in a cycle; 0: one an SM

  sm::SmParams sm;
  Gpc::Params gpc;

  void describe(Schema& schema);
  void validate(Problems& problems) const;
  /// Hands the values that several modules need (line size, whether bytes are carried) to each of
  /// them.
  void derive();
};

/// As memory::read_params(), for a whole machine.
MachineParams read_params(const std::string& file, const std::vector<std::string>& assignments = {},
                          std::vector<std::string>* notes = nullptr);

}  // namespace warpmem::gpu
