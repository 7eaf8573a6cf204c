// SPDX-License-Identifier: Apache-2.0
// What the parts of unified virtual memory tell those who watch them.
#pragma once

#include <cstdint>

#include "base/types.hpp"
#include "uvm/page.hpp"

namespace warpmem::uvm {

class TransferWatch {
 public:
  virtual ~TransferWatch() = default;
  /// A transfer occupies the link in the cycles [from, to).
  virtual void transfer(Cycle from, Cycle to, std::uint64_t bytes) = 0;
};

class FaultWatch {
 public:
  virtual ~FaultWatch() = default;
  /// A page has arrived that faulted at `since`.
  virtual void fault_ended(PageNumber page, Femtoseconds since) = 0;
  /// The host handles so many faults in the cycles [from, to).
  virtual void host_works(Cycle from, Cycle to, std::size_t faults) = 0;
};

}  // namespace warpmem::uvm
