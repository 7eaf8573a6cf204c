// SPDX-License-Identifier: Apache-2.0
#include "uvm/page_table.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace warpmem::uvm {

namespace {

auto first_after(const std::vector<std::unique_ptr<ManagedRange>>& ranges, PageNumber page) {
  return std::upper_bound(ranges.begin(), ranges.end(), page, [](PageNumber p, const auto& range) {
    return p < range->allocation.first;
  });
}

}  // namespace

ManagedRange& PageTable::add(Addr begin, std::uint64_t bytes) {
  assert(begin % page_bytes() == 0 && bytes != 0);
  auto range = std::make_unique<ManagedRange>();
  Allocation& a = range->allocation;
  a = {begin, bytes, calls_++, page_of(begin), (bytes + page_bytes() - 1) >> shift_};
  range->pages.resize(a.pages);
  pages_ += a.pages;
  bytes_ += bytes;
  const auto after = first_after(ranges_, a.first);
  ManagedRange& result = **ranges_.insert(after, std::move(range));
  number();
  return result;
}

void PageTable::remove(Addr begin) {
  const auto at = std::find_if(ranges_.begin(), ranges_.end(), [begin](const auto& range) {
    return range->allocation.base == begin;
  });
  assert(at != ranges_.end());
  pages_ -= (*at)->allocation.pages;
  bytes_ -= (*at)->allocation.bytes;
  ranges_.erase(at);
  last_ = nullptr;
  number();
}

void PageTable::number() {
  std::uint64_t before = 0;
  for (const auto& range : ranges_) {
    range->ordinal = before;
    before += range->allocation.pages;
  }
}

ManagedRange* PageTable::range_of(PageNumber page) {
  if (last_ != nullptr && last_->allocation.contains(page)) return last_;
  const auto after = first_after(ranges_, page);
  if (after == ranges_.begin()) return nullptr;
  ManagedRange* const range = std::prev(after)->get();
  if (!range->allocation.contains(page)) return nullptr;
  return last_ = range;
}

}  // namespace warpmem::uvm
