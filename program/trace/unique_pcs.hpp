// SPDX-License-Identifier: Apache-2.0
// PCs of the instructions of a launch. In some traces the functions that a kernel calls count their
// PCs from 0, as the kernel does; two instructions at one PC would be one to all that goes by it.
#pragma once

#include <cstdint>
#include <unordered_set>

namespace warpmem::program::trace {

class UniquePcs {
 public:
  /// Returns `pc` for the first instruction that has it, and for others one that none has had.
  std::uint32_t take(std::uint32_t pc) {
    while (!taken_.insert(pc).second) pc = spare_--;
    return pc;
  }
  void clear() { *this = UniquePcs(); }

 private:
  std::unordered_set<std::uint32_t> taken_;
  std::uint32_t spare_ = ~std::uint32_t(0);  // traces number from 0 upwards
};

}  // namespace warpmem::program::trace
