// SPDX-License-Identifier: Apache-2.0
#include "uvm/evict/lru.hpp"

namespace warpmem::uvm {

void LruEvictor::allocated(const Allocation& allocation) {
  lru_.add(allocation);
  if (here_.size() <= allocation.index) here_.resize(allocation.index + 1);
  here_[allocation.index].assign(allocation.pages, false);
}

void LruEvictor::freed(const Allocation& allocation) {
  lru_.remove(allocation);
  std::vector<bool>().swap(here_[allocation.index]);
}

void LruEvictor::choose(std::uint64_t pages, Cycle, std::vector<PageNumber>& victims) {
  const std::size_t wanted = victims.size() + pages;
  const BlockLru::Block* block = lru_.oldest();
  while (victims.size() < wanted && block != nullptr) {
    const Allocation& allocation = *block->allocation;
    const PageSpan own = lru_.span(*block);
    bool due = false;  // a piece leaves only if pages of the oldest block can
    for (PageNumber page = own.first; page < own.last && !due; ++page)
      due = may_leave(allocation, page);
    if (!due) {
      block = block->newer;
      continue;
    }
    const PageSpan span = piece(allocation, own.first);
    for (PageNumber page = span.first; page < span.last; ++page) {
      if (!may_leave(allocation, page)) continue;
      victims.push_back(page);
      left(allocation, page);
    }
    block = lru_.oldest();
  }
}

}  // namespace warpmem::uvm
