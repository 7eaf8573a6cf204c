// SPDX-License-Identifier: Apache-2.0
// The length of a packet of the crossbar.
#pragma once

#include <algorithm>

namespace warpmem::noc {

/// Returns the flits of a packet of `bytes`, at least one.
inline unsigned flits_of(unsigned bytes, unsigned flit_bytes) {
  return std::max(1u, (bytes + flit_bytes - 1) / flit_bytes);
}

}  // namespace warpmem::noc
