// SPDX-License-Identifier: Apache-2.0
// Configuration of an L2 bank: the group "l2".
#pragma once

#include <cstdint>

#include "base/address_map.hpp"
#include "cache/params.hpp"

namespace warpmem::l2 {

/// What a write does that misses (docs/mechanisms.md 1.4).
enum class WriteMiss : std::uint8_t {
  fetch,          ///< it fetches its line
  fetch_partial,  ///< it takes the line without a fetch when it writes all of it
  validate,       ///< it takes the line without a fetch; what is not written is fetched when wanted
  through_fetch   ///< it goes to DRAM as well, and fetches its line
};

/// Of the atomic unit of a bank.
struct AtomicParams {
  std::uint32_t lanes = 1;     ///< lanes of an instruction on one word that are one operation
  std::uint32_t words = 32;    ///< operations, of different words, that go in one step
  std::uint32_t interval = 1;  ///< cycles of a step
};

/// Of the request coalescer in front of a bank (docs/mechanisms.md 1.10).
struct CoalescerParams {
  std::uint32_t entries = 0;  ///< lines of which reads may be under way together; 0: none, ever
  std::uint32_t merges = 4;   ///< reads that an entry may have
};

/// What a copy by the host does with the lines of L2 that it writes.
enum class HostCopy : std::uint8_t { drop, keep, update };

struct L2Params : cache::CacheParams {
  L2Params();

  AtomicParams atomic;
  CoalescerParams coalescer;
  WriteMiss write_miss = WriteMiss::fetch;
  std::uint32_t evict_buffer = 32;   ///< dirty lines on their way to DRAM
  std::uint32_t bypass_reads = 256;  ///< reads that may be past the bank at a time
  HostCopy memcpy = HostCopy::drop;
  bool footprint = false;  ///< count the distinct lines that the program touches

  /// No keys: memory of the host that requests reach past the bank, without being kept there, and
  /// how many of them may be under way.
  AddressRange host;
  std::uint32_t host_requests = 0;

  void describe(Schema& schema);
  void validate(Problems& problems) const;
};

}  // namespace warpmem::l2
