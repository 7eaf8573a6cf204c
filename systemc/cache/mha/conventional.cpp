// SPDX-License-Identifier: Apache-2.0
#include "cache/mha/conventional.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"

namespace warpmem::mha {

Conventional::Conventional(const MhaParams& params, const TagArray& tags, Allocate allocate,
                           const ClockDomain& clock)
    : MissHandler(tags, allocate),
      entries_(params.entries),
      slots_(params.slots),
      ways_(params.kind == Kind::set_associative ? params.associativity : params.entries),
      sets_(entries_ / ways_),
      line_bytes_(tags.line_bytes()),
      block_(entries_, kFree),
      array_(entries_, slots_),
      free_(sets_),
      occupancy_(entries_ * slots_, clock) {
  for (auto& list : free_) list.reserve(ways_);
  for (EntryId e = entries_; e-- > 0;) free_[e / ways_].push_back(e);
}

Match Conventional::find(Where where) const {
  const EntryId e = entry_of(where.block);
  return e == kNoEntry ? Match::none : array_.state(e);
}

void Conventional::note_change(int slots) {
  occupancy_.change(now_, static_cast<unsigned>(static_cast<int>(occupancy_.occupied()) + slots));
}

Allocation Conventional::allocate(const Miss& miss, const Room& room, Payload& request) {
  assert(entry_of(miss.block) == kNoEntry);
  Allocation allocation = line_for(miss, room);
  if (allocation.refusal != Stall::none) return allocation;
  std::vector<EntryId>& free = free_[set_of(miss.key)];
  if (free.empty()) return {sets_ == 1 ? Stall::entry_full : Stall::mshr_set_full};
  const EntryId e = free.back();
  free.pop_back();
  block_[e] = miss.block;
  entry_of_block_.insert(miss.block, e);
  array_.open(e, request);
  ++allocations_;
  comparator_activations_ += ways_;
  note_change(+1);
  allocation.last_entry = array_.used_entries() == entries_;
  return allocation;
}

Stall Conventional::merge(Where where, Payload& request) {
  const EntryId e = entry_of(where.block);
  assert(e != kNoEntry && array_.state(e) == Match::pending);
  if (array_.count(e) == slots_) return Stall::merge_full;
  array_.add(e, request);
  ++merges_;
  comparator_activations_ += ways_;
  note_change(+1);
  return Stall::none;
}

Stall Conventional::take_over(Where where, Payload& request) {
  array_.replace_first(entry_of(where.block), request);
  comparator_activations_ += ways_;
  return Stall::none;
}

void Conventional::close(Where where) {
  const EntryId e = entry_of(where.block);
  assert(e != kNoEntry);
  array_.close(e);
}

void Conventional::fill(Where where) {
  const EntryId e = entry_of(where.block);
  assert(e != kNoEntry);
  array_.fill(e);
}

void Conventional::pop_target() {
  const EntryId e = array_.drains();
  const std::uint32_t freed = array_.pop();
  if (freed == 0) return;
  note_change(-static_cast<int>(freed));
  entry_of_block_.erase(block_[e]);
  block_[e] = kFree;
  free_[e / ways_].push_back(e);
}

void Conventional::register_stats(StatGroup& group) {
  occupancy_.register_stats(group);
  group.counter("mshr.comparator_activations", comparator_activations_, "comparators",
                "comparators active in the lookups of accepted misses");
  group.law("mshr targets", [this] {
    return expect_equal("allocations + merges", allocations_ + merges_, "targets drained",
                        array_.targets_drained());
  });
}

std::string Conventional::describe() const {
  std::string text =
      fmt::format("mshr conventional: {}/{} entries in use", array_.used_entries(), entries_);
  for (EntryId e = 0; e < entries_; ++e) {
    if (block_[e] == kFree) continue;
    text += fmt::format("\n    entry {}: block 0x{:x}, {}/{} slots{}", e, block_[e],
                        array_.count(e), slots_, array_.describe_state(e));
  }
  return text;
}

}  // namespace warpmem::mha
