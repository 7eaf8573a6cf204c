// SPDX-License-Identifier: Apache-2.0
// MSHR entries without tags: numbered entries with slots for the targets of a miss, their life
// (miss_handler.hpp) and the order in which they drain. The handlers around it find an entry by
// tags of their own (conventional) or by the cache's tags (TSMA).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/assert.hpp"
#include "base/ring.hpp"
#include "cache/mha/miss_handler.hpp"

namespace warpmem::mha {

using EntryId = std::uint32_t;
inline constexpr EntryId kNoEntry = ~EntryId(0);

class EntryArray {
 public:
  /// `slots` is the largest number of slots that an entry has.
  EntryArray(std::uint32_t entries, std::uint32_t slots)
      : slots_(slots), entry_(entries), drains_(entries) {}

  Match state(EntryId e) const { return entry_[e].state; }
  /// Number of slots that are taken.
  std::uint32_t count(EntryId e) const { return entry_[e].count; }
  std::uint32_t used_entries() const { return used_; }
  bool draining() const { return !drains_.empty(); }

  /// A free entry becomes pending, with `target` in its first slot.
  void open(EntryId e, Payload& target) {
    assert(entry_[e].state == Match::none);
    entry_[e] = {&target, 1, 0, Match::pending};
    ++used_;
  }
  /// Precondition: the entry is pending and has less than `slots` targets.
  void add(EntryId e, Payload& target) {
    assert(entry_[e].state == Match::pending && entry_[e].count < slots_);
    if (others_.size() <= place(e, 1)) [[unlikely]]
      make_others(e);
    others_[place(e, entry_[e].count++)] = &target;
  }
  /// Precondition of both: the entry is pending.
  const Payload& first(EntryId e) const { return *entry_[e].first; }
  void replace_first(EntryId e, Payload& target) {
    assert(entry_[e].state == Match::pending);
    entry_[e].first = &target;
  }
  void close(EntryId e) {
    if (entry_[e].state == Match::pending) entry_[e].state = Match::closed;
  }
  /// The line has arrived: the entry drains, behind those that were filled before.
  void fill(EntryId e) {
    assert(entry_[e].state == Match::pending || entry_[e].state == Match::closed);
    entry_[e].state = Match::draining;
    drains_.push(e);
  }
  /// Returns the entry that drains. Precondition: draining().
  EntryId drains() const { return drains_.front(); }
  Payload* target() const {
    if (drains_.empty()) return nullptr;
    const EntryId e = drains_.front();
    const Entry& entry = entry_[e];
    return entry.drained == 0 ? entry.first : others_[place(e, entry.drained)];
  }
  /// Removes that target. Returns the number of slots that become free: those of the entry with its
  /// last target, else 0.
  std::uint32_t pop() {
    const EntryId e = drains_.front();
    Entry& entry = entry_[e];
    ++targets_drained_;
    if (++entry.drained < entry.count) return 0;
    const std::uint32_t freed = entry.count;
    drains_.drop();
    entry = {};
    --used_;
    return freed;
  }
  /// Number of targets that have left.
  const std::uint64_t& targets_drained() const { return targets_drained_; }

  /// Returns ", pending" and the like.
  std::string describe_state(EntryId e) const {
    switch (entry_[e].state) {
      case Match::draining:
        return ", draining";
      case Match::closed:
        return ", closed";
      default:
        return ", pending";
    }
  }

 private:
  // Most misses have one target, which is with the rest of the entry in the host's caches.
  struct Entry {
    Payload* first = nullptr;   // target
    std::uint32_t count = 0;    // slots taken
    std::uint32_t drained = 0;  // targets of these that have left
    Match state = Match::none;
  };

  /// Returns where the target in `slot`, not the first, of an entry is.
  std::size_t place(EntryId e, std::uint32_t slot) const {
    return std::size_t(e) * (slots_ - 1) + slot - 1;
  }
  // The handlers take low entries first: those beyond the ones ever used need no memory.
  [[gnu::noinline]] void make_others(EntryId e) {
    others_.resize(std::min(std::size_t(2) * e + 1, entry_.size()) * (slots_ - 1));
  }

  std::uint32_t slots_;
  std::vector<Entry> entry_;
  std::vector<Payload*> others_;  // targets but the first, of the entries that had some so far
  Ring<EntryId> drains_;          // filled entries, in the order of their fills
  std::uint32_t used_ = 0;
  std::uint64_t targets_drained_ = 0;
};

}  // namespace warpmem::mha
