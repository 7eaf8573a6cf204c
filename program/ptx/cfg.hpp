// SPDX-License-Identifier: Apache-2.0
// Control flow of a function: basic blocks and immediate post-dominators.
#pragma once

#include <cstdint>
#include <vector>

#include "program/ptx/inst.hpp"

namespace warpmem::program::ptx {

struct Block {
  std::uint32_t first = 0, last = 0;  ///< instructions, both included
  std::vector<std::uint32_t> successors;
  bool ends = false;  ///< lanes leave the function here (ret, exit, trap)
};

/// How the last instruction of a block leaves it.
enum class Flow : std::uint8_t { next, jump, table, end };

struct FlowInst {
  Flow flow = Flow::next;
  bool conditional = false;  ///< guarded: may also go on to the next instruction
  std::vector<std::uint32_t> targets;
};

struct Cfg {
  std::vector<Block> blocks;
  std::vector<std::uint32_t> block_of;  ///< block of each instruction
  /// First instruction of the immediate post-dominator of each block; -1: the end of the function.
  ///
  /// Where a function ends in several places, lanes that end early do not count: the post-dominator
  /// is the first block that all lanes reach that live to see the last `ret` in the text. So code
  /// after `if (x) return;` nested in other conditions still reconverges.
  std::vector<std::int32_t> reconvergence;
};

/// `flow` has one element for each instruction; targets are instruction indices.
Cfg build_cfg(const std::vector<FlowInst>& flow);

}  // namespace warpmem::program::ptx
