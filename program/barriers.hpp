// SPDX-License-Identifier: Apache-2.0
// The sixteen barriers of a CTA (PTX ISA 6.x section 9.7.12.1). Counted in warps, as on the
// hardware: a barrier completes when as many warps have arrived as it was told to expect, or, told
// nothing, when every warp that has not exited has.
#pragma once

#include <array>
#include <cstdint>

#include "base/assert.hpp"

namespace warpmem::program {

class CtaBarriers {
 public:
  static constexpr unsigned kBarriers = 16;

  struct State {
    unsigned arrived = 0;   ///< warps
    unsigned waiting = 0;   ///< warps among those that are held until it completes
    unsigned expected = 0;  ///< warps; 0: every live one
  };

  const State& state(unsigned id) const { return state_[id]; }
  bool idle(unsigned id) const { return state_[id].arrived == 0; }
  /// Returns the barriers that are not idle, one bit each.
  std::uint32_t pending() const { return pending_; }

  /// Counts one warp more; `expected` must be what the barrier's other warps said. Returns true
  /// when it completes, which empties it.
  bool arrive(unsigned id, unsigned expected, bool waits, unsigned live) {
    assert(id < kBarriers);
    State& s = state_[id];
    s.expected = expected;
    ++s.arrived;
    if (waits) ++s.waiting;
    pending_ |= 1u << id;
    return complete(id, live);
  }
  /// True when barrier `id` completes because a warp has exited: `live` are left.
  bool exited(unsigned id, unsigned live) {
    const State& s = state_[id];
    return s.arrived != 0 && s.expected == 0 && complete(id, live);
  }
  void reset() {
    if (pending_ != 0) state_ = {};
    pending_ = 0;
  }

 private:
  bool complete(unsigned id, unsigned live) {
    State& s = state_[id];
    if (s.arrived < (s.expected != 0 ? s.expected : live)) return false;
    s = {};
    pending_ &= ~(1u << id);
    return true;
  }

  std::array<State, kBarriers> state_{};
  std::uint32_t pending_ = 0;
};

}  // namespace warpmem::program
