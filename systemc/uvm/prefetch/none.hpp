// SPDX-License-Identifier: Apache-2.0
// Brings the faulting page alone (NP of GU 4.4).
#pragma once

#include "uvm/policy.hpp"

namespace warpmem::uvm {

class NoPrefetcher : public Prefetcher {
 public:
  void on_fault(const Allocation&, PageNumber page, std::vector<PageNumber>& pages) override {
    pages.push_back(page);
  }
};

}  // namespace warpmem::uvm
