// SPDX-License-Identifier: Apache-2.0
// The operations that an atomic request asks of L2 (docs/mechanisms.md 1.4): lanes of one
// instruction that meet on one word go together in groups of `together`, and the groups of a word
// one after the other.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/types.hpp"
#include "sm/coalescer.hpp"

namespace warpmem::sm {

struct AtomicGroups {
  unsigned groups = 0;  ///< operations of all words
  unsigned chain = 0;   ///< most operations of one word
};

/// `lanes` (not empty) access the words of `word_bytes` that hold address[lane].
inline AtomicGroups atomic_groups(const Addr* address, LaneMask lanes, unsigned word_bytes,
                                  unsigned together) {
  AtomicGroups result;
  for (LaneMask rest = lanes; rest != 0;) {
    const Addr word = address[__builtin_ctz(rest)] / word_bytes;
    LaneMask meet = 0;
    for (LaneMask others = rest; others != 0; others &= others - 1) {
      const int lane = __builtin_ctz(others);
      if (address[lane] / word_bytes == word) meet |= LaneMask(1) << lane;
    }
    rest &= ~meet;
    const auto count = static_cast<unsigned>(__builtin_popcount(meet));
    const unsigned groups = (count + together - 1) / together;
    result.groups += groups;
    result.chain = std::max(result.chain, groups);
  }
  return result;
}

/// Splits the `count` atomic requests in `list` so that each has at most `together` lanes of a
/// word; what is split off follows after them. Returns the new count.
inline unsigned split_by_word(const Addr* address, unsigned word_bytes, unsigned together,
                              RequestList& list, unsigned count) {
  unsigned end = count;
  for (unsigned i = 0; i < count; ++i) {
    unsigned at = i;
    for (LaneMask rest = list[i].lanes; rest != 0;) {
      std::array<std::uint8_t, kWarpLanes> taken{};  // of each lane's word, kept at its first lane
      LaneMask lanes = 0;
      unsigned sectors = 0;
      for (LaneMask left = rest; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        int first = __builtin_ctz(rest);
        while (address[first] / word_bytes != address[lane] / word_bytes)
          first = __builtin_ctz(rest & ~((LaneMask(2) << first) - 1));
        if (taken[static_cast<std::size_t>(first)]++ >= together) continue;
        lanes |= LaneMask(1) << lane;
        sectors |= 1u << (address[lane] + list[i].word * kLocalWordStride - list[i].address) /
                             kSectorBytes;
      }
      rest &= ~lanes;
      list[at] = list[i];
      list[at].lanes = lanes;
      list[at].sectors = static_cast<std::uint8_t>(sectors);
      at = end;
      if (rest != 0) ++end;
    }
  }
  return end;
}

}  // namespace warpmem::sm
