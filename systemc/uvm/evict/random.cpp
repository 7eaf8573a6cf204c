// SPDX-License-Identifier: Apache-2.0
#include "uvm/evict/random.hpp"

#include "base/assert.hpp"

namespace warpmem::uvm {

void RandomEvictor::allocated(const Allocation& allocation) {
  if (places_.size() <= allocation.index) places_.resize(allocation.index + 1);
  places_[allocation.index].assign(allocation.pages, 0);
}

void RandomEvictor::freed(const Allocation& allocation) {
  std::vector<std::uint32_t>().swap(places_[allocation.index]);
}

void RandomEvictor::arrived(const Allocation& allocation, PageNumber page, Cycle) {
  place(allocation, page) = static_cast<std::uint32_t>(resident_.size());
  resident_.push_back({&allocation, page});
}

void RandomEvictor::left(const Allocation& allocation, PageNumber page) {
  const std::uint32_t hole = place(allocation, page);
  assert(resident_[hole].page == page);
  resident_[hole] = resident_.back();
  place(*resident_[hole].allocation, resident_[hole].page) = hole;
  resident_.pop_back();
}

void RandomEvictor::choose(std::uint64_t pages, Cycle, std::vector<PageNumber>& victims) {
  for (; pages != 0 && !resident_.empty(); --pages) {
    Random random = random_;
    // A page that must stay is passed over to the next one; there are few.
    std::size_t at = random.below(resident_.size());
    std::size_t tried = 0;
    while (tried < resident_.size() && !memory_.evictable(resident_[at].page)) {
      at = at + 1 == resident_.size() ? 0 : at + 1;
      ++tried;
    }
    if (tried == resident_.size()) return;
    random_ = random;
    const Resident victim = resident_[at];
    victims.push_back(victim.page);
    left(*victim.allocation, victim.page);
  }
}

}  // namespace warpmem::uvm
