// SPDX-License-Identifier: Apache-2.0
// The bytes of a memory. They are allocated a page at a time when first written; unwritten bytes
// read as 0.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/types.hpp"

namespace warpmem {

class MemoryImage {
 public:
  static constexpr unsigned kPageBytes = 4096;

  void read(Addr address, unsigned bytes, std::uint8_t* out) const;
  /// Writes the bytes whose `enable` is non-zero (all of them when it is nullptr).
  void write(Addr address, unsigned bytes, const std::uint8_t* in,
             const std::uint8_t* enable = nullptr);
  /// Returns the pages written since the last call, in ascending order of address.
  std::vector<Addr> take_written_pages();

 private:
  struct Page {
    std::array<std::uint8_t, kPageBytes> bytes{};
    bool written = false;
  };
  std::unordered_map<Addr, std::unique_ptr<Page>> pages_;
  std::vector<Addr> written_;
};

}  // namespace warpmem
