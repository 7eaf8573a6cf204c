// SPDX-License-Identifier: Apache-2.0
// What the MSHR files must answer, from models as plain as can be: lists of blocks, each with the
// requests that wait for it. They share nothing with the simulator's miss handlers.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <vector>

#include "units/mshr_ports.hpp"

namespace warpmem::cosim {

using units::MshrFail;
using units::MshrIn;
using units::MshrOut;
using units::MshrSize;

/// These are the sectors of a block, where lines are fetched in parts.
class BlockSectors {
 public:
  /// Returns what a request of the block must fetch. A line of one sector is fetched by its name.
  std::uint8_t fetch(const MshrSize& size, const MshrIn& in) const {
    return size.sectors == 1 ? 0 : static_cast<std::uint8_t>(in.req_sectors & ~known_);
  }
  void ask(const MshrSize& size, const MshrIn& in) {
    missing_ |= fetch(size, in);
    known_ |= in.req_sectors | in.req_held;
  }
  void come(std::uint8_t sectors) { missing_ &= ~unsigned{sectors}; }
  /// Whether nothing is missing when these have come.
  bool last(std::uint8_t sectors) const { return (missing_ & ~unsigned{sectors}) == 0; }

 private:
  unsigned known_ = 0;    // fetched, or kept beside the file
  unsigned missing_ = 0;  // fetched and not here
};

/// This is a block of a file whose entries hold one block each.
struct FileBlock {
  std::uint64_t addr = 0;
  std::uint32_t entry = 0;
  std::deque<std::uint32_t> requests;  // that have not left
  std::uint32_t count = 0;             // number of requests taken
  BlockSectors sectors;
};

/// Returns what the ports of such a file show whatever is asked: the entries that are used, and the
/// block that drains (nullptr: none), whose last request leaves in this cycle if `leaves`.
MshrOut outputs_of(const std::vector<FileBlock>& blocks, const FileBlock* drains, bool leaves);

/// Sets the outputs that say whether a request is refused, and why.
void set_answer(const MshrIn& in, MshrFail fail, MshrOut* out);

/// This is the model of mshr_conventional, mshr_set_assoc and tsma. Blocks of a tsma have no
/// address: there a block is its entry.
class MshrFileModel {
 public:
  explicit MshrFileModel(const MshrSize& size) : size_(size) {}

  void reset() { *this = MshrFileModel(size_); }
  MshrOut eval(const MshrIn& in) const;
  /// Makes the clock edge.
  void commit(const MshrIn& in);

  /// Returns the blocks that wait or drain, as the pins name them.
  std::vector<std::uint64_t> names() const;
  bool waits_for_release() const { return false; }
  bool waits_for_port() const { return false; }
  /// Whether the block of this cycle's return starts to drain as the drain before ends.
  bool back_to_back(const MshrIn& in) const { return returning(in) && leaves(in); }
  /// Whether data come in this cycle whose block misses further sectors.
  bool some_come(const MshrIn& in) const { return came(in) != nullptr && !returning(in); }

 private:
  using Block = FileBlock;

  std::uint64_t name_of(const Block& block) const {
    return size_.tagless() ? block.entry : block.addr;
  }
  const Block* find(std::uint64_t name) const;
  Block* find(std::uint64_t name) {
    return const_cast<Block*>(static_cast<const MshrFileModel&>(*this).find(name));
  }
  /// Returns the block that a request is of, or nullptr for a primary miss.
  const Block* asked(const MshrIn& in) const;
  const Block* draining() const { return drains_ ? find(draining_) : nullptr; }
  bool leaves(const MshrIn& in) const;
  /// Returns the block that waits for the data of this cycle, or nullptr.
  const Block* came(const MshrIn& in) const;
  /// Whether that has all its sectors then.
  bool returning(const MshrIn& in) const;
  MshrFail refusal(const MshrIn& in) const;
  /// Returns the lowest free entry that the block may be in, or the number of entries.
  std::uint32_t lowest_free(std::uint64_t addr) const;

