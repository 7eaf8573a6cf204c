// SPDX-License-Identifier: Apache-2.0
// Drain selector of MRPB (MR 3.3 and 6, docs/mechanisms.md 3.1), synthesizable core: the lengths of
// the queues, and which one gives the next request. With flush, the queue that the waiting request
// needs goes first: a request that is to be stored needs room, any other one an empty queue.
#pragma once

#include <array>
#include <cstdint>

#include "units/mrpb_drain/mrpb_drain_unit.hpp"

namespace warpmem::units {

/// `kQueues` (1..64) queues hold `kEntries` (1..1024) requests each. `kPolicy` is 0 fixed, 1 round
/// robin, 2 longest; 3 to 5 are the same, but empty a queue first. `kFlush` is 0 or 1.
template <unsigned kQueues, unsigned kEntries, unsigned kPolicy, unsigned kFlush>
class MrpbDrainCore {
  static_assert(kQueues >= 1 && kQueues <= 64, "mrpb_drain: QUEUES must be 1 to 64");
  static_assert(kEntries >= 1 && kEntries <= 1024, "mrpb_drain: ENTRIES must be 1 to 1024");
  static_assert(kPolicy <= 5, "mrpb_drain: POLICY must be 0 to 5");
  static_assert(kFlush <= 1, "mrpb_drain: FLUSH must be 0 or 1");

 public:
  using In = MrpbDrainIn;
  using Out = MrpbDrainOut;

  void reset() {
    length_.fill(0);
    last_ = kQueues - 1;
    stays_ = false;
  }

  Out eval(const In& in) const {
    Out out;
    for (unsigned q = 0; q < kQueues; ++q)
      if (length_[q] != 0) out.held |= std::uint64_t(1) << q;
    const std::uint64_t may = in.ready & out.held;
    const unsigned needed = length_[in.head_queue];
    out.drain_valid = may != 0;
    out.drain_forced = kFlush != 0 && in.head_valid && has(may, in.head_queue) &&
                       (!in.head_stored || needed == kEntries);
    if (out.drain_forced) {
      out.drain_queue = in.head_queue;
    } else if (out.drain_valid) {
      out.drain_queue = static_cast<std::uint8_t>(by_policy(may));
    }
    const bool leaves = in.take && out.drain_valid && out.drain_queue == in.head_queue;
    out.head_full = needed == kEntries && !leaves;
    out.head_empty = needed == (leaves ? 1u : 0u);
    return out;
  }

  void commit(const In& in) {
    const Out out = eval(in);
    if (in.take && out.drain_valid) {
      last_ = out.drain_queue;
      --length_[last_];
      stays_ = length_[last_] != 0;
    }
    if (in.enter) ++length_[in.head_queue];
  }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("length", &MrpbDrainCore::length_);
    v("last", &MrpbDrainCore::last_);
    v("stays", &MrpbDrainCore::stays_);
  }

 private:
  static bool has(std::uint64_t mask, unsigned queue) { return (mask >> queue & 1) != 0; }

  unsigned by_policy(std::uint64_t may) const {
    if (kPolicy >= 3 && stays_ && has(may, last_)) return last_;
    unsigned best = kQueues;
    for (unsigned i = 0; i < kQueues; ++i) {
      // Round robin looks first at the queue behind the one drained last.
      const unsigned q = kPolicy % 3 == 1 ? (last_ + 1 + i) % kQueues : i;
      if (!has(may, q)) continue;
      if (best == kQueues || (kPolicy % 3 == 2 && length_[q] > length_[best])) best = q;
    }
    return best;
  }

  std::array<std::uint16_t, kQueues> length_{};
  std::uint8_t last_ = kQueues - 1;  // queue that was drained last
  bool stays_ = false;               // that queue was not empty then
};

}  // namespace warpmem::units
