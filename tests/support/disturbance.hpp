// SPDX-License-Identifier: Apache-2.0
// Unlike latencies and back-pressure on both sides of a cache, for tests with random requests.
#pragma once

#include "base/types.hpp"

namespace warpmem {

/// Gives the memory of `bench` a latency, every second one up to `extra` cycles more, and both its
/// sides cycles in which they take nothing; all of it differs by `seed`.
template <class Bench>
void disturb(Bench& bench, std::uint64_t seed, Cycle extra) {
  bench.memory->latency = 5 + seed * 10;
  bench.memory->extra_latency = seed % 2 == 0 ? 0 : extra;
  bench.memory->busy_percent = seed % 3 == 0 ? 60 : 5;
  bench.memory->seed = seed;
  bench.initiator->busy_percent = seed % 3 == 1 ? 60 : 5;
  bench.initiator->seed = seed;
}

}  // namespace warpmem
