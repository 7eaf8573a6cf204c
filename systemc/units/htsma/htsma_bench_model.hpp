// SPDX-License-Identifier: Apache-2.0
// What the hybrid must answer, from a model as plain as can be: a list of blocks, each with the
// entry that it has and the requests that wait for it. It shares nothing with the miss handler or
// the steering.
#pragma once

#include <cstdint>
#include <vector>

#include "units/mshr_bench_models.hpp"

namespace warpmem::cosim {

class HtsmaModel {
 public:
  using Block = FileBlock;

  explicit HtsmaModel(const MshrSize& size) : size_(size) {}

  void reset() { *this = HtsmaModel(size_); }
  MshrOut eval(const MshrIn& in) const;
  /// Makes the clock edge.
  void commit(const MshrIn& in);

  /// Returns the blocks that wait or drain.
  const std::vector<Block>& blocks() const { return blocks_; }
  bool in_small(std::uint32_t entry) const { return entry >= size_.entries; }
  bool full(bool small) const { return lowest_free(small) == size_.all_entries(); }
  /// The block that drains, or nullptr.
  const Block* draining() const { return drains_ ? of_entry(draining_) : nullptr; }
  /// The block whose data are taken in this cycle, or nullptr.
  const Block* came(const MshrIn& in) const;
  /// The same if all its sectors are here then, so that it begins to drain.
  const Block* returning(const MshrIn& in) const;

 private:
  const Block* of_entry(std::uint32_t entry) const;
  const Block* in_small_with(std::uint64_t addr) const;
  /// Returns the block that a request is of, or nullptr.
  const Block* asked(const MshrIn& in) const;
  std::uint8_t branch(const MshrIn& in) const;
  bool leaves(const MshrIn& in) const;
  MshrFail refusal(const MshrIn& in) const;
  /// Returns the lowest free entry of a part, or the number of all entries.
  std::uint32_t lowest_free(bool small) const;

  MshrSize size_;
  std::vector<Block> blocks_;
  bool drains_ = false;
  std::uint32_t draining_ = 0;  // entry that drains
};

}  // namespace warpmem::cosim
