// SPDX-License-Identifier: Apache-2.0
// What a cache with TSMA or HTSMA must do with its lines, written down as plainly as KI 5.1, 5.2
// and Listing 5.1 put it: every line a record, every question a loop.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/types.hpp"
#include "cache/mha/miss_handler.hpp"
#include "cache/mha/params.hpp"

namespace warpmem::mha {

class NaiveCache {
 public:
  enum class State { invalid, valid, shared, filling };
  struct Line {
    Addr block = 0;
    State state = State::invalid;
    bool hit_bit = false;
    std::uint64_t age = 0;
  };
  /// Where a primary miss goes; `victim` as it is before it gives way.
  struct Way {
    Stall refusal = Stall::none;
    bool array = false;
    Line victim;
  };

  NaiveCache(const MhaParams& params, std::uint32_t sets, std::uint32_t ways)
      : params_(params), sets_(sets, std::vector<Line>(ways)) {}

  Line* find(Addr block) {
    for (Line& line : set_of(block))
      if (line.state != State::invalid && line.block == block) return &line;
    return nullptr;
  }
  void hit(Line& line) {
    line.hit_bit = true;
    line.age = ++time_;
  }
  Line* victim(Addr block) {
    Line* oldest = nullptr;
    for (Line& line : set_of(block)) {
      if (line.state == State::invalid) return &line;
      if (line.state == State::valid && (oldest == nullptr || line.age < oldest->age))
        oldest = &line;
    }
    return oldest;
  }

  /// `array_used` and `small_used` are the entries taken, those released in this cycle included for
  /// the array.
  Way steer(Addr block, std::uint32_t array_used, std::uint32_t small_used) {
    if (locked_) return {Stall::set_locked, false, {}};
    Line* const v = victim(block);
    const bool array_full = array_used == params_.entries;
    const bool small_full = small_used == params_.small_entries;
    if (params_.kind == Kind::tsma) {
      if (v == nullptr) {
        locked_ = block / 128 % sets_.size();
        return {Stall::set_locked, false, {}};
      }
      return {array_full ? Stall::entry_full : Stall::none, true, *v};
    }
    const Way small{small_full ? Stall::entry_full : Stall::none, false, {}};
    if (shared_of(block) == set_of(block).size() - 1 || v == nullptr) return small;
    if (v->state == State::valid && v->hit_bit && !small_full) return small;
    return {array_full ? Stall::entry_full : Stall::none, true, *v};
  }

  /// A line takes the tag of `block` at its miss (shared) or at its fill (filling).
  void take(Addr block, State state) { *victim(block) = {block, state, false, ++time_}; }
  /// The last target has left.
  void release(Addr block) {
    Line& line = *find(block);
    if (line.state == State::shared && locked_ == block / 128 % sets_.size()) locked_.reset();
    line = {block, State::valid, false, ++time_};
  }
  std::size_t shared_of(Addr block) {
    std::size_t n = 0;
    for (const Line& line : set_of(block)) n += line.state == State::shared;
    return n;
  }

 private:
  std::vector<Line>& set_of(Addr block) { return sets_[block / 128 % sets_.size()]; }

  MhaParams params_;
  std::vector<std::vector<Line>> sets_;
  std::optional<std::size_t> locked_;
  std::uint64_t time_ = 0;
};

}  // namespace warpmem::mha
