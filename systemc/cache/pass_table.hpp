// SPDX-License-Identifier: Apache-2.0
// Requests that go past a cache to the next level: stores that are written through, atomics, and
// reads that bypass. Each takes a place until its answer has left for the requester.
#pragma once

#include <vector>

#include "base/assert.hpp"
#include "base/ring.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"

namespace warpmem::cache {

class PassTable {
 public:
  explicit PassTable(unsigned requests) : places_(requests), arrived_(requests) {
    for (unsigned i = 0; i < requests; ++i) places_[i].next_free = i + 1;
  }

  bool full() const { return used_ == places_.size(); }
  bool empty() const { return used_ == 0; }
  unsigned used() const { return used_; }
  unsigned capacity() const { return static_cast<unsigned>(places_.size()); }
  /// Number of answers that wait to leave.
  std::size_t answers() const { return arrived_.size(); }

  /// Takes a request to `block` and returns its place. Precondition: !full().
  unsigned push(Payload& request, Addr block) {
    assert(!full());
    const unsigned place = free_;
    free_ = places_[place].next_free;
    places_[place].request = &request;
    places_[place].block = block;
    ++used_;
    return place;
  }
  /// Whether a request to `block` is on its way.
  bool holds(Addr block) const {
    unsigned left = used_;
    for (auto place = places_.begin(); left != 0; ++place) {
      if (place->request == nullptr) continue;
      if (place->block == block) return true;
      --left;
    }
    return false;
  }
  /// The next level has answered the request in `place`, which may now be answered.
  Payload& arrived(unsigned place) {
    arrived_.push(place);
    return *places_[place].request;
  }
  bool has_answer() const { return !arrived_.empty(); }
  /// Returns the oldest request to answer and frees its place. Precondition: has_answer().
  Payload& pop_answer() {
    const unsigned number = arrived_.pop();
    Place& place = places_[number];
    Payload& request = *place.request;
    place.request = nullptr;
    place.next_free = free_;
    free_ = number;
    --used_;
    return request;
  }

 private:
  struct Place {
    Payload* request = nullptr;
    Addr block = 0;
    unsigned next_free = 0;
  };
  std::vector<Place> places_;
  Ring<unsigned> arrived_;
  unsigned free_ = 0;
  unsigned used_ = 0;
};

}  // namespace warpmem::cache
