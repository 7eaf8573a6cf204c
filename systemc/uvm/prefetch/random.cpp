// SPDX-License-Identifier: Apache-2.0
#include "uvm/prefetch/random.hpp"

namespace warpmem::uvm {

void RandomPrefetcher::on_fault(const Allocation& allocation, PageNumber page,
                                std::vector<PageNumber>& pages) {
  pages.push_back(page);
  // One pass suffices: the k-th candidate replaces the choice with probability 1/k.
  const PageSpan span = block_of(allocation, page, shift_);
  PageNumber chosen = page;
  std::uint64_t candidates = 0;
  for (PageNumber p = span.first; p < span.last; ++p)
    if (p != page && memory_.absent(p) && random_.below(++candidates) == 0) chosen = p;
  if (candidates != 0) pages.push_back(chosen);
}

}  // namespace warpmem::uvm
