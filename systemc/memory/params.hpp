// SPDX-License-Identifier: Apache-2.0
// Configuration of the memory system: one struct a module, and what only the whole knows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/address_map.hpp"
#include "base/params.hpp"
#include "dram/channel.hpp"
#include "host/params.hpp"
#include "l1d/params.hpp"
#include "l2/params.hpp"
#include "noc/crossbar.hpp"
#include "uvm/params.hpp"

namespace warpmem::memory {

/// What stands behind the L2 banks: channels of GDDR5, or whatever is bound to memory(s).
enum class DramKind : std::uint8_t { gddr5, external };

struct MemoryParams {
  bool check_protocol = false;        ///< a TLM base-protocol checker on every link
  bool tick_all = false;              ///< no skipping of idle modules; same statistics
  bool reverse_construction = false;  ///< likewise
  std::uint64_t memory_bytes = std::uint64_t(4) << 30;

  std::uint32_t sm_count = 28;             ///< ports, each with an L1D of its own: 1..256
  std::uint64_t sm_hertz = 1'137'000'000;  ///< clock of L1Ds and TLBs
  std::uint64_t l2_hertz = 1'137'000'000;
  DramKind dram_kind = DramKind::gddr5;

  l1d::L1dParams l1d;
  noc::Crossbar::Params noc;
  l2::L2Params l2;
  dram::Channel::Params dram;
  AddressMapParams map;
  uvm::UvmParams uvm;
  host::LinkParams host;

  /// Not keys. Whether payloads carry bytes: without, only times are modelled.
  bool carry_data = true;
  /// The addresses of device memory, where L1D's prefetcher may go.
  l1d::PrefetchUnit::Range device{0, ~Addr(0)};
  /// Addresses of memory of the host that kernels access over the link; empty: there is no link.
  AddressRange host_memory;

  /// The keys of a memory system without SMs. Those that only a machine has (other keys of `sm`,
  /// `check_data`, `watchdog`, `max_cycles`, `flush_l2_between_kernels`) are accepted in a file, so
  /// that one file serves both, and noted as without effect (Config::notes).
  void describe(Schema& schema);
  void validate(Problems& problems) const;
  /// Hands the values that several modules need to each; call once, after everything is set.
  void derive();

 protected:
  // The keys in groups, for a machine that has others between them.
  void describe_modes(Schema& schema);
  void describe_addresses(Schema& schema);
  /// Inside the group "sm".
  void describe_ports(Schema& schema);
  void describe_levels(Schema& schema);
};

/// The parameters of a file, which may be empty (defaults), and "key=value" assignments after it;
/// checked and derived. Throws UserError with every problem. `notes`, if given, gets a sentence for
/// each key of the file that has no effect.
MemoryParams read_params(const std::string& file, const std::vector<std::string>& assignments = {},
                         std::vector<std::string>* notes = nullptr);

}  // namespace warpmem::memory
