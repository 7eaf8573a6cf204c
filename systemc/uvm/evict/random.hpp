// SPDX-License-Identifier: Apache-2.0
// Evicts single pages, each resident one with equal probability (RE of GU 4.4).
#pragma once

#include "base/random.hpp"
#include "uvm/policy.hpp"

namespace warpmem::uvm {

class RandomEvictor : public Evictor {
 public:
  /// `memory` must outlive the evictor.
  RandomEvictor(const Residency& memory, std::uint64_t seed) : memory_(memory), random_(seed) {}

  void allocated(const Allocation& allocation) override;
  void freed(const Allocation& allocation) override;
  void arrived(const Allocation& allocation, PageNumber page, Cycle now) override;
  void touched(const Allocation&, PageNumber, Cycle) override {}
  void left(const Allocation& allocation, PageNumber page) override;
  void choose(std::uint64_t pages, Cycle now, std::vector<PageNumber>& victims) override;

 private:
  struct Resident {
    const Allocation* allocation;
    PageNumber page;
  };
  std::uint32_t& place(const Allocation& allocation, PageNumber page) {
    return places_[allocation.index][page - allocation.first];
  }

  const Residency& memory_;
  Random random_;
  std::vector<Resident> resident_;                  // resident pages, in no order
  std::vector<std::vector<std::uint32_t>> places_;  // index in resident_, by allocation and page
};

}  // namespace warpmem::uvm
