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
#include "cache/block_map.hpp"

namespace warpmem::l2 {

class EvictBuffer {
 public:
  explicit EvictBuffer(unsigned lines) : places_(lines), free_(lines), unsent_(lines) {
    for (unsigned i = 0; i < lines; ++i) free_.push(i);
  }

  bool full() const { return free_.empty(); }
  bool empty() const { return free_.full(); }
  unsigned used() const { return lines() - static_cast<unsigned>(free_.size()); }
  unsigned lines() const { return static_cast<unsigned>(places_.size()); }

  /// Takes a write-back of bytes of `block` and returns its place. Precondition: !full().
  unsigned push(Transaction& writeback, Addr block) {
    const unsigned place = free_.pop();
    const std::uint32_t older = newest_.find(block);
    if (older != kNone) {
      assert(places_[older].older == kNone);
      places_[older].newer = place;
      newest_.erase(block);
    }
    newest_.insert(block, place);
    places_[place] = {&writeback, block, older, kNone};
    unsent_.push(place);
    return place;
  }
  /// The oldest write-back that has not been sent, or nullptr when there is none or it must wait.
  Transaction* unsent() const {
    if (unsent_.empty()) return nullptr;
    const Place& place = places_[unsent_.front()];
    return place.older != kNone ? nullptr : place.transaction;
  }
  void sent() { unsent_.pop(); }
  /// DRAM has the line: frees `place` and releases its transaction.
  void done(unsigned place) {
    const Place gone = places_[place];
    assert(gone.transaction != nullptr && gone.older == kNone);
    if (gone.newer != kNone)
      places_[gone.newer].older = kNone;
    else
      newest_.erase(gone.block);
    gone.transaction->release();
    places_[place] = {};
    free_.push(place);
  }
  /// The newest write-back of `block`, or nullptr.
  Transaction* find(Addr block) const {
    if (empty()) return nullptr;
    const std::uint32_t place = newest_.find(block);
    return place == kNone ? nullptr : places_[place].transaction;
  }
  /// Calls act(write-back) for all of `block`, the oldest first.
  template <class Act>
  void for_each(Addr block, Act&& act) const {
    const std::uint32_t newest = newest_.find(block);
    if (newest == kNone) return;
    const Place& place = places_[newest];
    if (place.older != kNone) act(*places_[place.older].transaction);
    act(*place.transaction);
  }

 private:
  static constexpr std::uint32_t kNone = cache::BlockMap::kAbsent;

  struct Place {
    Transaction* transaction = nullptr;
    Addr block = 0;               ///< address of its line
    std::uint32_t older = kNone;  ///< place of the one of its block that DRAM does not have yet
    std::uint32_t newer = kNone;  ///< place of the one that waits for it
  };
  std::vector<Place> places_;
  Ring<unsigned> free_;
  Ring<unsigned> unsent_;
  cache::BlockMap newest_;  ///< place of the newest write-back of each block
};

}  // namespace warpmem::l2
