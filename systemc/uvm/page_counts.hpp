// SPDX-License-Identifier: Apache-2.0
// How many requests to each page are under way: a hash table with linear probing that holds the
// pages with a count above 0 and grows when it is half full.
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "uvm/translation_cache.hpp"

namespace warpmem::uvm {

class PageCounts {
 public:
  PageCounts() : slots_(256) {}

  std::uint32_t count(PageNumber page) const { return slots_[place(page)].count; }
  void add(PageNumber page, std::uint32_t n = 1) {
    std::size_t at = place(page);
    if (slots_[at].count == 0) {
      if (2 * ++used_ > slots_.size()) {
        grow();
        at = place(page);
      }
      slots_[at].page = page;
    }
    slots_[at].count += n;
  }
  void remove(PageNumber page) {
    const std::size_t at = place(page);
    assert(slots_[at].count != 0);
    if (--slots_[at].count == 0) close_gap(at);
  }
  bool empty() const { return used_ == 0; }

 private:
  struct Slot {
    PageNumber page = 0;
    std::uint32_t count = 0;
  };
  std::size_t home(PageNumber page) const {
    return page * 0x9e3779b97f4a7c15ULL >> 32 & (slots_.size() - 1);
  }
  std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
  // Returns where the page is, or where it would go.
  std::size_t place(PageNumber page) const {
    std::size_t at = home(page);
    while (slots_[at].count != 0 && slots_[at].page != page) at = next(at);
    return at;
  }
  // Moves back what was probed past the emptied slot, so that a search still ends at a free slot.
  void close_gap(std::size_t gap) {
    --used_;
    for (std::size_t at = next(gap); slots_[at].count != 0; at = next(at)) {
      const std::size_t wanted = home(slots_[at].page);
      const bool stays = gap < at ? gap < wanted && wanted <= at : gap < wanted || wanted <= at;
      if (stays) continue;
      slots_[gap] = slots_[at];
      slots_[at].count = 0;
      gap = at;
    }
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.count != 0) slots_[place(slot.page)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace warpmem::uvm
