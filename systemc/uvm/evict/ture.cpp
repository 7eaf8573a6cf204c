// SPDX-License-Identifier: Apache-2.0
#include "uvm/evict/ture.hpp"

#include <algorithm>

namespace warpmem::uvm {

TureEvictor::TureEvictor(const Residency& memory, unsigned page_shift, const TureParams& params)
    : memory_(memory),
      page_shift_(page_shift),
      shift_(block_shift(kGranuleBytes, page_shift)),
      params_(params),
      no_lease_((1u << params.lease_bits) - 1),
      sampler_(params),
      table_(params.table_entries, shift_),
      lru_(shift_) {}

void TureEvictor::allocated(const Allocation& allocation) {
  sampler_.add(allocation);
  table_.add(allocation);
  lru_.add(allocation);
  if (leases_.size() <= allocation.index) leases_.resize(allocation.index + 1);
  leases_[allocation.index].assign(allocation.pages, kAbsent);
}

void TureEvictor::freed(const Allocation& allocation) {
  sampler_.remove(allocation);
  table_.remove(allocation);
  lru_.remove(allocation);
  std::vector<std::uint32_t>().swap(leases_[allocation.index]);
}

void TureEvictor::arrived(const Allocation& allocation, PageNumber page, Cycle now) {
  sampler_.advance(now);
  const std::uint32_t predicted = sampler_.lease(allocation);
  lease(allocation, page) = predicted == 0 ? no_lease_ : predicted;
  lru_.arrive(allocation, page);
  ++stats_.arrived;
  ++stats_.resident;
}

void TureEvictor::touched(const Allocation& allocation, PageNumber page, Cycle now) {
  sampler_.advance(now);
  sampler_.touch(allocation, page, now);
  lru_.touch(allocation, page);
  std::uint32_t& left = lease(allocation, page);
  if (left == 0) {
    recall(allocation, page);
    return;
  }
  if (left == no_lease_) {
    const std::uint32_t predicted = sampler_.lease(allocation);
    if (predicted == 0) return;
    left = predicted;
  }
  if (left > 1)
    --left;
  else
    expire(allocation, page);
}

void TureEvictor::expire(const Allocation& allocation, PageNumber page) {
  const bool joins = table_.find(allocation, page) != CoalescingTable::kNone;
  if (!joins && table_.full()) {
    ++stats_.postponed;
    return;
  }
  lease(allocation, page) = 0;
  table_.expire(allocation, page);
  ++stats_.expired;
  if (joins) {
    ++stats_.coalesced;
    return;
  }
  stats_.table_peak = std::max<std::uint64_t>(stats_.table_peak, table_.used());
  if (table_.full()) ++stats_.full;
}

void TureEvictor::recall(const Allocation& allocation, PageNumber page) {
  const std::uint32_t half = std::max(1u, sampler_.lease(allocation) / 2);
  const std::uint32_t index = table_.find(allocation, page);
  if (index == CoalescingTable::kNone) {  // the page could not leave together with its entry
    lease(allocation, page) = half;
    ++stats_.recalled_pages;
    return;
  }
  const CoalescingTable::Entry& entry = table_.entry(index);
  const PageNumber first = table_.first_page(entry);
  for (std::uint32_t bits = entry.pages; bits != 0; bits &= bits - 1) {
    lease(allocation, first + static_cast<unsigned>(__builtin_ctz(bits))) = half;
    ++stats_.recalled_pages;
  }
  table_.release(index);
  ++stats_.recalls;
  // A page that was left over when its entry ended is not marked in a later entry.
  std::uint32_t& own = lease(allocation, page);
  if (own == 0) {
    own = half;
    ++stats_.recalled_pages;
  }
}

void TureEvictor::remove(const Allocation& allocation, PageNumber page) {
  table_.forget(allocation, page);
  lru_.leave(allocation, page);
  lease(allocation, page) = kAbsent;
  --stats_.resident;
}

void TureEvictor::left(const Allocation& allocation, PageNumber page) {
  remove(allocation, page);
  ++stats_.left;
}

// Returns true when a page of the block could leave.
bool TureEvictor::evict_block(const Allocation& allocation, PageSpan span,
                              std::vector<PageNumber>& victims) {
  const std::size_t before = victims.size();
  for (PageNumber page = span.first; page < span.last; ++page) {
    if (!may_leave(allocation, page)) continue;
    if (remaining(allocation, page) != 0) ++stats_.unexpired_pages;
    remove(allocation, page);
    victims.push_back(page);
    ++stats_.short_pages;
  }
  return victims.size() != before;
}

bool TureEvictor::evict_from_table(std::vector<PageNumber>& victims) {
  for (std::uint32_t i = table_.oldest(); i != CoalescingTable::kNone;) {
    const CoalescingTable::Entry& entry = table_.entry(i);
    const std::uint32_t next = entry.newer;  // evicting the block may end the entry
    const Allocation& allocation = *entry.allocation;
    if (evict_block(allocation, block_of(allocation, table_.first_page(entry), shift_), victims)) {
      ++stats_.short_blocks;
      return true;
    }
    i = next;
  }
  return false;
}

bool TureEvictor::evict_from_list(std::vector<PageNumber>& victims) {
  for (const BlockLru::Block* block = lru_.oldest(); block != nullptr; block = block->newer) {
    if (evict_block(*block->allocation, lru_.span(*block), victims)) {
      ++stats_.lru_blocks;
      return true;
    }
  }
  return false;
}

void TureEvictor::choose(std::uint64_t pages, Cycle, std::vector<PageNumber>& victims) {
  const std::size_t wanted = victims.size() + pages;
  while (victims.size() < wanted)
    for (unsigned i = 0; i < params_.blocks; ++i)
      if (!evict_from_table(victims) && !evict_from_list(victims)) return;
}

void TureEvictor::choose_expired(Cycle, std::vector<PageNumber>& victims) {
  if (!table_.full()) return;
  const std::uint32_t index = table_.oldest();
  const CoalescingTable::Entry& entry = table_.entry(index);
  const Allocation& allocation = *entry.allocation;
  const PageNumber first = table_.first_page(entry);
  const std::uint32_t pages = entry.pages;
  table_.release(index);
  for (std::uint32_t bits = pages; bits != 0; bits &= bits - 1) {
    const PageNumber page = first + static_cast<unsigned>(__builtin_ctz(bits));
    if (!may_leave(allocation, page)) continue;
    remove(allocation, page);
    victims.push_back(page);
    ++stats_.full_pages;
  }
}

void TureEvictor::register_stats(StatGroup& group) {
  sampler_.register_stats(group);
  const auto counter = [&](const char* name, const std::uint64_t& value, const char* unit,
                           const char* doc) {
    group.counter(std::string("evict.ture.") + name, value, unit, doc);
  };
  counter("expired", stats_.expired, "pages", "pages whose lease expired");
  counter("coalesced", stats_.coalesced, "pages",
          "expired pages that joined an existing entry of the coalescing table");
  counter("postponed", stats_.postponed, "uses", "last uses of a lease that found the table full");
  counter("recalls", stats_.recalls, "entries",
          "entries of the coalescing table that ended because one of their pages was used");
  counter("recalled_pages", stats_.recalled_pages, "pages",
          "pages that got half a lease because their entry was recalled");
  counter("table_full", stats_.full, "times", "times that the coalescing table became full");
  counter("table_full_pages", stats_.full_pages, "pages",
          "pages that left because the coalescing table was full");
  counter("short_table_blocks", stats_.short_blocks, "blocks",
          "64 KiB blocks of the coalescing table that left because memory was short");
  counter("short_lru_blocks", stats_.lru_blocks, "blocks",
          "64 KiB blocks that left because memory was short, the table being empty");
  counter("short_pages", stats_.short_pages, "pages", "pages that left because memory was short");
  counter("short_unexpired_pages", stats_.unexpired_pages, "pages",
          "pages that left because memory was short although their lease had not expired");
  group.peak("evict.ture.table_peak", stats_.table_peak, "entries",
             "most entries of the coalescing table in use");
  group.law("evict.ture.pages", [this] {
    return expect_equal("pages arrived", stats_.arrived, "left and resident",
                        stats_.full_pages + stats_.short_pages + stats_.left + stats_.resident);
  });
}

std::string TureEvictor::storage() const {
  return storage_text(params_, page_shift_, memory_.capacity_pages());
}

}  // namespace warpmem::uvm
