// SPDX-License-Identifier: Apache-2.0
// Dirty victims on their way to DRAM. A victim takes a place from its eviction until DRAM's
// acknowledgement, so that no fetch of the line can pass its write-back.
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "base/ring.hpp"
#include "base/transaction.hpp"

namespace warpmem::l2 {

class EvictBuffer {
 public:
  explicit EvictBuffer(unsigned lines) : places_(lines), unsent_(lines) {}

  bool full() const { return used_ == places_.size(); }
  bool empty() const { return used_ == 0; }
  unsigned used() const { return used_; }
  unsigned lines() const { return static_cast<unsigned>(places_.size()); }

  /// Takes a write-back and returns its place. Precondition: !full().
  unsigned push(Transaction& writeback) {
    for (unsigned i = 0; i < places_.size(); ++i) {
      if (places_[i] != nullptr) continue;
      places_[i] = &writeback;
      unsent_.push(i);
      ++used_;
      return i;
    }
    assert(false && "the evict buffer has room");
    return 0;
  }
  /// The oldest write-back that has not been sent, or nullptr.
  Transaction* unsent() const { return unsent_.empty() ? nullptr : places_[unsent_.front()]; }
  void sent() { unsent_.pop(); }
  /// DRAM has the line: frees `place` and releases its transaction.
  void done(unsigned place) {
    assert(places_[place] != nullptr);
    places_[place]->release();
    places_[place] = nullptr;
    --used_;
  }
  /// The write-back of `block`, or nullptr.
  Transaction* find(Addr block) const {
    if (used_ == 0) return nullptr;
    for (Transaction* t : places_)
      if (t != nullptr && t->get_address() == block) return t;
    return nullptr;
  }

 private:
  std::vector<Transaction*> places_;
  Ring<unsigned> unsent_;
  unsigned used_ = 0;
};

}  // namespace warpmem::l2
