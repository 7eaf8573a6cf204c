// SPDX-License-Identifier: Apache-2.0
// Brings one more page: any absent one of the 2 MiB around the fault, each with equal probability
// (RP of GU 4.4).
#pragma once

#include "base/random.hpp"
#include "uvm/block.hpp"
#include "uvm/policy.hpp"

namespace warpmem::uvm {

class RandomPrefetcher : public Prefetcher {
 public:
  /// `memory` must outlive the prefetcher.
  RandomPrefetcher(const Residency& memory, unsigned page_shift, std::uint64_t seed)
      : memory_(memory), shift_(block_shift(kTreeBytes, page_shift)), random_(seed) {}

  void on_fault(const Allocation& allocation, PageNumber page,
                std::vector<PageNumber>& pages) override;

 private:
  const Residency& memory_;
  unsigned shift_;
  Random random_;
};

}  // namespace warpmem::uvm
