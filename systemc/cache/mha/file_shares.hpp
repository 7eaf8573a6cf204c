// SPDX-License-Identifier: Apache-2.0
// What the cache keeps beside its tags for a hybrid MSHR file (KI 5.2): IDX and share bit of each
// line, the share counter of each set. checked_handler.hpp keeps them from the file's answers, so
// that those of the class are compared, too.
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "cache/tag_array.hpp"

namespace warpmem::mha {

class FileShares {
 public:
  static constexpr std::uint32_t kNotShared = ~std::uint32_t{0};

  /// `tags` are those of the cache, `entries` those of the file's array.
  FileShares(const cache::TagArray& tags, std::uint32_t entries)
      : idx_(tags.lines(), kNotShared), count_(tags.lines() / tags.ways()), holder_(entries) {}

  /// Entry of the array that the line names, or kNotShared.
  std::uint32_t idx(cache::LineId line) const {
    return line == cache::kNoLine ? kNotShared : idx_[line];
  }
  /// Number of lines of the set whose tags are shared.
  std::uint32_t count(std::uint32_t set) const { return count_[set]; }

  /// A primary miss in `set` takes the entry, and the tag of `line`.
  void take(std::uint32_t entry, cache::LineId line, std::uint32_t set) {
    assert(idx_[line] == kNotShared);
    holder_[entry] = {line, set};
    idx_[line] = entry;
    ++count_[set];
  }
  /// The last request has left the entry.
  void release(std::uint32_t entry) {
    const Holder& holder = holder_[entry];
    assert(idx_[holder.line] == entry);
    idx_[holder.line] = kNotShared;
    --count_[holder.set];
  }

 private:
  struct Holder {
    cache::LineId line = cache::kNoLine;
    std::uint32_t set = 0;
  };

  std::vector<std::uint32_t> idx_;    // by line
  std::vector<std::uint32_t> count_;  // by set
  std::vector<Holder> holder_;        // by entry
};

}  // namespace warpmem::mha
