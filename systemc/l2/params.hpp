// SPDX-License-Identifier: Apache-2.0
// Configuration of an L2 bank: the group "l2".
#pragma once

#include <cstdint>

#include "cache/params.hpp"

namespace warpmem::l2 {

/// Of the atomic unit of a bank.
struct AtomicParams {
  std::uint32_t lanes = 1;     ///< lanes of an instruction on one word that are one operation
  std::uint32_t words = 32;    ///< operations, of different words, that go in one step
  std::uint32_t interval = 1;  ///< cycles of a step
};

struct L2Params : cache::CacheParams {
  L2Params();

  AtomicParams atomic;
  std::uint32_t evict_buffer = 32;  ///< dirty lines on their way to DRAM
  std::uint32_t bypass_reads = 16;  ///< reads that may be past the bank at a time
  bool footprint = false;           ///< count the distinct lines that the program touches

  void describe(Schema& schema);
  void validate(Problems& problems) const;
};

}  // namespace warpmem::l2
