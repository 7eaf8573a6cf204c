// SPDX-License-Identifier: Apache-2.0
// What the parts of a timeline draw on: numbers of tracks, names, and the window of time that is to
// be seen. Track numbers do not depend on what happens, so that parts may draw in any order.
#pragma once

#include <vector>

#include "base/assert.hpp"
#include "watch/perfetto.hpp"

namespace warpmem::watch {

class Canvas {
 public:
  Canvas(Femtoseconds from, Femtoseconds to) : from_(from), to_(to), names_(table_) {}

  /// Whether something that lasts from `begin` to `end` is to be seen, as a whole then.
  bool shows(Femtoseconds begin, Femtoseconds end) const { return begin <= to_ && end >= from_; }
  /// For texts that depend on what happens only for SMs, which tick in a defined order.
  NameId name(const std::string& text) { return names_.of(text); }
  /// Takes `count` numbers of tracks; returns the first.
  TrackId reserve(TrackId count) {
    const TrackId first = next_;
    next_ += count;
    return first;
  }
  /// Describes a track, below those of its parent that were described before.
  TrackId track(TrackId parent, std::string_view name) {
    const TrackId id = reserve(1);
    table_.track(id, parent, name, ++rank_);
    return id;
  }
  TrackId counter_track(TrackId parent, std::string_view name, std::string_view unit) {
    const TrackId id = reserve(1);
    table_.counter_track(id, parent, name, unit, ++rank_);
    return id;
  }
  unsigned next_rank() { return ++rank_; }
  /// Names and tracks: what all other packets come after.
  Packets& table() { return table_; }

 private:
  Femtoseconds from_, to_;
  Packets table_;
  Names names_;
  TrackId next_ = 1;
  unsigned rank_ = 0;
};

/// Slices of one sort that may overlap. They go to as many tracks of one name as it takes.
class Lanes {
 public:
  Lanes(Canvas& canvas, TrackId parent, std::string name)
      : parent_(parent),
        name_(std::move(name)),
        rank_(canvas.next_rank()),
        first_(canvas.reserve(kMost)) {}

  /// Returns a track that has nothing from `begin` on, and takes it until `end`.
  TrackId take(Packets& out, Femtoseconds begin, Femtoseconds end) {
    std::size_t lane = 0;
    while (lane != free_.size() && free_[lane] > begin) ++lane;
    if (lane == free_.size()) add(out);
    free_[lane] = end;
    return first_ + lane;
  }
  /// Takes lane `lane`, of which the caller knows that it is free.
  TrackId at(Packets& out, std::size_t lane) {
    while (free_.size() <= lane) add(out);
    return first_ + lane;
  }

 private:
  static constexpr TrackId kMost = 1 << 20;
  void add(Packets& out) {
    assert(free_.size() < kMost);
    out.track(first_ + free_.size(), parent_, name_, rank_);
    free_.push_back(0);
  }

  TrackId parent_;
  std::string name_;
  unsigned rank_;
  TrackId first_;
  std::vector<Femtoseconds> free_;  // by lane: the end of what it has
};

}  // namespace warpmem::watch
