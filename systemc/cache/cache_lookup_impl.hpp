// SPDX-License-Identifier: Apache-2.0
// Definitions of cache.hpp, included by cache_impl.hpp: the request that stands at the cache, and
// the parts of lines that it wants.
#pragma once

#include <cstring>

#include "base/payload_bytes.hpp"
#include "cache/cache.hpp"

namespace warpmem::cache {

/// Copies what a write takes along, the bytes of `to` from `offset` on: which of them are written,
/// and with `data` their values. A read brings only its address and length.
inline void copy_write(const Payload& from, unsigned offset, bool data, Transaction& to) {
  if (!from.is_write()) return;
  const unsigned bytes = to.get_data_length();
  if (data) std::memcpy(to.data.data(), from.get_data_ptr() + offset, bytes);
  if (from.get_byte_enable_ptr() == nullptr) return;
  if (offset + bytes <= from.get_byte_enable_length()) {
    std::memcpy(to.byte_enable.data(), from.get_byte_enable_ptr() + offset, bytes);
  } else {  // a short array repeats
    for (unsigned i = 0; i < bytes; ++i)
      to.byte_enable[i] = byte_enabled(from, offset + i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  }
  to.set_byte_enable_ptr(to.byte_enable.data());
  to.set_byte_enable_length(bytes);
}

// ---- 5: the request that stands at the cache ---------------------------------------------------

// Refused requests may be tried again when something has moved. Where the answer may change for
// other reasons too, they are tried in every tick. A head that nothing overtakes and that lacks
// room towards the next level, or a line, waits for that.
template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::retry(bool moved, bool sent, bool lines_moved) {
  const Stall cause = frontend_->blocked();
  if (waits_for_line_or_room(cause)) {
    if (head_may_go(cause, sent, lines_moved)) frontend_->moved();
  } else if (Level::kRetriesEveryTick || moved || handler_worked_) {
    frontend_->moved();
  }
}

// What a head lacks comes in this order: a line, then room. Where each miss takes the line that the
// policy gives up, lines that move do not decide on room, and whether there is a line is known.
template <class Level, class Params, class Stats>
bool Cache<Level, Params, Stats>::head_may_go(Stall cause, bool sent, bool lines_moved) const {
  if (cause == Stall::miss_queue_full) return sent || (lines_moved && !takes_victims_);
  if (!lines_moved || !takes_victims_) return lines_moved;
  const Addr block = tags_.block_of(frontend_->head()->get_address());
  return tags_.victim(level().key_of(block)) != kNoLine;
}

template <class Level, class Params, class Stats>
bool Cache<Level, Params, Stats>::accept(Cycle now) {
  frontend_->fill(now);
  bool accepted = false;
  misses_accepted_ = 0;
  waits_for_bank_ = false;
  banks_.begin_cycle();
  while (Waiting* const request = frontend_->select(now)) {
    Payload& payload = *request->payload;
    const bool bank_free = !banks_.several() || banks_.can_take(payload, now);
    const Stall stall = bank_free ? level().try_accept(payload, now) : Stall::next_cycle;
    if (stall == Stall::none) {
      stall_.accepted(now);
      mark(payload, Level::kAcceptStage, time_);
      ++stats_.requests;
      level().on_request(payload);
      accepted = true;
      if (banks_.several())
        ++(banks_.take(payload, now) ? stats_.accept_cycles : stats_.accepted_together);
      frontend_->accepted(now);
      if (banks_.several()) continue;
      return true;
    }
    if (stall == Stall::next_cycle) {
      ++stats_.bank_waits;
      waits_for_bank_ = true;
      return accepted;
    }
    stall_.refused(now, stall, request->refused_for);
    // A request whose search is not finished is tried again in the next cycle, before any other.
    if (stall == Stall::mshr_search || !frontend_->refused(now, stall)) return accepted;
  }
  if (frontend_->blocked() != Stall::none) stall_.blocked(now, frontend_->blocked());
  return accepted;
}

template <class Level, class Params, class Stats>
tlm::tlm_response_status Cache<Level, Params, Stats>::check(const Payload& payload) const {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const unsigned bytes = payload.get_data_length();
  const Addr address = payload.get_address();
  if (bytes == 0 || payload.get_streaming_width() < bytes ||
      tags_.block_of(address) != tags_.block_of(address + bytes - 1))
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (by_sector_ && unit_of(address) != unit_of(address + bytes - 1) &&
      level().sectors_to_fetch(payload) != 0)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

// A request that no line can hold is answered with an error, after the time of a hit.
template <class Level, class Params, class Stats>
bool Cache<Level, Params, Stats>::reject_malformed(Payload& payload, Cycle now, Stall& refusal) {
  const tlm::tlm_response_status status = check(payload);
  if (status == tlm::TLM_OK_RESPONSE) return false;
  refusal = hits_.full() ? Stall::response_full : Stall::none;
  if (refusal != Stall::none) return true;
  payload.set_response_status(status);
  hits_.push({&payload, now + params_.hit_cycles});
  ++stats_.rejected;
  return true;
}

template <class Level, class Params, class Stats>
Stall Cache<Level, Params, Stats>::lookup(Payload& payload, Cycle now) {
  const Addr block = tags_.block_of(payload.get_address());
  const LineId line = tags_.find(block, level().key_of(block));
  const bool complete = is_valid(line) && (!partial_lines() || level().has_bytes(payload, line));
  mha::Match match = mha::Match::none;
  if (!complete || partial_lines()) match = outstanding(payload, line, complete);
  const Fill* const draining =
      params_.hit_under_drain && match == mha::Match::draining ? arrived_for(payload) : nullptr;
  const bool is_hit = (complete && match == mha::Match::none) || draining != nullptr;
  Stall stall;
  if (draining != nullptr) {
    stall = hit_under_drain(payload, *draining, now);
  } else if (is_hit) {
    stall = hit(payload, line, now);
  } else if (miss_ports_used()) {
    return Stall::next_cycle;
  } else {
    switch (match) {
      case mha::Match::none:
        stall = level().miss(payload, block, line, now);
        if (is_reservation_fail(stall)) stall = level().refused_miss(payload, block, stall, now);
        break;
      case mha::Match::pending:
        stall = secondary_miss(payload, block, line, now);
        break;
      default:
        stall = Stall::line_busy;
    }
  }
  if (stall == Stall::none) {
    ++stats_.accesses;
    misses_accepted_ += !is_hit;
    level().on_access(payload, is_hit, now);
  }
  return stall;
}

template <class Level, class Params, class Stats>
Stall Cache<Level, Params, Stats>::hit(Payload& payload, LineId line, Cycle now) {
  if (hits_.full()) return Stall::response_full;
  if (!level().performs_hit(payload, now)) return Stall::atomic_busy;
  tags_.touch(line);
  const bool places = payload.is_write() && brings_sector(payload, line);
  if (payload.is_write()) {
    tags_.set_dirty(line, dirty_sectors(payload));
    if (partial_lines()) valid_.add(line, level().bytes_of_access(payload));
  }
  if (params_.carry_data) level().access_bytes(payload, bytes_of(line));
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  hits_.push({&payload, now + params_.hit_cycles + level().hit_delay(payload, now)});
  ++(places ? stats_.placements : stats_.hits);
  tell(payload, places ? Outcome::placement : Outcome::hit);
  if (!places) level().on_hit(payload, line, now);
  return Stall::none;
}

// A target that writes may be the one whose bytes the read is to see, and a line that does not stay
// is no line to hit. So these wait until the targets have left, as without the option.
template <class Level, class Params, class Stats>
const Fill* Cache<Level, Params, Stats>::arrived_for(const Payload& payload) const {
  if (!payload.is_read()) return nullptr;
  const Fill* const fill = fills_.placed(unit_of(payload.get_address()));
  const bool serves = fill != nullptr && fill->keep && fill->reads &&
                      fill->valid.contains(level().bytes_of_access(payload));
  return serves ? fill : nullptr;
}

template <class Level, class Params, class Stats>
Stall Cache<Level, Params, Stats>::hit_under_drain(Payload& payload, const Fill& fill, Cycle now) {
  if (hits_.full()) return Stall::response_full;
  tags_.touch(fill.line);
  if (params_.carry_data) level().access_bytes(payload, fill.bytes());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  hits_.push({&payload, now + params_.hit_cycles});
  ++stats_.hits;
  ++stats_.hits_under_drain;
  tell(payload, Outcome::hit);
  level().on_hit(payload, fill.line, now);
  return Stall::none;
}

template <class Level, class Params, class Stats>
Stall Cache<Level, Params, Stats>::place(Payload& payload, Addr block, LineId line, Cycle now) {
  if (level().holds_back(block)) return Stall::line_busy;
  if (hits_.full()) return Stall::response_full;
  const ByteMask bytes = level().bytes_of_access(payload);
  if (is_valid(line)) {
    tags_.refer(line);
    valid_.add(line, bytes);
  } else {
    if (line == kNoLine) {
      line = tags_.victim(level().key_of(block));
      if (line == kNoLine) return Stall::assoc_full;
      if (tags_.dirty(line) != 0 && !level().takes_writeback()) return Stall::evict_full;
      evict(line, access_of(payload), now);
    } else {
      tags_.hold(line);  // the misses for which it was reserved still hold it
    }
    tags_.install(line, block);
    if (partial_lines()) valid_.begin(line, bytes);
    level().placed(line, access_of(payload));
  }
  tags_.set_dirty(line, dirty_sectors(payload));
  if (params_.carry_data) level().access_bytes(payload, bytes_of(line));
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  hits_.push({&payload, now + params_.hit_cycles});
  ++stats_.placements;
  tell(payload, Outcome::placement);
  return Stall::none;
}

template <class Level, class Params, class Stats>
Stall Cache<Level, Params, Stats>::primary_miss(Payload& payload, Addr block, LineId present,
                                                Cycle now) {
  if (level().holds_back(block)) return Stall::line_busy;
  const Access& origin = access_of(payload);
  const Addr unit = unit_of(payload.get_address());
  const mha::Allocation allocation = handler_->allocate(
      {unit, level().key_of(block), level().kept(origin), present}, level().room(), payload);
  if (allocation.refusal != Stall::none) return allocation.refusal;
  level().before_miss(payload, block);
  if (is_valid(present)) tags_.refer(present);
  const SectorMask sectors = missing_sectors(payload, present);
  begin_miss(unit, block, present, sectors, origin, allocation, now);
  if (partial_lines()) join(payload, unit, present, sectors, sectors);
  ++stats_.primary_misses;
  tell(payload, Outcome::primary_miss);
  ++(present == kNoLine ? stats_.line_misses : stats_.sector_misses);
  level().on_miss(payload, block, allocation, now);
  return Stall::none;
}

// A secondary miss that wants more of the line than its entry has asked for adds a fetch, unless
// the fill of the entry is complete and only waits for its place.
template <class Level, class Params, class Stats>
Stall Cache<Level, Params, Stats>::secondary_miss(Payload& payload, Addr block, LineId line,
                                                  Cycle now) {
  const Addr unit = unit_of(payload.get_address());
  unsigned further = 0;
  SectorMask lacks = 0;
  if (partial_lines()) {
    lacks = missing_sectors(payload, line);
    further = lacks & ~unsigned{pending_.covered(unit)};
    const unsigned others = touched_sectors(payload) & ~unsigned{pending_.sectors(unit)};
    if (pending_.complete(unit) && (further | others) != 0) return Stall::line_busy;
    if (further != 0 && level().holds_back(block)) return Stall::line_busy;
    if (further != 0 && outgoing_.full()) return Stall::miss_queue_full;
  }
  const Stall stall = level().merge(payload, unit, line);
  if (stall != Stall::none) return stall;
  ++stats_.secondary_misses;
  tell(payload, Outcome::secondary_miss);
  level().on_merge(payload, unit, now);
  if (partial_lines()) join(payload, unit, line, lacks, static_cast<SectorMask>(further));
  if (further == 0) return stall;
  pending_.add_fetch(unit);
  fetch(block, static_cast<SectorMask>(further), access_of(payload), pending_.index(unit), false,
        now + 1);
  ++stats_.added_fetches;
  return stall;
}

// The sectors of the access and of its fetch are the entry's from now on, and it captures what the
// line has of those that were not.
template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::join(const Payload& payload, Addr unit, LineId line,
                                       SectorMask lacks, SectorMask fetched) {
  const SectorMask touched = touched_sectors(payload);
  SectorMask held = 0;
  if (is_valid(line)) {
    const auto others = static_cast<SectorMask>(touched & ~unsigned{pending_.sectors(unit)});
    ByteMask there = bytes_of_sectors(others);
    there &= valid_.of(line);
    pending_.capture(unit, there, params_.carry_data ? bytes_of(line) : nullptr);
    held = others & whole_sectors(line);
  }
  pending_.add(unit, touched, fetched | held);
  if (!payload.is_read()) pending_.note_write(unit);
  if (tells_sectors_)
    handler_->note_sectors({in_unit(unit, lacks), in_unit(unit, held), in_unit(unit, fetched)});
}

template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::begin_miss(Addr unit, Addr block, LineId present,
                                             SectorMask sectors, const Access& origin,
                                             const mha::Allocation& allocation, Cycle now) {
  const LineId line = allocation.line;
  watchers_.tell([&](CacheWatch& watch) { watch.miss_begins(unit, origin); });
  if (line == kNoLine) {
    // It is found at the fill.
  } else if (line == present) {
    tags_.hold(line);
  } else {
    evict(line, origin, now);
    tags_.reserve(line, block);
  }
  if (partial_lines()) pending_.open(unit, allocation.index);
  fetch(block, sectors, origin, allocation.index, line != kNoLine, now + allocation.cycles);
}

template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::fetch(Addr block, SectorMask sectors, const Access& origin,
                                        std::uint32_t index, bool holds, Cycle ready) {
  const auto first = static_cast<unsigned>(__builtin_ctz(sectors));
  const auto end = static_cast<unsigned>(32 - __builtin_clz(sectors));
  Transaction& t = pool_.get_for(origin, tlm::TLM_READ_COMMAND, block + first * sector_bytes_,
                                 (end - first) * sector_bytes_);
  t.access.kind = AccessKind::load;
  t.access.tag = kFetch | (holds ? kHoldsLine : 0);
  t.access.sectors = static_cast<std::uint8_t>(sectors >> first);
  Level::entry_index(t.access) = index;
  t.access.mark(Level::kAcceptStage, time_);
  stats_.fetch_bytes += t.get_data_length();
  outgoing_.push({&t, ready});
}

// ---- parts of a line ---------------------------------------------------------------------------

template <class Level, class Params, class Stats>
SectorMask Cache<Level, Params, Stats>::sectors_of(const ByteMask& bytes) const {
  SectorMask sectors = 0;
  for (unsigned i = 0; i * sector_bytes_ < params_.line_bytes; ++i)
    if (bytes.meets(ByteMask::range(i * sector_bytes_, sector_bytes_))) sectors |= 1u << i;
  return sectors;
}

// A write needs nothing of a line that is there, but a sector without a valid byte was not.
template <class Level, class Params, class Stats>
bool Cache<Level, Params, Stats>::brings_sector(const Payload& write, LineId line) const {
  return params_.sectored() && (dirty_sectors(write) & ~unsigned{sectors_of(valid_.of(line))}) != 0;
}

template <class Level, class Params, class Stats>
ByteMask Cache<Level, Params, Stats>::bytes_of_sectors(SectorMask sectors) const {
  ByteMask bytes;
  for (unsigned i = 0; i * sector_bytes_ < params_.line_bytes; ++i)
    if ((sectors >> i & 1) != 0) bytes |= ByteMask::range(i * sector_bytes_, sector_bytes_);
  return bytes;
}

template <class Level, class Params, class Stats>
SectorMask Cache<Level, Params, Stats>::whole_sectors(LineId line) const {
  if (!is_valid(line)) return 0;
  SectorMask sectors = 0;
  for (unsigned i = 0; i * sector_bytes_ < params_.line_bytes; ++i)
    if (valid_.contains(line, ByteMask::range(i * sector_bytes_, sector_bytes_)))
      sectors |= 1u << i;
  return sectors;
}

// A fetch asks for aligned multiples of its unit and for everything from the first to the last.
// What the line has of a sector is not asked for again: it may be newer, and a line that the miss
// does not hold may have left when the fill arrives.
template <class Level, class Params, class Stats>
SectorMask Cache<Level, Params, Stats>::missing_sectors(const Payload& payload, LineId line) const {
  if (!partial_lines()) return all_sectors();
  const unsigned wanted = level().sectors_to_fetch(payload) & ~whole_sectors(line);
  if (wanted == 0) return 0;
  const unsigned there = is_valid(line) ? sectors_of(valid_.of(line)) : 0;
  const unsigned step = params_.bytes_of_fetch() / sector_bytes_;
  const unsigned group = (1u << step) - 1;
  unsigned missing = 0;
  for (unsigned i = 0; i * sector_bytes_ < params_.line_bytes; i += step)
    if ((wanted >> i & group) != 0) missing |= group << i;
  missing = wanted | (missing & ~there);
  const unsigned below_first = (missing & -missing) - 1;
  const unsigned to_last = (2u << (31 - __builtin_clz(missing))) - 1;
  return static_cast<SectorMask>(wanted | (to_last & ~below_first & ~there));
}

template <class Level, class Params, class Stats>
mha::Match Cache<Level, Params, Stats>::outstanding(const Payload& payload, LineId line,
                                                    bool complete) const {
  const Addr unit = unit_of(payload.get_address());
  mha::Match match = handler_->find({unit, line});
  if (!partial_lines()) return match;
  // Other sectors of the line may be hit until those of the miss have come.
  if (complete && match != mha::Match::draining &&
      (pending_.sectors(unit) & touched_sectors(payload)) == 0)
    match = mha::Match::none;
  if (!by_sector_) return match;
  // A write of several units waits for those that are outstanding.
  const Addr last = unit_of(payload.get_address() + payload.get_data_length() - 1);
  for (Addr u = unit; u != last;) {
    u += unit_bytes();
    if (match != mha::Match::none || handler_->find({u, line}) != mha::Match::none)
      return mha::Match::closed;
  }
  return match;
}

template <class Level, class Params, class Stats>
ByteMask Cache<Level, Params, Stats>::dirty_bytes(LineId line) const {
  ByteMask bytes = bytes_of_sectors(tags_.dirty(line));
  if (partial_lines()) bytes &= valid_.of(line);
  return bytes;
}

template <class Level, class Params, class Stats>
auto Cache<Level, Params, Stats>::dirty_part(LineId line) const -> DirtyPart {
  if (!partial_lines()) return {0, params_.line_bytes, true};
  const unsigned dirty = tags_.dirty(line);
  const auto first = static_cast<unsigned>(__builtin_ctz(dirty));
  const auto end = static_cast<unsigned>(32 - __builtin_clz(dirty));
  const unsigned offset = first * sector_bytes_;
  const unsigned bytes = (end - first) * sector_bytes_;
  return {offset, bytes, dirty_bytes(line).contains(ByteMask::range(offset, bytes))};
}

template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::pass(Payload& payload, AccessKind kind, unsigned offset,
                                       unsigned bytes, Cycle now) {
  outgoing_.push({&pass_on(payload, kind, offset, bytes), now + 1});
  ++misses_accepted_;
}

template <class Level, class Params, class Stats>
Transaction& Cache<Level, Params, Stats>::pass_on(Payload& payload, AccessKind kind,
                                                  unsigned offset, unsigned bytes) {
  Transaction& t = pool_.get_for(access_of(payload), payload.get_command(),
                                 payload.get_address() + offset, bytes);
  t.access.kind = kind;
  t.access.tag = kPassed | passes_.push(payload, tags_.block_of(payload.get_address()));
  t.access.mark(Level::kAcceptStage, time_);
  copy_write(payload, offset, params_.carry_data, t);
  return t;
}

}  // namespace warpmem::cache
