// SPDX-License-Identifier: Apache-2.0
// The atomic unit of an L2 bank (docs/mechanisms.md 1.4): it performs one request at a time, in
// steps. A step takes at most one operation of a word and at most `words` operations, so a request
// takes as many steps as its word with most operations has, or as all of them need.
//
//   n: the request begins   n + steps * interval: the next one may
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/assert.hpp"
#include "base/transaction.hpp"
#include "l2/params.hpp"

namespace warpmem::l2 {

class AtomicUnit {
 public:
  struct Stats {
    std::uint64_t requests = 0;
    std::uint64_t operations = 0;
    std::uint64_t busy_cycles = 0;
  };

  explicit AtomicUnit(const AtomicParams& params) : params_(params) {}

  bool free(Cycle now) const { return free_at_ <= now; }
  /// The cycle in which the unit takes the next request.
  Cycle free_at() const { return free_at_; }
  /// Begins a request; returns the cycles that it takes. Precondition: free(now).
  Cycle perform(const Access& access, Cycle now) {
    assert(free(now));
    const unsigned operations = std::max<unsigned>(1, access.atomic_groups);
    const unsigned steps =
        std::max<unsigned>(access.atomic_chain, (operations + params_.words - 1) / params_.words);
    const Cycle cycles = Cycle(steps) * params_.interval;
    free_at_ = now + cycles;
    ++stats_.requests;
    stats_.operations += operations;
    stats_.busy_cycles += cycles;
    return cycles;
  }
  const Stats& stats() const { return stats_; }

 private:
  AtomicParams params_;
  Cycle free_at_ = 0;
  Stats stats_;
};

}  // namespace warpmem::l2
