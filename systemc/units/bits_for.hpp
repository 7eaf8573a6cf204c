// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warpmem::units {

/// Number of bits that hold 0 .. values-1, at least one.
constexpr int bits_for(unsigned values) {
  int bits = 1;
  while ((1u << bits) < values) ++bits;
  return bits;
}

}  // namespace warpmem::units
