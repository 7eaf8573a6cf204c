// SPDX-License-Identifier: Apache-2.0
// Accesses of kernels outside every allocation that are forgiven, as GPUs forgive some: loads read
// 0, stores are dropped, atomics do both.
#pragma once

#include <cstdint>
#include <string>

namespace warpmem::program {

struct OutsideAccesses {
  std::uint64_t loads = 0, stores = 0, atomics = 0;  ///< of single lanes
  std::string first;                                 ///< what the first one was, and where

  bool any() const { return !first.empty(); }
  std::string text() const {
    return "forgiven accesses outside every allocation: " + std::to_string(loads) +
           " loads read 0, " + std::to_string(stores) + " stores were dropped, " +
           std::to_string(atomics) + " atomics did both; the first: " + first;
  }
};

}  // namespace warpmem::program
