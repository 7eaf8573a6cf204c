// SPDX-License-Identifier: Apache-2.0
// Dirty victims on their way to DRAM, and writes that go there beside their miss (l2.write_miss).
// Each takes a place until DRAM's acknowledgement, so that no fetch of the line can pass it. Of one
// block there may be two: a write that has gone through, and the victim, which waits until DRAM has
// that write.
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "base/ring.hpp"
#include "base/transaction.hpp"

namespace warpmem::l2 {

class EvictBuffer {
 public:
  /// `in_pairs`: a block may have two places.
  EvictBuffer(unsigned lines, bool in_pairs)
      : places_(lines), unsent_(lines), in_pairs_(in_pairs) {}

  bool full() const { return used_ == places_.size(); }
  bool empty() const { return used_ == 0; }
  unsigned used() const { return used_; }
  unsigned lines() const { return static_cast<unsigned>(places_.size()); }

  /// Takes a write-back of bytes of `block` and returns its place. Precondition: !full().
  unsigned push(Transaction& writeback, Addr block) {
    for (unsigned i = 0; i < places_.size(); ++i) {
      if (places_[i].transaction != nullptr) continue;
      places_[i] = {&writeback, block, in_pairs_ ? find(block) : nullptr};
      unsent_.push(i);
      ++used_;
      return i;
    }
    assert(false && "the evict buffer has room");
    return 0;
  }
  /// The oldest write-back that has not been sent, or nullptr when there is none or it must wait.
  Transaction* unsent() const {
    if (unsent_.empty()) return nullptr;
    const Place& place = places_[unsent_.front()];
    return place.behind != nullptr ? nullptr : place.transaction;
  }
  void sent() { unsent_.pop(); }
  /// DRAM has the line: frees `place` and releases its transaction.
  void done(unsigned place) {
    Transaction* const gone = places_[place].transaction;
    assert(gone != nullptr);
    if (in_pairs_)
      for (Place& p : places_)
        if (p.behind == gone) p.behind = nullptr;
    gone->release();
    places_[place] = {};
    --used_;
  }
  /// The newest write-back of `block`, or nullptr.
  Transaction* find(Addr block) const {
    if (used_ == 0) return nullptr;
    Transaction* found = nullptr;
    for (const Place& p : places_) {
      if (p.transaction == nullptr || p.block != block) continue;
      if (!in_pairs_ || p.behind != nullptr) return p.transaction;
      found = p.transaction;
    }
    return found;
  }
  /// Calls act(write-back) for all of `block`, the oldest first.
  template <class Act>
  void for_each(Addr block, Act&& act) const {
    Transaction* const newest = find(block);
    if (newest == nullptr) return;
    for (const Place& p : places_)
      if (p.transaction == newest && p.behind != nullptr) act(*p.behind);
    act(*newest);
  }

 private:
  struct Place {
    Transaction* transaction = nullptr;
    Addr block = 0;                 ///< address of its line
    Transaction* behind = nullptr;  ///< an older one of its block, which DRAM does not have yet
  };
  std::vector<Place> places_;
  Ring<unsigned> unsent_;
  unsigned used_ = 0;
  bool in_pairs_;
};

}  // namespace warpmem::l2
