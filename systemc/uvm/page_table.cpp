// SPDX-License-Identifier: Apache-2.0
#include "uvm/page_table.hpp"

#include <algorithm>
#include <cassert>

namespace warpmem::uvm {

namespace {

auto first_after(const std::vector<std::unique_ptr<ManagedRange>>& ranges, PageNumber page) {
  return std::upper_bound(ranges.begin(), ranges.end(), page,
                          [](PageNumber p, const auto& range) { return p < range->first; });
}

}  // namespace

ManagedRange& PageTable::add(Addr begin, std::uint64_t bytes) {
  assert(begin % page_bytes() == 0 && bytes != 0);
  auto range = std::make_unique<ManagedRange>();
  range->begin = begin;
  range->bytes = bytes;
  range->first = page_of(begin);
  range->pages.resize((bytes + page_bytes() - 1) >> shift_);
  range->id = calls_++;
  pages_ += range->pages.size();
  const auto after = first_after(ranges_, range->first);
  return **ranges_.insert(after, std::move(range));
}

void PageTable::remove(Addr begin) {
  const auto at = std::find_if(ranges_.begin(), ranges_.end(),
                               [begin](const auto& range) { return range->begin == begin; });
  assert(at != ranges_.end());
  pages_ -= (*at)->pages.size();
  ranges_.erase(at);
  last_ = nullptr;
}

ManagedRange* PageTable::range_of(PageNumber page) {
  if (last_ != nullptr && page - last_->first < last_->pages.size()) return last_;
  const auto after = first_after(ranges_, page);
  if (after == ranges_.begin()) return nullptr;
  ManagedRange* const range = std::prev(after)->get();
  if (page - range->first >= range->pages.size()) return nullptr;
  return last_ = range;
}

}  // namespace warpmem::uvm
