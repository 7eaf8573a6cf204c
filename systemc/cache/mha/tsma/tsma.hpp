// SPDX-License-Identifier: Apache-2.0
// Tag Shared MSHR Array and its hybrid (KI 5.1, 5.2; docs/mechanisms.md 2.4, 2.5). An entry of the
// array has no tag. Its primary miss replaces, at once, the tag of the line that it will fill, and
// the line's share bit and IDX lead to the entry. The hybrid also has a small fully associative
// s-MSHR (numbered behind the array's entries), whose misses leave the cache alone until they are
// filled.
//
// This class holds what belongs to the cache's lines and sets beside their tags: share bit, IDX,
// share counter, and the lock. The hit bit is in TagArray. A line keeps its share bit until the
// last target of its entry has left, as it cannot be used before.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "cache/mha/entry_array.hpp"
#include "cache/mha/miss_handler.hpp"
#include "cache/mha/params.hpp"
#include "cache/mha/slot_occupancy.hpp"
#include "cache/mha/tsma/early_evictions.hpp"
#include "cache/mha/tsma/index_generator.hpp"
#include "cache/mha/tsma/steering.hpp"

namespace warpmem::mha {

class Tsma : public MissHandler {
 public:
  /// `params.kind` is tsma or htsma. `tags` and `clock` are those of make_miss_handler().
  /// `generator` has the size params.entries; `steering` has the ways of `tags` and is nullptr with
  /// tsma.
  Tsma(const MhaParams& params, const TagArray& tags, const ClockDomain& clock,
       std::unique_ptr<IndexGenerator> generator, std::unique_ptr<Steering> steering);

  void begin_cycle(Cycle now) override;
  void end_cycle() override;
  bool busy() const override { return array_.draining() || generator_in_.release; }
  bool empty() const override { return array_.used_entries() == 0; }

  Match find(Where where) const override;
  Allocation allocate(const Miss& miss, const Room& room, Payload& request) override;
  Stall merge(Where where, Payload& request) override;
  const Payload& first_target(Where where) const override { return array_.first(entry_of(where)); }
  Stall take_over(Where where, Payload& request) override;
  void close(Where where) override;
  void written(Addr block, Addr key) override;

  void fill(Where where) override;
  Payload* target() const override { return array_.target(); }
  Addr drain_block() const override { return holder_[array_.drains()].block; }
  void pop_target() override;

  bool shares_tags() const override { return true; }
  unsigned free_entries() const override { return entries_ + small_ - array_.used_entries(); }
  unsigned most_misses() const override { return entries_ + small_; }
  unsigned slots() const override { return entries_ * slots_ + small_ * small_slots_; }
  unsigned occupied() const override { return occupancy_.occupied(); }
  Placement placement() const override {
    if (small_ == 0) return {placed_};
    return {placed_, false, static_cast<std::uint32_t>(steer_)};
  }
  void register_stats(StatGroup& group) override;
  std::string describe() const override;

  /// The branch of Listing 5.1 that a primary miss takes; `array` without an s-MSHR.
  using Steer = units::HtsmaSteer;
  /// The steering of the last allocate() that was not refused for a locked set.
  Steer steer() const { return steer_; }

 private:
  /// What is known of an entry in use. Hardware has only the blocks of s-MSHR entries.
  struct Holder {
    Addr block = 0;
    LineId line = kNoLine;  // line whose tag is shared
    std::uint32_t set = 0;
    bool replaces = true;  // false: the miss is one on sectors of a line that is present
  };

  bool shared(LineId line) const { return line != kNoLine && idx_[line] != kNoEntry; }
  bool in_array(EntryId e) const { return e < entries_; }
  std::uint32_t capacity(EntryId e) const { return in_array(e) ? slots_ : small_slots_; }
  EntryId small_entry_of(Addr block) const;
  EntryId entry_of(Where where) const;
  Steer choose(std::uint32_t set, LineId victim, bool replaces) const;
  Stall lock(std::uint32_t set);
  void unlock();
  void settle_lock(Cycle now);
  bool start_access(bool critical);
  void note_change(std::uint32_t occupied);
  EntryId free_small_entry() const;

  std::uint32_t entries_;
  std::uint32_t slots_;
  std::uint32_t small_;  // entries of the s-MSHR
  std::uint32_t small_slots_;
  bool pipelined_;
  const ClockDomain& clock_;
  Cycle now_ = 0;

  EntryArray array_;
  std::vector<Holder> holder_;  // holders, by entry
  std::unique_ptr<IndexGenerator> generator_;
  std::unique_ptr<Steering> steering_;
  IndexGenerator::In generator_in_;  // the generator's inputs of this cycle
  std::uint32_t small_used_ = 0;     // s-MSHR entries in use; 0: the empty flag is set

  std::vector<EntryId> idx_;           // IDX of each line; kNoEntry: the share bit is 0
  std::vector<std::uint32_t> shared_;  // share counter of each set
  // Set that has locked the cache, until a line of it is released.
  std::uint32_t locked_set_ = kNoEntry;
  Cycle locked_since_ = 0;

  EntryId placed_ = 0;  // entry of the last request
  Steer steer_ = Steer::array;
  Cycle next_access_ = 0;  // first cycle in which the handler takes a miss again

  EarlyEvictions early_;
  SlotOccupancy occupancy_;
  std::array<std::uint64_t, static_cast<std::size_t>(Steer::count)> steered_{};
  std::uint64_t comparator_activations_ = 0;
  std::uint64_t allocations_ = 0;
  std::uint64_t small_allocations_ = 0;
  std::uint64_t merges_ = 0;
  std::uint64_t small_merges_ = 0;
  std::uint64_t locks_ = 0;
  std::uint64_t locked_cycles_ = 0;
};

}  // namespace warpmem::mha
