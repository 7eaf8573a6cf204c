// SPDX-License-Identifier: Apache-2.0
// Pages of managed memory, and what one call of cudaMallocManaged reserves.
#pragma once

#include <cstdint>

#include "base/types.hpp"

namespace warpmem::uvm {

/// Number of a page: address / page size.
using PageNumber = std::uint64_t;

/// One call of cudaMallocManaged: the "page group" of GU 4.3.2.1.
struct Allocation {
  Addr base = 0;            ///< multiple of the page size
  std::uint64_t bytes = 0;  ///< bytes as requested, >= 1
  unsigned index = 0;       ///< number of the call, from 0; never used again
  PageNumber first = 0;     ///< base / page size
  std::uint64_t pages = 0;  ///< bytes rounded up to pages

  bool contains(PageNumber page) const { return page - first < pages; }
};

}  // namespace warpmem::uvm
