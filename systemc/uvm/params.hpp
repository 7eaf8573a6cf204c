// SPDX-License-Identifier: Apache-2.0
// Parameters of unified virtual memory: translation, faults, the link to the host and the policies.
#pragma once

#include <cstdint>

#include "base/errors.hpp"
#include "base/params.hpp"
#include "uvm/evict/ture_params.hpp"
#include "uvm/prefetch/cap.hpp"

namespace warpmem::uvm {

enum class PrefetchKind : std::uint8_t { none, random, sequential, tree, cap };
enum class EvictKind : std::uint8_t { random, sequential, nvidia, tree, ture };
/// How many faults the host takes at a time.
enum class FaultHandling : std::uint8_t { single, batch };

/// A translation look-aside buffer.
struct TlbParams {
  std::uint32_t entries;
  std::uint32_t ways;

  void validate(Problems& problems, const char* key) const;
};

struct UvmParams {
  bool enable = false;
  bool manage_all = false;  ///< cudaMalloc is cudaMallocManaged
  bool move_ahead = false;  ///< all managed memory moves to the device before every launch
  std::uint64_t page_bytes = 4096;
  PrefetchKind prefetch = PrefetchKind::cap;
  EvictKind evict = EvictKind::ture;
  double oversubscription = 0;  ///< managed footprint / device memory; 0: memory.size decides
  std::uint64_t host_bytes = std::uint64_t(16) << 30;
  std::uint32_t seed = 1;  ///< seed of the random policies
  CapParams cap;
  TureParams ture;

  TlbParams tlb{64, 8};            ///< TLB of each SM
  std::uint32_t tlb_misses = 32;   ///< pages that one SM waits for at a time
  std::uint32_t tlb_held = 1024;   ///< requests of one SM that wait for a translation
  std::uint32_t tlb_requests = 8;  ///< requests that the input queue of the TLB holds

  TlbParams l2_tlb{1024, 16};
  std::uint32_t l2_tlb_cycles = 10;
  std::uint32_t walks = 64;  ///< page-table walks at a time
  std::uint32_t walk_cycles = 100;

  FaultHandling handling = FaultHandling::single;
  std::uint32_t batch = 256;                ///< most faults of a batch
  std::uint64_t fault_nanoseconds = 45000;  ///< time of the host for a fault or a batch
  std::uint32_t fault_mshrs = 1024;
  std::uint32_t fault_buffer = 1024;

  std::uint64_t pcie_megabytes = 12000;  ///< full effective bandwidth of each direction, MB/s
  std::uint32_t pcie_queue = 8;          ///< transfers that wait at each direction of the link

  /// These are no keys of this group; the machine fills them in.
  std::uint64_t device_bytes = std::uint64_t(4) << 30;
  bool carry_data = true;
  unsigned tlb_width = 1;  ///< requests, and responses, that go through a TLB in a cycle

  unsigned page_shift() const { return static_cast<unsigned>(__builtin_ctzll(page_bytes)); }
  void describe(Schema& schema);
  void validate(Problems& problems) const;
};

}  // namespace warpmem::uvm
