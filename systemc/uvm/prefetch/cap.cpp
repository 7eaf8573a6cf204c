// SPDX-License-Identifier: Apache-2.0
#include "uvm/prefetch/cap.hpp"

#include <string>

namespace warpmem::uvm {

void CapParams::describe(Schema& s) {
  s.real("factor", factor, {1, 1000},
         "c of the equation for the prefetch granularity: a larger c prefetches more carefully",
         "GU 4.3.1.1");
  s.size("min", min_bytes, {64 << 10, 2 << 20, true},
         "bytes of the smallest block that a fault prefetches", "GU 4.3.1.1");
  s.size("max", max_bytes, {64 << 10, 2 << 20, true},
         "bytes of the largest block that a fault prefetches", "GU 4.3.1.1");
  s.size("oversubscribed", oversubscribed_bytes, {64 << 10, 2 << 20, true},
         "bytes of the block that a fault prefetches while memory is oversubscribed", "GU 4.3.1.2");
}

void CapParams::validate(Problems& problems, const char* group) const {
  if (min_bytes > max_bytes)
    problems.add(std::string(group) + ".min", std::to_string(min_bytes) + " B; allowed: at most " +
                                                  group + ".max, " + std::to_string(max_bytes) +
                                                  " B");
}

// Returns the next smaller power of two between the smallest and the largest granularity.
std::uint64_t CapPrefetcher::candidate(double bytes) const {
  std::uint64_t size = params_.min_bytes;
  while (size < params_.max_bytes && 2.0 * static_cast<double>(size) <= bytes) size *= 2;
  return size;
}

std::uint64_t CapPrefetcher::granularity(const Allocation& allocation) const {
  if (memory_.oversubscribed()) return params_.oversubscribed_bytes;
  const std::uint64_t capacity = memory_.capacity_pages(), used = memory_.used_pages();
  const auto available =
      static_cast<double>((capacity > used ? capacity - used : 0) << page_shift_);
  const auto own = static_cast<double>(allocation.bytes);
  const auto all = static_cast<double>(memory_.requested_bytes());
  return std::min(candidate(available * (own / (all * params_.factor))), candidate(own));
}

void CapPrefetcher::on_fault(const Allocation& allocation, PageNumber page,
                             std::vector<PageNumber>& pages) {
  const std::uint64_t bytes = granularity(allocation);
  ++stats_.faults;
  if (memory_.oversubscribed()) ++stats_.oversubscribed_faults;
  stats_.granularity.add(bytes);

  pages.push_back(page);
  const unsigned granule = block_shift(kGranuleBytes, page_shift_);
  const PageSpan span = block_of(allocation, page, block_shift(bytes, page_shift_));
  for (PageNumber first = span.first; first < span.last;) {
    const PageSpan part = block_of(allocation, first, granule);
    first = part.last;
    ++stats_.presence_checks;
    if (!memory_.absent(part.first)) continue;
    // An evictor of single pages leaves some behind that the first page does not speak for. The
    // page table refuses those when they are mapped.
    for (PageNumber p = part.first; p < part.last; ++p)
      if (p != page && memory_.absent(p)) pages.push_back(p);
  }
}

void CapPrefetcher::register_stats(StatGroup& group) {
  group.counter("prefetch.cap.faults", stats_.faults, "faults", "faults that CAP was asked about");
  group.counter("prefetch.cap.oversubscribed_faults", stats_.oversubscribed_faults, "faults",
                "faults with the fixed size for oversubscribed memory (GU 4.3.1.2)");
  group.counter("prefetch.cap.presence_checks", stats_.presence_checks, "look-ups",
                "64 KiB blocks whose presence was looked up (GU 4.3.1.3)");
  group.histogram("prefetch.cap.granularity", stats_.granularity, "bytes",
                  "faults by prefetch granularity (GU Eq 4.1)");
}

}  // namespace warpmem::uvm
