// SPDX-License-Identifier: Apache-2.0
// Lines that have arrived in a cache: first they wait for their place (allocation on fill may have
// to evict), then their targets drain, in the same order. The bytes stay here until the last target
// has left; writes among the targets are merged into them in order of arrival (W1, R1, W2, R2: DL
// section 2, footnote), and then the line gets them.
//
// Responses are always taken from the link into this queue (it holds as many lines as there can be
// misses), so a fill that waits for an eviction never blocks the responses the eviction needs.
#pragma once

#include "base/assert.hpp"
#include "base/byte_mask.hpp"
#include "base/ring.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "cache/tag_array.hpp"

namespace warpmem::cache {

struct Fill {
  Transaction* transaction = nullptr;  ///< the answered fetch, owned by the fill
  Addr block = 0;                      ///< address of the line
  Addr unit = 0;                       ///< what the miss handler tracks the miss by
  Femtoseconds arrived = 0;
  ByteMask valid;             ///< bytes of the line that are there, where lines may lack some
  LineId line = kNoLine;      ///< held until the targets have drained
  bool keep = false;          ///< true: the line will get the bytes; false: it is let go
  bool reads = false;         ///< no target writes (told where lines may lack bytes)
  SectorMask dirty = 0;       ///< sectors that targets wrote
  bool primary_left = false;  ///< the first target has been served
  bool unwanted = false;      ///< the line comes for a prefetch that nobody waits for

  /// The bytes of the line; those that are not valid mean nothing.
  std::uint8_t* bytes() const { return transaction->data.data(); }
  bool ok() const { return transaction->is_response_ok(); }
};

class FillQueue {
 public:
  explicit FillQueue(unsigned misses) : fills_(misses) {}

  void push(Transaction& fetch, Addr block, Addr unit, const ByteMask& valid, Femtoseconds t) {
    fills_.push({&fetch, block, unit, t, valid, kNoLine, false, false, 0, false, false});
  }
  /// The oldest fill that waits for its place, or nullptr.
  Fill* waiting() { return placed_ < fills_.size() ? &fills_.at(placed_) : nullptr; }
  /// Gives waiting() its place: `line`, or none.
  void place(LineId line, bool keep) {
    Fill& fill = fills_.at(placed_++);
    fill.line = line;
    fill.keep = keep && line != kNoLine;
  }
  /// The oldest fill whose targets drain, or nullptr.
  Fill* draining() { return placed_ > 0 ? &fills_.front() : nullptr; }
  /// The fill of `unit` whose targets drain, or will after those before it; nullptr: there is none.
  const Fill* placed(Addr unit) const {
    for (std::size_t i = 0; i < placed_; ++i)
      if (fills_.at(i).unit == unit) return &fills_.at(i);
    return nullptr;
  }
  /// Forgets draining() and releases its transaction.
  void drained() {
    assert(placed_ > 0);
    fills_.pop().transaction->release();
    --placed_;
  }
  /// Calls act(fill) for those of the line of `block`. Returns whether there is one.
  template <class Act>
  bool for_each(Addr block, Act&& act) const {
    bool found = false;
    for (std::size_t i = 0; i < fills_.size(); ++i) {
      if (fills_.at(i).block != block) continue;
      act(fills_.at(i));
      found = true;
    }
    return found;
  }
  bool empty() const { return fills_.empty(); }
  std::size_t size() const { return fills_.size(); }
  std::size_t placed() const { return placed_; }

 private:
  Ring<Fill> fills_;
  // Number of fills that have their place; they are the oldest, and their targets drain.
  std::size_t placed_ = 0;
};

}  // namespace warpmem::cache
