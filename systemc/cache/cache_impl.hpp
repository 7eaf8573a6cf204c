// SPDX-License-Identifier: Apache-2.0
// Definitions of cache.hpp, included by the source of each level: the stages of a cycle between the
// first (cache_respond_impl.hpp) and the last (cache_lookup_impl.hpp), and what takes no time.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/assert.hpp"
#include "base/errors.hpp"
#include "base/payload_bytes.hpp"
#include "cache/cache.hpp"
#include "cache/cache_lookup_impl.hpp"
#include "cache/cache_respond_impl.hpp"

namespace warpmem::cache {

template <class Level, class Params, class Stats>
Cache<Level, Params, Stats>::Cache(sc_core::sc_module_name name, ClockDomain& domain,
                                   const Params& params, TransactionPool& pool, unsigned passes,
                                   const mha::UnitFactories& units, bool partial_lines)
    : sc_module(name),
      Clocked(domain),
      in("in", *this, params.input_queue, params.banks),
      mem("mem", *this, params.response_queue),
      params_(params),
      pool_(pool),
      tags_(params.sets(), params.ways, params.line_bytes, params.index, params.replacement),
      handler_(mha::make_miss_handler(params.mshr, tags_, params.allocate, domain, units,
                                      params.sectors_of_miss())),
      lines_at_misses_(params.allocate == cache::Allocate::on_miss || handler_->shares_tags()),
      takes_victims_(params.allocate == cache::Allocate::on_miss && !handler_->shares_tags()),
      by_sector_(params.misses_by_sector()),
      tells_sectors_(handler_->follows_sectors()),
      sector_bytes_(params.bytes_of_sector()),
      valid_(partial_lines || params.sectored() ? tags_.lines() : 0, params.line_bytes),
      pending_(valid_.used() ? handler_->most_misses() : 0),
      outgoing_(params.miss_queue),
      passes_(passes),
      fills_(handler_->most_misses()),
      hits_((params.hit_cycles + 1) * params.banks + 1),
      banks_(params) {
  if (params.carry_data) bytes_.resize(std::size_t(tags_.lines()) * params.line_bytes);
}

template <class Level, class Params, class Stats>
Cycle Cache<Level, Params, Stats>::tick(Cycle now) {
  time_ = simulation_now();
  mem.begin_cycle();
  handler_->begin_cycle(now);
  frontend_->note_arrivals(now, time_);
  level().begin_tick(now);
  const bool retired = level().retire();
  const bool responded = respond(now, retired);
  finish_drained();
  const bool sent = level().send(now);
  const bool received = receive();
  const bool placed = install(now);
  const bool lines_moved = std::exchange(dropped_lines_, false) || drained_target_ || placed ||
                           (received && partial_lines());
  retry(retired || responded || sent || received || placed, sent, lines_moved);
  const bool accepted = accept(now);
  level().end_tick(now, accepted);
  // What the handler frees at the end of this cycle shows in the next one.
  handler_worked_ = handler_->busy();
  Cycle next = std::min(next_work(now, responded, sent), level().more_work(now, accepted));
  // Placing a fill lets the next one try; a hit may make another line the victim of a blocked one.
  if ((placed || accepted) && fills_.waiting() != nullptr) next = now + 1;
  if (waits_for_bank_) next = now + 1;
  handler_->end_cycle();
  // A request behind a head that nothing overtakes changes nothing until that one has gone.
  in.let_arrivals_wait(frontend_->blocked() != Stall::none && params_.head_waits_alone() &&
                       !frontend_->watched());
  in.begin_cycle();
  return next;
}

// ---- 2: requests to the next level -------------------------------------------------------------

template <class Level, class Params, class Stats>
bool Cache<Level, Params, Stats>::send_request(Cycle now) {
  if (!request_ready(now) || !mem.can_send()) return false;
  Transaction& t = *outgoing_.pop().transaction;
  t.access.mark(Level::kSendStage, time_);
  mem.send(t);
  return true;
}

// ---- 3: responses from the next level ----------------------------------------------------------

template <class Level, class Params, class Stats>
bool Cache<Level, Params, Stats>::receive() {
  if (mem.response() == nullptr) return false;
  auto& t = static_cast<Transaction&>(*mem.take_response());
  switch (t.access.tag & kPurpose) {
    case kFetch:
      take_fill(t);
      break;
    case kPassed:
      passed(t);
      break;
    default:
      if (!t.is_response_ok()) {
        throw SimulationError(fmt::format("{}: write-back of 0x{:x} failed: {}", this->name(),
                                          t.get_address(), t.get_response_string()));
      }
      ++stats_.writeback_acknowledgements;
      level().written_back(t);
  }
  return true;
}

// The bytes that arrived move to their place in the line. The fill is complete with the last fetch
// of its miss.
template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::take_fill(Transaction& t) {
  const Addr block = tags_.block_of(t.get_address());
  if (!partial_lines()) return fills_.push(t, block, block, valid_.whole(), time_);
  const auto offset = static_cast<unsigned>(t.get_address() - block);
  const unsigned bytes = t.get_data_length();
  if (params_.carry_data && offset != 0) std::memmove(t.data.data() + offset, t.data.data(), bytes);
  const unsigned first = offset / sector_bytes_;
  const auto sectors = static_cast<SectorMask>(t.access.sectors << first);
  ByteMask valid = bytes_of_sectors(sectors);
  const Addr unit = unit_of(t.get_address());
  const std::uint32_t index = Level::entry_index(t.access);
  Transaction* const all = pending_.arrived(unit, t, valid);
  if (all != nullptr) fills_.push(*all, block, unit, valid, time_);
  if (tells_sectors_)
    handler_->note_arrival({unit, kNoLine, index}, in_unit(unit, sectors), all != nullptr);
}

// The next level has answered a request that went past the cache.
template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::passed(Transaction& t) {
  Payload& original = passes_.arrived(t.access.tag & ~kPurpose);
  copy_stamps(original, t, Level::kSendStage, Level::kReturnStage);
  level().note_fill(original, time_);
  original.set_response_status(t.get_response_status());
  if (params_.carry_data && original.is_read() && t.is_response_ok()) {
    if (t.get_data_length() == original.get_data_length()) {
      store_to_payload(original, t.data.data());
    } else {
      std::memcpy(original.get_data_ptr() + (t.get_address() - original.get_address()),
                  t.data.data(), t.get_data_length());
    }
  }
  t.release();
  ++stats_.acknowledgements;
}

// ---- 4: a line that has arrived gets its place -------------------------------------------------

template <class Level, class Params, class Stats>
bool Cache<Level, Params, Stats>::install(Cycle now) {
  Fill* const fill = fills_.waiting();
  if (fill == nullptr) return false;
  const Addr key = level().key_of(fill->block);
  const Access& origin = fill->transaction->access;
  LineId line = lines_at_misses_ || partial_lines() ? tags_.find(fill->block, key) : kNoLine;
  bool keep = fill->ok() && handler_->find({fill->unit, line}) == mha::Match::pending &&
              level().kept(origin);
  if (line != kNoLine) {
    // The line may also be one that others have brought since the miss, which does not hold it.
    const bool holds = (origin.tag & kHoldsLine) != 0;
    if (keep) {
      if (!holds) tags_.hold(line);
    } else if (!holds) {
      line = kNoLine;
    } else if (!handler_->shares_tags()) {
      let_go(line);
      line = kNoLine;
    }
  } else if (keep) {
    // Every line of the set may be held until older fills have drained, or the victim may be dirty
    // and find no room on its way out. A line that lacked bytes may have left since the miss.
    line = partial_lines() && level().holds_back(fill->block) ? kNoLine : tags_.victim(key);
    if (line != kNoLine && (tags_.dirty(line) == 0 || level().takes_writeback())) {
      evict(line, origin, now);
      tags_.reserve(line, fill->block);
    } else if (level().may_drop(*fill)) {
      keep = false;
      line = kNoLine;
    } else {
      if (fill_waits_since_ == kNever) fill_waits_since_ = now;
      return false;
    }
  }
  if (fill_waits_since_ != kNever) stats_.fill_wait_cycles += now - fill_waits_since_;
  fill_waits_since_ = kNever;
  ++stats_.fills;
  if (!keep) ++stats_.dropped_fills;
  if (!fill->ok()) ++stats_.failed_fills;
  handler_->fill({fill->unit, line, Level::entry_index(fill->transaction->access)});
  if (partial_lines()) {
    fill->reads = !pending_.written(fill->unit);
    pending_.close(fill->unit);
  }
  fills_.place(line, keep);
  return true;
}

template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::evict(LineId line, const Access& evictor, Cycle now) {
  if (tags_.state(line) != LineState::valid) return;
  level().leaving(line, evictor);
  ++stats_.evictions;
  watchers_.tell([&](CacheWatch& watch) { watch.evicted(evictor, tags_.dirty(line) != 0); });
  if (tags_.dirty(line) == 0) return;
  ++stats_.writebacks;
  const DirtyPart part = dirty_part(line);
  stats_.writeback_bytes += part.bytes;
  Transaction& t = pool_.get(tlm::TLM_WRITE_COMMAND, tags_.block(line) + part.offset, part.bytes);
  t.access.kind = AccessKind::writeback;
  if (params_.carry_data) std::memcpy(t.data.data(), bytes_of(line) + part.offset, part.bytes);
  if (!part.whole) enable_bytes(t, dirty_bytes(line), part.offset);
  level().write_back(t, line, now);
}

// ---- next work ---------------------------------------------------------------------------------

// A blocked request, or a line without a place, waits for something that these stages do or that a
// port reports, so it needs no cycle of its own: the stages before have run when it is looked at.
template <class Level, class Params, class Stats>
Cycle Cache<Level, Params, Stats>::next_work(Cycle now, bool responded, bool sent) const {
  if ((handler_worked_ && !handler_rests()) || stall_.cause() == Stall::mshr_search) return now + 1;
  Cycle next = frontend_->next_work(now);
  // While a link is withheld its END_REQ or END_RESP wakes the cache.
  if ((responded && !in.held()) || in.can_respond()) {
    if (fills_.placed() > 0 || passes_.has_answer()) return now + 1;
    if (!hits_.empty()) next = std::min(next, std::max(now + 1, hits_.front().ready));
  }
  if ((sent && !mem.held()) || mem.can_send()) {
    if (level().has_writeback()) return now + 1;
    if (!outgoing_.empty()) next = std::min(next, std::max(now + 1, outgoing_.front().ready));
  }
  return next;
}

// ---- what takes no time ------------------------------------------------------------------------

template <class Level, class Params, class Stats>
bool Cache<Level, Params, Stats>::awaits_fill(Addr begin, std::uint64_t bytes) const {
  const auto awaited = [this](LineId line) { return line != kNoLine && tags_.held(line); };
  if (bytes / params_.line_bytes < tags_.lines()) {
    for (Addr block = begin; block - begin < bytes; block += params_.line_bytes)
      if (awaited(tags_.find(block, level().key_of(block)))) return true;
    return false;
  }
  for (LineId line = 0; line < tags_.lines(); ++line)
    if (tags_.block(line) - begin < bytes && awaited(line)) return true;
  return false;
}

template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::drop_lines(Addr begin, std::uint64_t bytes) {
  const auto give_up = [this](LineId line) {
    if (tags_.held(line))
      throw SimulationError(fmt::format("{}: line 0x{:x} is dropped while its fill is awaited",
                                        this->name(), tags_.block(line)));
    level().drop(line);
    dropped_lines_ = true;
  };
  if (bytes / params_.line_bytes >= tags_.lines()) {
    for (LineId line = 0; line < tags_.lines(); ++line)
      if (tags_.state(line) != LineState::invalid && tags_.block(line) - begin < bytes)
        give_up(line);
  } else {
    for (Addr block = begin; block - begin < bytes; block += params_.line_bytes) {
      const LineId line = tags_.find(block, level().key_of(block));
      if (line != kNoLine) give_up(line);
    }
  }
  this->wake();
}

template <class Level, class Params, class Stats>
unsigned Cache<Level, Params, Stats>::below(tlm::tlm_command command, Addr address,
                                            std::uint8_t* bytes, unsigned count) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(bytes);
  payload.set_data_length(count);
  payload.set_streaming_width(count);
  return mem.socket->transport_dbg(payload);
}

