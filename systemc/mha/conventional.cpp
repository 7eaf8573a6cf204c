// SPDX-License-Identifier: Apache-2.0
#include "mha/conventional.hpp"

#include <fmt/format.h>

#include <cassert>

namespace warpmem::mha {

Conventional::Conventional(const MhaParams& params, std::uint32_t line_bytes,
                           const ClockDomain& clock)
    : entries_(params.entries),
      slots_(params.slots),
      ways_(params.kind == Kind::set_associative ? params.associativity : params.entries),
      sets_(entries_ / ways_),
      line_bytes_(line_bytes),
      block_(entries_, kFree),
      entry_(entries_),
      target_(std::size_t(entries_) * slots_),
      free_(sets_),
      drains_(entries_),
      occupancy_(entries_ * slots_, clock) {
  for (auto& list : free_) list.reserve(ways_);
  for (EntryId e = entries_; e-- > 0;) free_[e / ways_].push_back(e);
}

Conventional::EntryId Conventional::entry_of(Addr block) const {
  const EntryId first = set_of(block) * ways_;
  for (EntryId e = first; e < first + ways_; ++e)
    if (block_[e] == block) return e;
  return kNone;
}

Match Conventional::find(Addr block) const {
  const EntryId e = entry_of(block);
  return e == kNone ? Match::none : entry_[e].state;
}

void Conventional::note_change(int slots) {
  occupancy_.change(now_, static_cast<unsigned>(static_cast<int>(occupancy_.occupied()) + slots));
}

Refusal Conventional::allocate(Addr block, Payload& request) {
  assert(entry_of(block) == kNone);
  std::vector<EntryId>& free = free_[set_of(block)];
  if (free.empty()) return sets_ == 1 ? Refusal::entry_full : Refusal::mshr_set_full;
  const EntryId e = free.back();
  free.pop_back();
  block_[e] = block;
  entry_[e] = {Match::pending, 1, 0};
  target_[std::size_t(e) * slots_] = &request;
  ++used_entries_;
  ++allocations_;
  comparator_activations_ += ways_;
  note_change(+1);
  return Refusal::none;
}

Refusal Conventional::merge(Addr block, Payload& request) {
  const EntryId e = entry_of(block);
  assert(e != kNone && entry_[e].state == Match::pending);
  if (entry_[e].count == slots_) return Refusal::merge_full;
  target_[std::size_t(e) * slots_ + entry_[e].count++] = &request;
  ++merges_;
  comparator_activations_ += ways_;
  note_change(+1);
  return Refusal::none;
}

void Conventional::close(Addr block) {
  const EntryId e = entry_of(block);
  assert(e != kNone);
  if (entry_[e].state == Match::pending) entry_[e].state = Match::closed;
}

void Conventional::fill(Addr block) {
  const EntryId e = entry_of(block);
  assert(e != kNone && entry_[e].state != Match::draining);
  entry_[e].state = Match::draining;
  drains_.push(e);
}

Payload* Conventional::target() const {
  if (drains_.empty()) return nullptr;
  const EntryId e = drains_.front();
  return target_[std::size_t(e) * slots_ + entry_[e].drained];
}

void Conventional::pop_target() {
  const EntryId e = drains_.front();
  ++targets_drained_;
  if (++entry_[e].drained < entry_[e].count) return;
  drains_.drop();
  note_change(-static_cast<int>(entry_[e].count));
  entry_[e] = {};
  block_[e] = kFree;
  free_[e / ways_].push_back(e);
  --used_entries_;
}

void Conventional::register_stats(StatGroup& group) {
  occupancy_.register_stats(group);
  group.counter("mshr.comparator_activations", comparator_activations_, "comparators",
                "comparators active in the lookups of accepted misses");
  group.law("mshr targets", [this] {
    return expect_equal("allocations + merges", allocations_ + merges_, "targets drained",
                        targets_drained_);
  });
}

std::string Conventional::describe() const {
  std::string text =
      fmt::format("mshr conventional: {}/{} entries in use", used_entries_, entries_);
  for (EntryId e = 0; e < entries_; ++e) {
    if (block_[e] == kFree) continue;
    text += fmt::format("\n    entry {}: block 0x{:x}, {}/{} slots{}", e, block_[e],
                        entry_[e].count, slots_,
                        entry_[e].state == Match::draining ? ", draining"
                        : entry_[e].state == Match::closed ? ", closed"
                                                           : ", pending");
  }
  return text;
}

}  // namespace warpmem::mha
