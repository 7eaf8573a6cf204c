// SPDX-License-Identifier: Apache-2.0
// What the MSHR files of rtl/ must answer, from models as plain as can be: lists of blocks, each
// with the requests that wait for it. They share nothing with the simulator's miss handlers.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "units/mshr_ports.hpp"

namespace warpmem::cosim {

using units::MshrFail;
using units::MshrIn;
using units::MshrOut;
using units::MshrSize;

/// It is called with an output's name, its value in the model and in the unit.
using MshrExpect = std::function<void(const char*, std::uint64_t, std::uint64_t)>;

/// These say how often a run was where it should have been.
struct MshrFileCounts {
  std::uint64_t answers[4] = {};    ///< answers by their MshrFail
  std::uint64_t drained = 0;        ///< requests that left
  std::uint64_t back_to_back = 0;   ///< returns in the cycle in which the drain before ends
  std::uint64_t links = 0;          ///< dl_mshr: sets attached to a chain
  std::uint64_t release_waits = 0;  ///< dl_mshr: last requests that wait for a release
};

/// This is the model of mshr_conventional, mshr_set_assoc and tsma. It knows no entries: those that
/// the unit names are checked for being free, and unique. Blocks of a tsma have names of ours, for
/// the unit has entries alone.
class MshrFileModel {
 public:
  explicit MshrFileModel(const MshrSize& size) : size_(size) {}

  /// Returns the addresses of the blocks that wait or drain.
  std::vector<std::uint32_t> addresses() const;
  /// `addr` is asked for, and `returned` comes back: as the unit's pins name them.
  void name(std::uint32_t addr, std::uint32_t returned, MshrIn* in);
  void check(const MshrIn& in, const MshrOut& out, const MshrExpect& expect);
  /// Makes the clock edge, with what the unit answered.
  void edge(const MshrIn& in, const MshrOut& out, MshrFileCounts* counts);

 private:
  struct Block {
    std::uint32_t addr = 0;
    std::uint32_t entry = 0;
    std::deque<std::uint32_t> requests;
    std::uint32_t count = 0;  ///< number of requests taken
  };

  Block* find(std::uint32_t addr);
  Block* draining() { return drains_ ? find(draining_) : nullptr; }
  MshrFail refusal(const Block* block);
  bool leaves(const MshrIn& in);
  /// This is the block that starts to drain at the next edge.
  Block* returning(const MshrIn& in);
  bool entry_used(std::uint32_t entry) const;

  MshrSize size_;
  std::uint32_t addr_ = 0;      // address of this cycle's request
  std::uint32_t returned_ = 0;  // address of this cycle's return
  std::vector<Block> blocks_;
  bool drains_ = false;
  std::uint32_t draining_ = 0;
};

/// This is the model of dl_mshr: it gives out the lowest free sets and frees a chain from its tail,
/// a set a cycle.
class DlMshrModel {
 public:
  explicit DlMshrModel(const MshrSize& size);

  std::vector<std::uint32_t> addresses() const;
  void name(std::uint32_t addr, std::uint32_t returned, MshrIn* in);
  void check(const MshrIn& in, const MshrOut& out, const MshrExpect& expect);
  void edge(const MshrIn& in, const MshrOut& out, MshrFileCounts* counts);

 private:
  struct Block {
    std::uint32_t addr = 0;
    std::vector<std::uint32_t> chain;
    std::vector<std::uint32_t> requests;
    std::size_t drained = 0;
  };
  /// This is what a request gets.
  struct Answer {
    MshrFail fail = MshrFail::none;
    std::uint32_t set = 0;
    bool link = false;
  };

  Block* find(std::uint32_t addr);
  Block* draining() { return drains_ ? find(draining_) : nullptr; }
  bool last(const Block& block) const { return block.drained + 1 == block.requests.size(); }
  /// A request leaves when the user takes it; the last one only when the release before is over.
  bool responds(const Block* block) const {
    return block != nullptr && (!last(*block) || releasing_.size() <= 1);
  }
  Block* returning(const MshrIn& in);
  Answer answer(const MshrIn& in);
  void take(const MshrIn& in, std::uint32_t set);
  void leave(Block* block);

  MshrSize size_;
  std::set<std::uint32_t> free_;
  std::vector<Block> blocks_;
  std::deque<std::uint32_t> releasing_;  // sets of the chain, the tail first
  bool drains_ = false;
  std::uint32_t draining_ = 0;
};

}  // namespace warpmem::cosim
