// SPDX-License-Identifier: Apache-2.0
#include "cache/mha/tsma/tsma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "base/errors.hpp"

namespace warpmem::mha {

Tsma::Tsma(const MhaParams& params, const TagArray& tags, const ClockDomain& clock,
           std::unique_ptr<IndexGenerator> generator, std::unique_ptr<Steering> steering)
    : MissHandler(tags, Allocate::on_miss),
      entries_(params.entries),
      slots_(params.slots),
      small_(params.kind == Kind::htsma ? params.small_entries : 0),
      small_slots_(params.small_slots),
      pipelined_(params.pipelined && small_ != 0),
      clock_(clock),
      array_(entries_ + small_, std::max(slots_, small_ != 0 ? small_slots_ : 0)),
      holder_(entries_ + small_),
      generator_(std::move(generator)),
      steering_(std::move(steering)),
      idx_(tags.lines(), kNoEntry),
      shared_(tags.lines() / tags.ways(), 0),
      early_(tags.lines() / tags.ways(), tags.ways()),
      occupancy_(slots(), clock) {}

void Tsma::begin_cycle(Cycle now) { now_ = now; }

void Tsma::end_cycle() {
  if (!generator_in_.take && !generator_in_.release) return;
  generator_->commit(generator_in_);
  generator_in_ = {};
}

EntryId Tsma::small_entry_of(Addr block) const {
  if (small_used_ == 0) return kNoEntry;
  for (EntryId e = entries_; e < entries_ + small_; ++e)
    if (array_.state(e) != Match::none && holder_[e].block == block) return e;
  return kNoEntry;
}

EntryId Tsma::entry_of(Where where) const {
  return shared(where.line) ? idx_[where.line] : small_entry_of(where.block);
}

Match Tsma::find(Where where) const {
  const EntryId e = entry_of(where);
  return e == kNoEntry ? Match::none : array_.state(e);
}

// ---- primary misses ----------------------------------------------------------------------------

// Follows Listing 5.1 for a block that is not in the s-MSHR. Without a victim (lines that arrived
// for the s-MSHR hold the others) no tag can be shared, as with the last way. A miss on sectors of
// a line that is present shares that line's tag, and so replaces nothing that has been hit. Ways
// that lines may not be in count as shared.
Tsma::Steer Tsma::choose(std::uint32_t set, LineId victim, bool replaces) const {
  if (small_ == 0) return Steer::array;
  units::HtsmaSteerIn in;
  in.shared_count = static_cast<std::uint16_t>(shared_[set] + (tags_.ways() - tags_.used_ways()));
  in.victim_valid = victim != kNoLine;
  in.victim_hit =
      in.victim_valid && replaces && tags_.state(victim) == LineState::valid && tags_.hit(victim);
  in.small_empty = small_used_ == 0;
  in.small_full = small_used_ == small_;
  return steering_->eval(in).steer;
}

EntryId Tsma::free_small_entry() const {
  EntryId e = entries_;
  while (array_.state(e) != Match::none) ++e;
  return e;
}

// An access that compares in the s-MSHR and then goes to the array takes two cycles, in which the
// handler takes no other one; when it is pipelined, every access takes two stages. Returns false
// while an access of two cycles goes on.
bool Tsma::start_access(bool critical) {
  if (now_ < next_access_) return false;
  if (critical && !pipelined_) next_access_ = now_ + 2;
  return true;
}

Allocation Tsma::allocate(const Miss& miss, const Room& room, Payload& request) {
  if (locked_set_ != kNoEntry) return {Stall::set_locked};
  const bool replaces = miss.present == kNoLine;
  const LineId victim = replaces ? tags_.victim(miss.key) : miss.present;
  const std::uint32_t set = tags_.set_of(miss.key);
  if (small_ == 0 && victim == kNoLine) return {lock(set)};
  steer_ = choose(set, victim, replaces);
  const bool to_array = steer_ != Steer::small_last_way && steer_ != Steer::small_hit_line;
  if (to_array ? generator_->full() : small_used_ == small_) return {Stall::entry_full};
  Allocation allocation{Stall::none, to_array ? victim : kNoLine};
  allocation.refusal = replaces ? refusal_of(room, allocation.line) : room.clean;
  if (allocation.refusal != Stall::none) return allocation;
  const bool critical = steer_ == Steer::array_compared || steer_ == Steer::array_overflow;
  if (!start_access(critical)) return {Stall::mshr_search};

  EntryId e;
  early_.missed(set, miss.block);
  if (to_array) {
    assert(!shared(victim));
    e = generator_->idx();
    generator_in_.take = true;
    idx_[victim] = e;
    ++shared_[set];
    if (!replaces) {
      // A miss on sectors of a line that is present takes its tag, and nothing gives way.
    } else if (tags_.state(victim) == LineState::valid) {
      early_.evicted(set, tags_.block(victim));
    } else {
      early_.took_empty(set);
    }
  } else {
    e = free_small_entry();
    ++small_used_;
    ++small_allocations_;
  }
  if (steer_ != Steer::array) comparator_activations_ += small_;
  ++steered_[static_cast<std::size_t>(steer_)];
  ++allocations_;
  holder_[e] = {miss.block, allocation.line, set, replaces};
  array_.open(e, request);
  note_change(occupied() + 1);
  allocation.index = placed_ = e;
  allocation.cycles = pipelined_ || critical ? 2 : 1;
  allocation.last_entry = array_.used_entries() == entries_ + small_;
  return allocation;
}

// ---- secondary misses, stores, fills -----------------------------------------------------------

Stall Tsma::merge(Where where, Payload& request) {
  const EntryId e = entry_of(where);
  assert(e != kNoEntry && array_.state(e) == Match::pending);
  placed_ = e;
  if (array_.count(e) == capacity(e)) return Stall::merge_full;
  if (!start_access(false)) return Stall::mshr_search;
  array_.add(e, request);
  ++merges_;
  if (!in_array(e)) {
    ++small_merges_;
    comparator_activations_ += small_;
  }
  note_change(occupied() + 1);
  return Stall::none;
}

Stall Tsma::take_over(Where where, Payload& request) {
  if (!start_access(false)) return Stall::mshr_search;
  const EntryId e = entry_of(where);
  array_.replace_first(e, request);
  if (!in_array(e)) comparator_activations_ += small_;
  return Stall::none;
}

void Tsma::close(Where where) {
  const EntryId e = entry_of(where);
  assert(e != kNoEntry);
  array_.close(e);
}

void Tsma::written(Addr block, Addr key) { early_.written(tags_.set_of(key), block); }

// The index that came back leads to the entry, and must be that of the line.
void Tsma::fill(Where where) {
  const EntryId e = where.index;
  if (e >= entries_ + small_ || entry_of(where) != e) {
    throw SimulationError(fmt::format(
        "mshr tsma: the line of block 0x{:x} came back with index {}, its entry is {}", where.block,
        e, static_cast<std::int64_t>(static_cast<std::int32_t>(entry_of(where)))));
  }
  if (holder_[e].replaces) early_.filled(holder_[e].set);
  array_.fill(e);
}

void Tsma::pop_target() {
  const EntryId e = array_.drains();
  const std::uint32_t freed = array_.pop();
  if (freed == 0) return;
  note_change(occupied() - freed);
  if (!in_array(e)) {
    --small_used_;
    return;
  }
  assert(!generator_in_.release);
  generator_in_.release = true;
  generator_in_.release_idx = e;
  idx_[holder_[e].line] = kNoEntry;
  --shared_[holder_[e].set];
  if (holder_[e].set == locked_set_) unlock();
}

void Tsma::note_change(std::uint32_t occupied) { occupancy_.change(now_, occupied); }

// ---- the lock ----------------------------------------------------------------------------------

Stall Tsma::lock(std::uint32_t set) {
  locked_set_ = set;
  locked_since_ = now_;
  ++locks_;
  return Stall::set_locked;
}

void Tsma::unlock() {
  settle_lock(now_);
  locked_set_ = kNoEntry;
}

void Tsma::settle_lock(Cycle now) {
  if (locked_set_ == kNoEntry || now <= locked_since_) return;
  locked_cycles_ += now - locked_since_;
  locked_since_ = now;
}

// ---- reports -----------------------------------------------------------------------------------

void Tsma::register_stats(StatGroup& group) {
  occupancy_.register_stats(group);
  group.before_snapshot([this] { settle_lock(clock_.cycle_at(simulation_now())); });
  group.counter("mshr.comparator_activations", comparator_activations_, "comparators",
                "comparators of the s-MSHR active in the lookups of accepted misses");
  group.counter("mshr.early_evictions", early_.evictions(), "lines",
                "valid lines replaced at a miss, before their successor had arrived");
  group.counter("mshr.early_evictions.hurt", early_.hurt(), "misses",
                "primary misses on a line that allocation on fill would still have had");
  group.counter("mshr.locks", locks_, "times",
                "times that a miss found every line of its set shared and locked the cache");
  group.counter("mshr.locked_cycles", locked_cycles_, "cycles",
                "cycles in which the cache was locked for misses");
  if (small_ != 0) {
    group.counter("mshr.small.allocations", small_allocations_, "requests",
                  "primary misses that took an entry of the s-MSHR");
    group.counter("mshr.small.merges", small_merges_, "requests", "secondary misses in the s-MSHR");
    static constexpr std::array<const char*, static_cast<std::size_t>(Steer::count)> kNames = {
        "small_last_way", "small_hit_line", "array_overflow", "array_compared", "array"};
    static constexpr std::array<const char*, static_cast<std::size_t>(Steer::count)> kDocs = {
        "to the s-MSHR: all but one line of the set were shared",
        "to the s-MSHR: the line to be replaced had been hit",
        "to the array although the line had been hit: the s-MSHR was full",
        "to the array after a miss in the s-MSHR: the critical path",
        "to the array: the s-MSHR was empty"};
    for (std::size_t i = 0; i < kNames.size(); ++i)
      group.counter(std::string("mshr.steered.") + kNames[i], steered_[i], "requests",
                    std::string("primary misses ") + kDocs[i]);
  }
  group.law("mshr targets", [this] {
    return expect_equal("allocations + merges", allocations_ + merges_, "targets drained",
                        array_.targets_drained());
  });
}

std::string Tsma::describe() const {
  std::string text = fmt::format(
      "mshr {}: {}/{} entries in use, {}/{} of the s-MSHR", small_ == 0 ? "tsma" : "htsma",
      array_.used_entries() - small_used_, entries_, small_used_, small_);
  if (locked_set_ != kNoEntry)
    text += fmt::format(", locked by set {} since cycle {}", locked_set_, locked_since_);
  for (EntryId e = 0; e < entries_ + small_; ++e) {
    if (array_.state(e) == Match::none) continue;
    text += fmt::format("\n    {} {}: block 0x{:x}, {}/{} slots{}",
                        in_array(e) ? "entry" : "s-MSHR entry", e, holder_[e].block,
                        array_.count(e), capacity(e), array_.describe_state(e));
  }
  return text;
}

}  // namespace warpmem::mha
