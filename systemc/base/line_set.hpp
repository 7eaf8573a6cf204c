// SPDX-License-Identifier: Apache-2.0
// The set of lines that were ever touched: a bitmap in pages that appear when they are needed. It
// allocates, so it belongs to statistics that are off by default.
#pragma once

#include <bitset>
#include <memory>
#include <unordered_map>

#include "base/types.hpp"

namespace warpmem {

class LineSet {
 public:
  /// Adds a line by its number (address / line size). Returns true when it was not in the set
  /// before.
  bool insert(std::uint64_t line) {
    std::unique_ptr<Page>& page = pages_[line / kPageLines];
    if (page == nullptr) page = std::make_unique<Page>();
    const std::size_t bit = line % kPageLines;
    if (page->test(bit)) return false;
    page->set(bit);
    return true;
  }

 private:
  static constexpr std::uint64_t kPageLines = 4096;
  using Page = std::bitset<kPageLines>;

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

}  // namespace warpmem
