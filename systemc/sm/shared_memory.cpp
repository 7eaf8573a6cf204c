// SPDX-License-Identifier: Apache-2.0
#include "sm/shared_memory.hpp"

#include <algorithm>

namespace warpmem::sm {

namespace {

// Returns the passes of a group of lanes: the most distinct words that they want from one bank.
unsigned group_passes(const Addr* offset, LaneMask lanes, unsigned words, unsigned banks) {
  std::array<std::uint32_t, kWarpLanes * 4> seen;  // distinct words of this group
  std::array<std::uint8_t, 64> load{};             // distinct words of each bank
  unsigned count = 0;
  unsigned worst = 1;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    for (unsigned w = 0; w < words; ++w) {
      const std::uint32_t word = static_cast<std::uint32_t>(offset[lane] / 4) + w;
      if (std::find(seen.begin(), seen.begin() + count, word) != seen.begin() + count) continue;
      seen[count++] = word;
      worst = std::max<unsigned>(worst, ++load[word & (banks - 1)]);
    }
  }
  return worst;
}

unsigned words_of(unsigned bytes) { return std::max(1u, bytes / 4); }

// Calls `each` with the lanes of every group that is served in turn.
template <class Each>
void each_group(LaneMask lanes, unsigned words, Each each) {
  const unsigned groups = std::min(words, 4u);
  const unsigned lanes_a_group = kWarpLanes / groups;
  const LaneMask group_mask =
      lanes_a_group == 32 ? ~LaneMask(0) : (LaneMask(1) << lanes_a_group) - 1;
  for (unsigned g = 0; g < groups; ++g) {
    const LaneMask members = lanes & (group_mask << (g * lanes_a_group));
    if (members != 0) each(members);
  }
}

}  // namespace

unsigned shared_passes(const Addr* offset, LaneMask lanes, unsigned bytes, unsigned banks) {
  const unsigned words = words_of(bytes);
  unsigned passes = 0;
  each_group(lanes, words,
             [&](LaneMask members) { passes += group_passes(offset, members, words, banks); });
  return std::max(passes, 1u);
}

unsigned shared_groups(LaneMask lanes, unsigned bytes) {
  unsigned groups = 0;
  each_group(lanes, words_of(bytes), [&](LaneMask) { ++groups; });
  return std::max(groups, 1u);
}

}  // namespace warpmem::sm
