// SPDX-License-Identifier: Apache-2.0
// Memory as the policies see it, without a machine: a state for each page, and calls that move
// pages and tell the policies so.
#pragma once

#include <cassert>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "uvm/policy.hpp"

namespace warpmem::uvm {

inline constexpr std::uint64_t kKiB = 1 << 10;
inline constexpr std::uint64_t kMiB = 1 << 20;
inline constexpr Addr kBase = 0x7f0000000000;

/// Returns the numbers of pages that follow each other.
inline std::vector<PageNumber> range(PageNumber first, std::uint64_t count) {
  std::vector<PageNumber> pages(count);
  std::iota(pages.begin(), pages.end(), first);
  return pages;
}

class FakeMemory : public Residency {
 public:
  explicit FakeMemory(std::uint64_t capacity_bytes, unsigned page_shift = 12)
      : shift_(page_shift), capacity_(capacity_bytes >> page_shift) {}

  Prefetcher* prefetcher = nullptr;
  Evictor* evictor = nullptr;
  Cycle now = 0;
  bool short_of_memory = false;
  std::set<PageNumber> resident_pages, in_flight_pages, pinned;

  /// `base` must be the start of a page.
  const Allocation& allocate(Addr base, std::uint64_t bytes) {
    Allocation a;
    a.base = base;
    a.bytes = bytes;
    a.index = static_cast<unsigned>(allocations_.size());
    a.first = base >> shift_;
    a.pages = (bytes + (Addr(1) << shift_) - 1) >> shift_;
    allocations_.push_back(a);
    requested_ += bytes;
    if (prefetcher != nullptr) prefetcher->allocated(allocations_.back());
    if (evictor != nullptr) evictor->allocated(allocations_.back());
    return allocations_.back();
  }
  const std::deque<Allocation>& allocations() const { return allocations_; }

  /// Takes an absent page to in flight.
  void fetch(PageNumber page) {
    assert(absent(page));
    in_flight_pages.insert(page);
    if (prefetcher != nullptr) prefetcher->arrives(*allocation_of(page), page);
  }
  /// Takes a page that is absent or in flight to resident.
  void bring(PageNumber page) {
    if (in_flight_pages.count(page) == 0) fetch(page);
    in_flight_pages.erase(page);
    resident_pages.insert(page);
    if (evictor != nullptr) evictor->arrived(*allocation_of(page), page, now);
  }
  void touch(PageNumber page) { evictor->touched(*allocation_of(page), page, now); }
  /// Takes a resident page to absent; `chosen` says that the evictor chose it.
  void drop(PageNumber page, bool chosen) {
    assert(resident(page));
    resident_pages.erase(page);
    if (prefetcher != nullptr) prefetcher->leaves(*allocation_of(page), page);
    if (evictor != nullptr && !chosen) evictor->left(*allocation_of(page), page);
  }
  std::vector<PageNumber> fault(PageNumber page) {
    std::vector<PageNumber> pages;
    prefetcher->on_fault(*allocation_of(page), page, pages);
    return pages;
  }
  /// Returns the victims for that many pages, which are gone then.
  std::vector<PageNumber> evict(std::uint64_t pages) {
    std::vector<PageNumber> victims;
    evictor->choose(pages, now, victims);
    for (const PageNumber page : victims) drop(page, true);
    return victims;
  }
  std::vector<PageNumber> evict_expired() {
    std::vector<PageNumber> victims;
    evictor->choose_expired(now, victims);
    for (const PageNumber page : victims) drop(page, true);
    return victims;
  }

  bool resident(PageNumber page) const override { return resident_pages.count(page) != 0; }
  bool in_flight(PageNumber page) const override { return in_flight_pages.count(page) != 0; }
  bool evictable(PageNumber page) const override {
    return resident(page) && pinned.count(page) == 0;
  }
  const Allocation* allocation_of(PageNumber page) const override {
    for (const Allocation& a : allocations_)
      if (a.contains(page)) return &a;
    return nullptr;
  }
  std::uint64_t capacity_pages() const override { return capacity_; }
  std::uint64_t used_pages() const override {
    return resident_pages.size() + in_flight_pages.size();
  }
  std::uint64_t requested_bytes() const override { return requested_; }
  bool oversubscribed() const override { return short_of_memory; }

 private:
  unsigned shift_;
  std::uint64_t capacity_;
  std::uint64_t requested_ = 0;
  std::deque<Allocation> allocations_;
};

}  // namespace warpmem::uvm
