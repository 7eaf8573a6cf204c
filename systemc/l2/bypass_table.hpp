// SPDX-License-Identifier: Apache-2.0
// Reads that went past the bank to DRAM because it had no room for their miss (l2.bypass.kind). A
// place is taken until the answer has left. While it is, nobody may touch the block: requests to
// one line never overtake each other.
#pragma once

#include <cassert>
#include <vector>

#include "base/ring.hpp"
#include "base/transaction.hpp"

namespace warpmem::l2 {

class BypassTable {
 public:
  explicit BypassTable(unsigned reads) : places_(reads), arrived_(reads) {}

  bool full() const { return used_ == places_.size(); }
  bool empty() const { return used_ == 0; }
  unsigned used() const { return used_; }

  /// Takes a read of `block` and returns its place. Precondition: !full().
  unsigned push(Payload& request, Addr block) {
    unsigned place = 0;
    while (places_[place].request != nullptr) ++place;
    places_[place] = {&request, block};
    ++used_;
    return place;
  }
  bool holds(Addr block) const {
    if (used_ == 0) return false;
    for (const Place& place : places_)
      if (place.request != nullptr && place.block == block) return true;
    return false;
  }
  /// DRAM has answered: the request may be answered.
  Payload& arrived(unsigned place) {
    arrived_.push(place);
    return *places_[place].request;
  }
  bool has_answer() const { return !arrived_.empty(); }
  /// The oldest request to answer; its place is free. Precondition: has_answer().
  Payload& pop_answer() {
    Place& place = places_[arrived_.pop()];
    Payload& request = *place.request;
    place.request = nullptr;
    --used_;
    return request;
  }

 private:
  struct Place {
    Payload* request = nullptr;
    Addr block = 0;
  };
  std::vector<Place> places_;
  Ring<unsigned> arrived_;
  unsigned used_ = 0;
};

}  // namespace warpmem::l2
