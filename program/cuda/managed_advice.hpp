// SPDX-License-Identifier: Apache-2.0
// What a program has said of its managed memory, page by page, so that it can ask for it again.
#pragma once

#include <map>
#include <vector>

#include "program/cuda/include/cuda_runtime_api.h"
#include "program/program.hpp"

namespace warpmem::program::cuda {

struct Advice {
  bool read_mostly = false, by_device = false, by_host = false;
  int preferred = cudaInvalidDeviceId, prefetched = cudaInvalidDeviceId;
};

class ManagedAdvice {
 public:
  /// Calls `change` with the advice of each part of the pages that hold these bytes.
  template <class Change>
  void change(Addr address, std::uint64_t bytes, Change&& change) {
    const auto [begin, end] = pages(address, bytes);
    split(begin);
    split(end);
    auto part = parts_.lower_bound(begin);
    for (Addr at = begin; at < end; at = part++->second.end) {
      const Addr next = part != parts_.end() && part->first < end ? part->first : end;
      if (at < next) part = parts_.insert({at, {next, {}}}).first;
      change(part->second.advice);
    }
  }
  /// Returns the advice of each part of these pages.
  std::vector<Advice> of(Addr address, std::uint64_t bytes);
  void forget(Addr address, std::uint64_t bytes);

 private:
  struct Part {
    Addr end;
    Advice advice;
  };
  static std::pair<Addr, Addr> pages(Addr address, std::uint64_t bytes);
  /// No part goes over `at` from here on.
  void split(Addr at);

  std::map<Addr, Part> parts_;  ///< by their beginning; what is in none has no advice
};

/// That of the process.
ManagedAdvice& managed_advice();

}  // namespace warpmem::program::cuda
