// SPDX-License-Identifier: Apache-2.0
// Configuration of an L2 bank: the group "l2".
#pragma once

#include <cstdint>

#include "cache/params.hpp"

namespace warpmem::l2 {

struct L2Params : cache::CacheParams {
  L2Params();

  std::uint32_t evict_buffer = 32;  ///< dirty lines on their way to DRAM
  std::uint32_t bypass_reads = 16;  ///< reads that may be past the bank at a time
  bool footprint = false;           ///< count the distinct lines that the program touches

  void describe(Schema& schema);
  void validate(Problems& problems) const;
};

}  // namespace warpmem::l2
