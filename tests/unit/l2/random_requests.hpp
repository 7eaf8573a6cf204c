// SPDX-License-Identifier: Apache-2.0
// Random traffic for an L2 bank: loads, stores and atomics of various sizes on a few lines, which
// are divided in various ways.
#pragma once

#include "unit/l2/l2_bench.hpp"

namespace warpmem::l2 {

inline constexpr unsigned kLines = 40;

/// How lines are divided, and what misses are tracked by.
enum class Parts { lines, sectors, sectors_in_pairs, misses_by_sector, misses_by_pair };

/// Loads and atomics have at most `most` bytes.
inline std::vector<Scripted> random_requests(std::uint64_t seed, unsigned count,
                                             unsigned most = kLine) {
  Random random(seed);
  std::vector<Scripted> requests;
  std::uint32_t sequence = 0;
  Cycle at = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (random.chance(2)) at += random.below(300);
    static constexpr unsigned kBytes[] = {128, 128, 32, 4};
    const unsigned bytes = std::min(kBytes[random.below(4)], most);
    const Addr address = random.below(kLines) * kLine + random.below(kLine / bytes) * bytes;
    const auto value = static_cast<std::uint8_t>(random.next() >> 13);
    Scripted s = load(address, at, bytes);
    if (random.chance(45)) {
      s = store(address, value, at, bytes);
      s.enables = random.next();
    } else if (random.chance(15)) {
      s = atomic(address & ~Addr(most - 1), value, ++sequence, at);
      s.bytes = most;
      s.chain = static_cast<std::uint8_t>(1 + random.below(4));
      s.groups = static_cast<std::uint8_t>(s.chain + random.below(8));
      s.enables = random.next();
    }
    requests.push_back(s);
  }
  return requests;
}

}  // namespace warpmem::l2
