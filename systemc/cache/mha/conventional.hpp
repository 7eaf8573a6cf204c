// SPDX-License-Identifier: Apache-2.0
// The conventional MSHR file: explicitly addressed, with E entries of S slots and an access of one
// cycle. It is fully associative (docs/mechanisms.md 2.1, Kroft's organisation as in KI 1.2) or in
// sets of entries (docs/mechanisms.md 2.2, KI Table 5.4). The line's number within the slice picks
// the set, and a full set refuses even when other sets have room.
#pragma once

#include <vector>

#include "cache/block_map.hpp"
#include "cache/mha/entry_array.hpp"
#include "cache/mha/miss_handler.hpp"
#include "cache/mha/params.hpp"
#include "cache/mha/slot_occupancy.hpp"

namespace warpmem::mha {

class Conventional : public MissHandler {
 public:
  /// `params.kind` is conventional or set_associative.
  Conventional(const MhaParams& params, const TagArray& tags, Allocate allocate,
               const ClockDomain& clock);

  void begin_cycle(Cycle now) override { now_ = now; }
  void end_cycle() override {}
  bool busy() const override { return array_.draining(); }
  bool empty() const override { return array_.used_entries() == 0; }

  Match find(Where where) const override;
  Allocation allocate(const Miss& miss, const Room& room, Payload& request) override;
  Stall merge(Where where, Payload& request) override;
  const Payload& first_target(Where where) const override {
    return array_.first(entry_of(where.block));
  }
  Stall take_over(Where where, Payload& request) override;
  void close(Where where) override;

  void fill(Where where) override;
  Payload* target() const override { return array_.target(); }
  Addr drain_block() const override { return block_[array_.drains()]; }
  void pop_target() override;

  unsigned free_entries() const override { return entries_ - array_.used_entries(); }
  unsigned most_misses() const override { return entries_; }
  unsigned slots() const override { return entries_ * slots_; }
  unsigned occupied() const override { return occupancy_.occupied(); }
  void register_stats(StatGroup& group) override;
  std::string describe() const override;

 private:
  static constexpr Addr kFree = ~Addr(0);  // no block has this address

  std::uint32_t set_of(Addr key) const {
    return sets_ == 1 ? 0 : static_cast<std::uint32_t>(key / line_bytes_ % sets_);
  }
  static_assert(cache::BlockMap::kAbsent == kNoEntry);
  /// Returns the block's entry or kNoEntry: what the comparators find.
  EntryId entry_of(Addr block) const { return entry_of_block_.find(block); }
  void note_change(int slots);

  std::uint32_t entries_;
  std::uint32_t slots_;
  std::uint32_t ways_;  // entries of a set
  std::uint32_t sets_;
  std::uint32_t line_bytes_;
  Cycle now_ = 0;
  std::vector<Addr> block_;  // block of each entry
  cache::BlockMap entry_of_block_;
  EntryArray array_;
  std::vector<std::vector<EntryId>> free_;  // free entries of each set
  SlotOccupancy occupancy_;
  std::uint64_t comparator_activations_ = 0;
  std::uint64_t allocations_ = 0;
  std::uint64_t merges_ = 0;
};

}  // namespace warpmem::mha