  MshrSize size_;
  std::vector<Block> blocks_;
  bool drains_ = false;
  std::uint64_t draining_ = 0;  // name of the block that drains
};

/// This is what the models of dl_mshr and dl_mshr_pipe share: blocks in chains of sets, and the
/// free sets, the lowest of which is given out first.
class ChainModel {
 protected:
  struct Block {
    std::uint64_t addr = 0;
    std::vector<std::uint32_t> chain;
    std::vector<std::uint32_t> requests;
    std::size_t drained = 0;  // number of requests that have left
    BlockSectors sectors;
  };
  /// This is what a request gets.
  struct Answer {
    MshrFail fail = MshrFail::none;
    std::uint32_t set = 0;
    bool link = false;
  };

  explicit ChainModel(const MshrSize& size);

  const Block* find(std::uint64_t addr) const;
  Block* find(std::uint64_t addr) {
    return const_cast<Block*>(static_cast<const ChainModel&>(*this).find(addr));
  }
  std::vector<std::uint64_t> names() const;
  static bool last(const Block& block) { return block.drained + 1 == block.requests.size(); }
  /// Answers a request of a block that does not drain; nullptr: of a new block.
  Answer answer_of(const Block* block) const;
  /// Returns what a request of the block fetches, if it is stored; nullptr: of a new block.
  std::uint8_t fetch(const Block* block, const MshrIn& in) const {
    return (block != nullptr ? block->sectors : BlockSectors()).fetch(size_, in);
  }
  /// Stores the request.
  void take(const MshrIn& in, const Answer& given);
  /// Sets the outputs that count free sets.
  void count_free(MshrOut* out) const;
  /// Sets the outputs of the request of the block that leaves next.
  void respond(const Block& block, MshrOut* out) const;

  MshrSize size_;
  std::set<std::uint32_t> free_;
  std::vector<Block> blocks_;
};

/// This is the model of dl_mshr: it frees a chain from its tail, a set a cycle.
class DlMshrModel : ChainModel {
 public:
  explicit DlMshrModel(const MshrSize& size) : ChainModel(size) {}

  void reset() { *this = DlMshrModel(size_); }
  MshrOut eval(const MshrIn& in) const;
  void commit(const MshrIn& in);

  using ChainModel::names;
  /// Whether the last request of the chain that drains waits until the one before is released.
  bool waits_for_release() const { return drains_ && !slot_waits_ && !responds(); }
  /// Whether the request that leaves next waits until its slot is read, for one is written.
  bool waits_for_port() const { return slot_waits_; }
  bool back_to_back(const MshrIn& in) const { return returning(in) && drains_; }
  bool some_come(const MshrIn& in) const { return came(in) != nullptr && !returning(in); }

 private:
  const Block& draining() const { return *find(draining_); }
  bool released() const { return releasing_.size() <= 1; }  // at this edge, or before
  /// A request leaves when the user takes it; the last one only when the release before is over, or
  /// its chain finds room among those that wait for that.
  bool responds() const {
    return drains_ && !slot_waits_ &&
           (!last(draining()) || released() || waiting_.size() < size_.releases);
  }
  bool leaves_last(const MshrIn& in) const {
    return responds() && last(draining()) && in.rsp_ready;
  }
  /// Returns the block that a request is of. A file in which chains can wait forgets a block in the
  /// cycle in which its last request leaves.
  const Block* asked(const MshrIn& in) const {
    const bool gone = size_.releases != 0 && leaves_last(in) && in.req_addr == draining_;
    return gone ? nullptr : find(in.req_addr);
  }
  bool ret_ready(const MshrIn& in) const { return !drains_ || leaves_last(in); }
  const Block* came(const MshrIn& in) const;
  bool returning(const MshrIn& in) const;
  Answer answer(const MshrIn& in) const;

  std::deque<std::uint32_t> releasing_;             // sets of the chain, the tail first
  std::deque<std::vector<std::uint32_t>> waiting_;  // chains that are to be released
  bool drains_ = false;
  std::uint64_t draining_ = 0;  // address of the chain that drains
  bool slot_waits_ = false;
};

}  // namespace warpmem::cosim
