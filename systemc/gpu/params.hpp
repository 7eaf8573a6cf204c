// SPDX-License-Identifier: Apache-2.0
// The whole configuration: one struct for each kind of module, and what only the machine knows.
#pragma once

#include <cstdint>

#include "base/address_map.hpp"
#include "base/params.hpp"
#include "dram/channel.hpp"
#include "l1d/l1d.hpp"
#include "l2/l2_bank.hpp"
#include "noc/crossbar.hpp"
#include "sm/params.hpp"
#include "uvm/params.hpp"

namespace warpmem::gpu {

struct MachineParams {
  bool check_data = false;
  bool check_protocol = false;
  bool tick_all = false;
  bool reverse_construction = false;
  bool flush_l2_between_kernels = false;
  std::uint64_t watchdog_cycles = 1'000'000;
  std::uint64_t max_cycles = 0;
  std::uint64_t memory_bytes = std::uint64_t(4) << 30;

  std::uint32_t sm_count = 28;
  std::uint64_t sm_hertz = 1'137'000'000;
  std::uint64_t l2_hertz = 1'137'000'000;

  sm::SmParams sm;
  l1d::L1d::Params l1d;
  noc::Crossbar::Params noc;
  l2::L2Bank::Params l2;
  dram::Channel::Params dram;
  AddressMapParams map;
  uvm::UvmParams uvm;

  void describe(Schema& schema);
  void validate(Problems& problems) const;
  /// Hands the values that several modules need (line size, whether bytes are carried) to each of
  /// them.
  void derive();
};

}  // namespace warpmem::gpu
