// SPDX-License-Identifier: Apache-2.0
// Gives out places in a range of addresses: first fit by address, so that equal sequences of calls
// give equal addresses.
#pragma once

#include <cstdint>
#include <map>

#include "base/types.hpp"

namespace warpmem::program {

class AddressSpace {
 public:
  AddressSpace(Addr begin, std::uint64_t bytes) : end_(begin + bytes), next_(begin) {}

  /// Returns where `need` bytes begin, a multiple of `alignment` (a power of two), or 0.
  Addr place(std::uint64_t need, std::uint64_t alignment);
  void give_back(Addr begin, std::uint64_t length);

 private:
  std::map<Addr, std::uint64_t> holes_;  // given back ranges below next_, by address
  Addr end_;
  Addr next_;
};

}  // namespace warpmem::program