// ---- reports -----------------------------------------------------------------------------------

template <class Level, class Params, class Stats>
bool Cache<Level, Params, Stats>::engine_idle() const {
  return in.idle() && mem.idle() && frontend_->empty() && handler_->empty() && hits_.empty() &&
         outgoing_.empty() && passes_.empty() && fills_.empty();
}

template <class Level, class Params, class Stats>
std::string Cache<Level, Params, Stats>::describe_counts() const {
  return fmt::format(
      "{}: {} hits to answer, {}/{} requests for the next level, {}/{} past the cache, of which {} "
      "are to answer, {} fills of which {} drain",
      this->name(), hits_.size(), outgoing_.size(), outgoing_.capacity(), passes_.used(),
      passes_.capacity(), passes_.answers(), fills_.size(), fills_.placed());
}

template <class Level, class Params, class Stats>
std::string Cache<Level, Params, Stats>::describe_rest() const {
  std::string text;
  if (stall_.cause() != Stall::none)
    text += fmt::format("\n    head blocked by {} since cycle {}", name_of(stall_.cause()),
                        stall_.since());
  if (const Payload* head = frontend_->head())
    text += fmt::format("\n    head: {} 0x{:x}", head->is_write() ? "write" : "read",
                        head->get_address());
  return text + "\n    " + frontend_->describe() + "\n    " + in.describe() + "\n    " +
         mem.describe() + "\n    " + handler_->describe();
}

