// SPDX-License-Identifier: Apache-2.0
// How many of the lines that loads of an un-coalescing degree bring are hit before they leave
// (BU Fig 5c). Lines that are in the cache when their launch ends leave then.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/degree_class.hpp"
#include "base/stats.hpp"
#include "cache/mha/miss_handler.hpp"

namespace warpmem::l1d {

class BlockReuse {
 public:
  explicit BlockReuse(std::size_t lines) : lines_(lines) {}

  /// A load of `degree` requests has brought the line.
  void installed(cache::LineId line, unsigned degree) {
    lines_[line] = {static_cast<std::uint8_t>(degree_class(degree)), true, false};
  }
  void hit(cache::LineId line) { lines_[line].reused = true; }
  /// The line becomes invalid or holds another block from now on.
  void gone(cache::LineId line) {
    Line& l = lines_[line];
    if (!l.valid) return;
    ++counts_[l.degree].blocks;
    counts_[l.degree].reused += l.reused;
    l.valid = false;
  }
  void all_gone() {
    for (std::size_t line = 0; line < lines_.size(); ++line) gone(static_cast<cache::LineId>(line));
  }

  void register_stats(StatGroup& group) {
    for (unsigned c = 0; c < kDegreeClasses; ++c) {
      const std::string name = std::string("reuse.degree_") + kDegreeNames[c];
      group.counter(name + ".blocks", counts_[c].blocks, "lines",
                    "lines brought by loads of this un-coalescing degree that have left");
      group.ratio(
          name + ".ratio", counts_[c].reused, counts_[c].blocks,
          "share of the lines brought by loads of this degree that was hit before they left");
    }
  }

 private:
  struct Line {
    std::uint8_t degree = 0;  // degree class of the load that brought the line
    bool valid = false;
    bool reused = false;
  };
  struct Count {
    std::uint64_t blocks = 0;
    std::uint64_t reused = 0;
  };
  std::vector<Line> lines_;
  std::array<Count, kDegreeClasses> counts_{};
};

}  // namespace warpmem::l1d
