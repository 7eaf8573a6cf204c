// SPDX-License-Identifier: Apache-2.0
// Maps block addresses to entry numbers, for handlers whose hardware compares all entries at once.
// It is a hash table with open addressing, at most half full, whose storage grows to what the most
// that it ever held need.
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "base/types.hpp"

namespace warpmem::cache {

class BlockMap {
 public:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  BlockMap() : places_(8) {}

  /// Returns the block's entry, or kAbsent.
  std::uint32_t find(Addr block) const {
    for (std::size_t i = home(block);; i = after(i)) {
      if (places_[i].entry == kAbsent || places_[i].block == block) return places_[i].entry;
    }
  }

  /// Precondition: the block is absent.
  void insert(Addr block, std::uint32_t entry) {
    assert(entry != kAbsent);
    if (++held_ > places_.size() / 2) grow();
    put({block, entry});
  }

  /// Precondition: the block is present.
  void erase(Addr block) {
    std::size_t hole = home(block);
    for (; places_[hole].block != block; hole = after(hole)) assert(places_[hole].entry != kAbsent);
    assert(places_[hole].entry != kAbsent);
    // Later places of the run move up unless that would put them before their home.
    for (std::size_t i = after(hole); places_[i].entry != kAbsent; i = after(i)) {
      if (distance(home(places_[i].block), i) < distance(hole, i)) continue;
      places_[hole] = places_[i];
      hole = i;
    }
    places_[hole].entry = kAbsent;
    --held_;
  }

 private:
  struct Place {
    Addr block = 0;
    std::uint32_t entry = kAbsent;
  };

  std::size_t home(Addr block) const { return (block * 0x9E3779B97F4A7C15ULL) >> shift_; }
  std::size_t after(std::size_t i) const { return (i + 1) & (places_.size() - 1); }
  std::size_t distance(std::size_t from, std::size_t to) const {
    return (to - from) & (places_.size() - 1);
  }
  void put(const Place& place) {
    std::size_t i = home(place.block);
    for (; places_[i].entry != kAbsent; i = after(i)) assert(places_[i].block != place.block);
    places_[i] = place;
  }
  [[gnu::noinline]] void grow() {
    std::vector<Place> old(2 * places_.size());
    old.swap(places_);
    --shift_;
    for (const Place& place : old)
      if (place.entry != kAbsent) put(place);
  }

  std::vector<Place> places_;
  unsigned shift_ = 61;  // 64 less the bits of a place's number
  std::uint32_t held_ = 0;
};

}  // namespace warpmem::cache