template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::register_traffic(StatGroup& g, const Words& words) {
  const CacheStats& s = stats_;
  const std::string requester = words.requester;
  g.counter("requests", s.requests, "requests", "requests accepted from " + requester);
  g.counter("responses", s.responses, "responses", "responses sent to " + requester);
  g.counter("rejected", s.rejected, "requests", "requests answered with an error status");
  g.counter("accesses", s.accesses, "requests", words.accesses);
  g.counter("hits", s.hits, "requests", "accesses whose line was valid");
  g.counter("primary_misses", s.primary_misses, "requests",
            params_.sectored() ? "accesses that fetched sectors of their line"
                               : "accesses that fetched their line");
  if (params_.sectored()) {
    g.counter("line_misses", s.line_misses, "requests", "primary misses of lines without a tag");
    g.counter("sector_misses", s.sector_misses, "requests",
              "primary misses of lines whose tag was there, without the sectors");
    g.counter("added_fetches", s.added_fetches, "requests",
              "secondary misses that fetched further sectors of their line");
    g.counter("fetch_bytes", s.fetch_bytes, "bytes", "bytes that misses asked the next level for");
    g.counter("writeback_bytes", s.writeback_bytes, "bytes",
              "bytes of write-backs, from the first dirty sector to the last of each");
  }
  g.counter("secondary_misses", s.secondary_misses, "requests",
            "accesses that merged into an outstanding miss");
  g.level(
      "input_queue", [this] { return std::uint64_t(in.queued()); }, "requests",
      "requests in the input queue");
  g.level(
      "mshr.occupied", [this] { return std::uint64_t(handler_->occupied()); }, "slots",
      "slots of the miss handler that are occupied");
  g.level(
      "miss_queue", [this] { return std::uint64_t(outgoing_.size()); }, "requests",
      "requests that wait for the next level's link");
}

template <class Level, class Params, class Stats>
void Cache<Level, Params, Stats>::register_laws(StatGroup& g) {
  const CacheStats& s = stats_;
  g.law("requests in = responses out",
        [&s] { return expect_equal("requests", s.requests, "responses", s.responses); });
  g.law("accesses by outcome", [&s] {
    return expect_equal("accesses", s.accesses,
                        "hits + primary_misses + secondary_misses + bypasses + placements",
                        s.hits + s.primary_misses + s.secondary_misses + s.bypasses + s.placements);
  });
  if (params_.sectored())
    g.law("primary misses by tag", [&s] {
      return expect_equal("line_misses + sector_misses", s.line_misses + s.sector_misses,
                          "primary_misses", s.primary_misses);
    });
  g.law("write-backs are acknowledged", [&s] {
    return expect_equal("writebacks + write_throughs", s.writebacks + s.write_throughs,
                        "acknowledgements of write-backs", s.writeback_acknowledgements);
  });
}

}  // namespace warpmem::cache
