// SPDX-License-Identifier: Apache-2.0
// Maps block addresses to entry numbers, for handlers whose hardware compares all entries at once.
// It is a hash table with open addressing and fixed storage, at most half full.
#pragma once

#include <cstdint>

#include "base/assert.hpp"
#include "base/types.hpp"
#include "base/zeroed_array.hpp"

namespace warpmem::cache {

class BlockMap {
 public:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  /// `capacity` (>= 1) is the largest number of entries that the map holds at a time.
  explicit BlockMap(std::uint32_t capacity) {
    unsigned bits = 1;
    while ((std::size_t{1} << bits) < std::size_t{2} * capacity) ++bits;
    places_ = ZeroedArray<Place>(std::size_t{1} << bits);
    shift_ = 64 - bits;
  }

  /// Returns the block's entry, or kAbsent.
  std::uint32_t find(Addr block) const {
    for (std::size_t i = home(block);; i = after(i)) {
      if (places_[i].number == 0 || places_[i].block == block) return places_[i].number - 1;
    }
  }

  /// Precondition: the block is absent.
  void insert(Addr block, std::uint32_t entry) {
    assert(entry != kAbsent);
    std::size_t i = home(block);
    for (; places_[i].number != 0; i = after(i)) assert(places_[i].block != block);
    places_[i] = {block, entry + 1};
  }

  /// Precondition: the block is present.
  void erase(Addr block) {
    std::size_t hole = home(block);
    for (; places_[hole].block != block; hole = after(hole)) assert(places_[hole].number != 0);
    assert(places_[hole].number != 0);
    // Later places of the run move up unless that would put them before their home.
    for (std::size_t i = after(hole); places_[i].number != 0; i = after(i)) {
      if (distance(home(places_[i].block), i) < distance(hole, i)) continue;
      places_[hole] = places_[i];
      hole = i;
    }
    places_[hole].number = 0;
  }

 private:
  struct Place {
    Addr block;
    std::uint32_t number;  // the entry's, from 1 on; 0: there is none
  };

  std::size_t home(Addr block) const { return (block * 0x9E3779B97F4A7C15ULL) >> shift_; }
  std::size_t after(std::size_t i) const { return (i + 1) & (places_.size() - 1); }
  std::size_t distance(std::size_t from, std::size_t to) const {
    return (to - from) & (places_.size() - 1);
  }

  ZeroedArray<Place> places_;
  unsigned shift_;
};

}  // namespace warpmem::cache
