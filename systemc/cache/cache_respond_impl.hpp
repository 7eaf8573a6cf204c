// SPDX-License-Identifier: Apache-2.0
// Definitions of cache.hpp for the first stage of a cycle: the answers to the requesters, of fills,
// hits and what went past the cache, and the line that gets what has arrived.
#pragma once

#include <cstring>

#include "base/assert.hpp"
#include "cache/cache.hpp"

namespace warpmem::cache {

// The targets of fills go first, since they free entries and slots. Hits behind them hold up the
// requests in the end, so nothing starves. With hit_under_drain the two take turns.
template <class Level, class Params, class Stats>
bool Cache<Level, Params, Stats>::respond(Cycle now, bool retired) {
  drained_target_ = retired;
  drain_left_ = retired ? 0 : kDrainShares;
  if (!in.can_respond() || !respond_once(now)) return false;
  if (banks_.several())
    while (in.can_respond() && respond_once(now)) continue;
  return true;
}

template <class Level, class Params, class Stats>
bool Cache<Level, Params, Stats>::respond_once(Cycle now) {
  if constexpr (Level::kPassedAnswers == PassedAnswers::in_turn) {
    const bool turn = passed_turn_ && passes_.has_answer();
    passed_turn_ = !turn;
    if (turn) {
      answer(passes_.pop_answer());
      return true;
    }
  }
  Fill* const fill = fills_.draining();
  Payload* const target = next_target(fill);
  const bool hit_ready = !hits_.empty() && hits_.front().ready <= now;
  const bool hit_first = params_.hit_under_drain && hit_turn_ && hit_ready;
  if (target != nullptr && !hit_first && level().target_done(*target, now)) {
    serve(*target, *fill);
    handler_->pop_target();
    drained_target_ = true;
    drain_left_ -= params_.drain_shares(*target);
    hit_turn_ = true;
    answer(*target);
    return true;
  }
  constexpr bool kPassedFirst = Level::kPassedAnswers == PassedAnswers::before_hits;
  if (kPassedFirst && passes_.has_answer()) {
    answer(passes_.pop_answer());
  } else if (hit_ready) {
    hit_turn_ = target == nullptr;
    answer(*hits_.pop().payload);
  } else if (!kPassedFirst && passes_.has_answer()) {
    answer(passes_.pop_answer());
  } else {
    return false;
  }
  return true;
}

// Returns the target of `fill` that may leave next in this cycle, or nullptr. The handler may be at
// the next entry already, whose targets leave from the next cycle on.
template <class Level, class Params, class Stats>
Payload* Cache<Level, Params, Stats>::next_target(const Fill* fill) const {
  if (fill == nullptr || drain_left_ == 0) return nullptr;
  Payload* const target = handler_->target();
  if (target == nullptr || (drained_target_ && handler_->drain_block() != fill->unit) ||
      params_.drain_shares(*target) > drain_left_)
    return nullptr;
  assert(handler_->drain_block() == fill->unit);
  return target;
}

// Performs a target on the bytes that arrived.
template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::serve(Payload& target, Fill& fill) {
  if (!fill.primary_left) {
    fill.primary_left = true;
    // A request that has taken over a prefetch waited for the fill alone, as a secondary miss does.
    if (!fill.transaction->access.prefetch)
      copy_stamps(target, *fill.transaction, Level::kSendStage, Level::kReturnStage);
  }
  level().note_fill(target, fill.arrived);
  target.set_response_status(fill.transaction->get_response_status());
  if (level().makes_dirty(target)) fill.dirty |= dirty_sectors(target);
  if (partial_lines() && target.is_write()) fill.valid |= level().bytes_of_access(target);
  if (params_.carry_data && fill.ok()) level().access_bytes(target, fill.bytes());
}

template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::answer(Payload& payload) {
  level().note_answer(payload);
  ++stats_.responses;
  in.respond(payload);
}

// When its last target has left, a line gets what has arrived.
template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::finish_drained() {
  for (Fill* fill = fills_.draining();
       fill != nullptr && handler_->find({fill->unit, fill->line}) != mha::Match::draining;
       fill = fills_.draining()) {
    if (fill->keep) {
      keep_fill(*fill);
    } else if (fill->line != kNoLine) {
      let_go(fill->line);
    }
    level().drained(*fill);
    watchers_.tell([&](CacheWatch& watch) { watch.miss_ends(fill->unit); });
    fills_.drained();
  }
}

template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::keep_fill(const Fill& fill) {
  const LineId line = fill.line;
  if (tags_.state(line) == LineState::reserved) {
    tags_.install(line, fill.block);
    level().installed(fill);
    if (partial_lines()) valid_.begin(line, fill.valid);
  } else {
    valid_.add(line, fill.valid);
    tags_.let_go(line);
  }
  if (fill.dirty != 0) tags_.set_dirty(line, fill.dirty);
  if (!params_.carry_data) return;
  if (partial_lines()) {
    copy_bytes(fill.valid, fill.bytes(), bytes_of(line));
  } else {
    std::memcpy(bytes_of(line), fill.bytes(), params_.line_bytes);
  }
}

template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::let_go(LineId line) {
  tags_.let_go(line);
  if (tags_.state(line) == LineState::reserved && !tags_.held(line)) tags_.invalidate(line);
}

}  // namespace warpmem::cache
