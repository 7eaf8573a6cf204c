// SPDX-License-Identifier: Apache-2.0
// The storage of a TLB: page numbers in sets with least recently used replacement, each with a
// value.
#pragma once

#include <cstdint>
#include <vector>

#include "uvm/page.hpp"

namespace warpmem::uvm {

template <class Value>
class TranslationCache {
 public:
  /// `entries` / `ways` is a power of two.
  TranslationCache(unsigned entries, unsigned ways)
      : ways_(ways), mask_(entries / ways - 1), places_(entries) {}

  /// Returns the value of `page`, which becomes the most recently used of its set, or nullptr.
  Value* find(PageNumber page) {
    Place* const set = set_of(page);
    for (unsigned w = 0; w < ways_; ++w) {
      if (set[w].used == 0 || set[w].page != page) continue;
      set[w].used = ++clock_;
      return &set[w].value;
    }
    return nullptr;
  }
  /// Adds `page`, or replaces its value; the least recently used of the set makes room.
  void insert(PageNumber page, Value value) {
    Place* const set = set_of(page);
    Place* victim = set;
    for (unsigned w = 0; w < ways_; ++w) {
      if (set[w].used != 0 && set[w].page == page) {
        victim = &set[w];
        break;
      }
      if (set[w].used < victim->used) victim = &set[w];
    }
    *victim = {page, ++clock_, value};
  }
  /// Forgets the pages [first, first + count); returns how many there were.
  unsigned forget(PageNumber first, std::uint64_t count) {
    unsigned found = 0;
    const auto drop = [&](Place& place) {
      place.used = 0;
      ++found;
    };
    if (count < places_.size() / ways_) {
      for (PageNumber page = first; page < first + count; ++page) {
        Place* const set = set_of(page);
        for (unsigned w = 0; w < ways_; ++w)
          if (set[w].used != 0 && set[w].page == page) drop(set[w]);
      }
      return found;
    }
    for (Place& place : places_)
      if (place.used != 0 && place.page - first < count) drop(place);
    return found;
  }

 private:
  struct Place {
    PageNumber page = 0;
    std::uint64_t used = 0;  // 0: empty
    Value value{};
  };
  Place* set_of(PageNumber page) {
    // Arrays begin at multiples of 2 MiB: the higher bits keep them out of one another's sets.
    const PageNumber hash = page ^ page >> 9 ^ page >> 17;
    return &places_[(hash & mask_) * ways_];
  }

  unsigned ways_;
  PageNumber mask_;
  std::uint64_t clock_ = 0;
  std::vector<Place> places_;
};

}  // namespace warpmem::uvm
