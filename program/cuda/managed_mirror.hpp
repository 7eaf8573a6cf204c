// SPDX-License-Identifier: Apache-2.0
// Finds what the host wrote into managed memory by plain stores: a copy as of the last launch is
// compared before the next one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "base/types.hpp"

namespace warpmem::program::cuda {

class ManagedMirror {
 public:
  /// This is the granularity of the comparison, in bytes.
  static constexpr std::uint64_t kBlockBytes = 128;

  /// Adds a new allocation, zero-filled, that the device knows as such.
  void add(Addr address, std::uint64_t bytes);
  void remove(Addr address);
  bool contains(Addr address) const { return copies_.count(address) != 0; }
  /// Calls `changed(address, bytes)` for each range that differs from the copy.
  void compare(const std::function<void(Addr, std::uint64_t)>& changed) const;
  /// Takes the memory's present contents.
  void update();

 private:
  std::map<Addr, std::vector<std::uint8_t>> copies_;
};

}  // namespace warpmem::program::cuda
