// SPDX-License-Identifier: Apache-2.0
// A miss handler with the whole MSHR file of its kind beside it, as core, SC_MODULE or RTL: each
// request, return and departure is shown to the file in its cycle, and every answer of the file is
// compared with the handler's. A difference is a UnitFailure. The handler's answers count, so that
// statistics are those of a run without the file.
//
// The file gets a clock edge at the end of each cycle in which the handler works or something is
// shown. The handlers drain in another cut than the files (docs/lockstep.md): returns wait before
// the file, and an entry whose last target leaves can be had in the same cycle, which takes a
// second edge of the file, as does each further miss or target of a cycle. Of sectored lines the
// file is shown which sectors a miss lacks, and must name those that the cache fetches; sectors
// that arrive wait before the file, too, behind returns.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ring.hpp"
#include "cache/mha/file_shares.hpp"
#include "cache/mha/miss_handler.hpp"
#include "cache/mha/mshr_file.hpp"
#include "cache/mha/params.hpp"

namespace warpmem::mha {

/// Bits of a block's number on the pins: all of them, so that no two blocks are one.
inline constexpr unsigned kFileAddrBits = 64;
/// Returns the size of the file that stands beside a handler of a cache with sets of `ways` lines,
/// whose entries track `sectors` sectors each.
MshrSize file_size(const MhaParams& params, std::uint32_t ways, std::uint32_t sectors);

class CheckedHandler : public MissHandler {
 public:
  /// `size` is that of `file`, which file_size() gives. `edges` may be nullptr and outlives the
  /// handler.
  CheckedHandler(const MshrSize& size, const MhaParams& params, const TagArray& tags,
                 std::unique_ptr<MissHandler> handler, std::unique_ptr<MshrFile> file,
                 FileEdges* edges);

  void begin_cycle(Cycle now) override;
  void end_cycle() override;
  bool busy() const override { return handler_->busy(); }
  bool empty() const override { return handler_->empty(); }

  Match find(Where where) const override { return handler_->find(where); }
  Allocation allocate(const Miss& miss, const Room& room, Payload& request) override;
  Stall merge(Where where, Payload& request) override;
  const Payload& first_target(Where where) const override { return handler_->first_target(where); }
  Stall take_over(Where where, Payload& request) override;
  void close(Where where) override { handler_->close(where); }
  void written(Addr block, Addr key) override { handler_->written(block, key); }

  void fill(Where where) override;
  Payload* target() const override { return handler_->target(); }
  Addr drain_block() const override { return handler_->drain_block(); }
  void pop_target() override;
  bool follows_sectors() const override { return size_.sectors > 1; }
  void note_sectors(const MissSectors& sectors) override;
  void note_arrival(Where where, SectorMask sectors, bool complete) override;

  bool shares_tags() const override { return handler_->shares_tags(); }
  unsigned free_entries() const override { return handler_->free_entries(); }
  unsigned most_misses() const override { return handler_->most_misses(); }
  unsigned slots() const override { return handler_->slots(); }
  unsigned occupied() const override { return handler_->occupied(); }
  Placement placement() const override { return handler_->placement(); }
  void register_stats(StatGroup& group) override { handler_->register_stats(group); }
  std::string describe() const override;

 protected:
  using Token = std::uint32_t;
  /// Data that the file has not taken: the block as the pins call it, its entry, and the sectors.
  struct Return {
    std::uint64_t name = 0;
    std::uint32_t entry = 0;
    SectorMask sectors = 0;
    bool complete = false;  // of some sectors: the last ones are among them, and fill() follows
  };

  /// Returns what the pins call a block: its line number in the low bits; in a tsma, whose blocks
  /// are entries, `index`. A file of sets takes the set from these bits, so that there a block has
  /// its address within the slice.
  std::uint64_t name_of(Addr block, std::uint32_t index) const;
  /// Returns an address with its line's number in the low bits.
  std::uint64_t rotated(Addr address) const {
    return address >> line_bits_ | address << (64 - line_bits_);
  }
  /// Returns a primary miss on the pins; `line` would take its tag, if anything does.
  MshrIn primary(const Miss& miss, LineId line) const;
  MshrIn secondary(Where where) const;
  /// Returns `request` with what else happens on the pins in this cycle.
  MshrIn beside(MshrIn request) const;
  /// Shows a miss and compares the answer, which it returns.
  virtual MshrOut ask(MshrIn miss, bool secondary, MshrFail expected, Payload& request);
  bool of_sets() const { return size_.kind == units::MshrKind::set_assoc; }
  bool in_array(std::uint32_t entry) const { return entry < size_.entries; }
  bool answers(const MshrOut& out, bool secondary, MshrFail expected) const;
  bool answers_in_place(const MshrOut& out, bool secondary, MshrFail expected) const;
  [[noreturn]] void refute_answer(const MshrOut& out, bool secondary, MshrFail expected) const;
  void compare_answer(const MshrOut& out, bool secondary, MshrFail expected) const;
  /// Returns what waits for the file's port of returns, or nullptr.
  const Return* next_return() const;
  void show_return();
  /// The file has taken it.
  void drop_return();
  void clock_edge();
  void compare_drain() const;
  void expect(const char* output, std::uint64_t of_class, std::uint64_t of_file) const;

  MshrSize size_;
  unsigned line_bits_;
  bool pipelined_;                    // of a hybrid
  std::optional<FileShares> shares_;  // of a hybrid: what the cache's lines share
  std::unique_ptr<MissHandler> handler_;
  std::unique_ptr<MshrFile> file_;
  FileEdges* edges_;

  MshrIn in_;                 // the file's inputs of this cycle, as far as they are known
  bool shown_ = false;        // there are some
  bool left_ = false;         // an entry with an address is free, of which the file had no edge yet
  bool accepted_ = false;     // the request among them is
  bool clocked_ = false;      // the file has had an edge in this cycle
  Ring<Return> returns_;      // blocks that are to drain, in turn
  std::vector<Return> some_;  // sectors of blocks, others of which are still to come, or which wait
                              // for their place in the cache
  bool sectors_due_ = false;  // the cache has not said the sectors of the request accepted last

  // What the file keeps of a request is a token, which leads to the target of the handler.
  std::vector<Payload*> target_;      // by token
  std::vector<std::uint32_t> entry_;  // by token: entry or set that the file gave
  std::vector<Token> free_tokens_;
  std::unordered_map<Addr, std::uint64_t> names_;  // of outstanding blocks, in a file of sets
  std::vector<bool> used_;  // entries that primary misses got and that no last target has left
};

}  // namespace warpmem::mha
