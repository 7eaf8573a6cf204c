// SPDX-License-Identifier: Apache-2.0
#include "l2/l2_bank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/errors.hpp"
#include "base/payload_bytes.hpp"

namespace warpmem::l2 {

using mha::Allocate;
using mha::Fill;
using mha::kNoLine;
using mha::LineId;
using mha::LineState;
using mha::Match;
using mha::Stall;

namespace {

// The tag of a transaction to DRAM: a fetch, or the place of a write-back in the evict buffer.
constexpr std::uint32_t kFetch = ~0u;
constexpr std::uint32_t kBypass = 1u << 30;  // and the place in the table

}  // namespace

L2Bank::L2Bank(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
               const AddressMap& map, TransactionPool& pool, const mha::UnitFactories& units,
               const UnitFactories& own_units)
    : sc_module(name),
      Clocked(domain),
      in("in", *this, params.input_queue),
      mem("mem", *this, params.response_queue),
      params_(params),
      map_(map),
      pool_(pool),
      tags_(static_cast<std::uint32_t>(params.size / params.ways / params.line_bytes), params.ways,
            params.line_bytes, params.index),
      handler_(mha::make_miss_handler(params.mshr, tags_, params.allocate, domain, units)),
      lines_at_misses_(params.allocate == Allocate::on_miss || handler_->shares_tags()),
      frontend_(make_frontend(params.frontend, in, map, params.line_bytes, own_units)),
      hits_(params.hit_cycles + 2),
      fetches_(params.miss_queue),
      evicting_(params.evict_buffer),
      bypassed_(params.bypass_reads),
      fills_(handler_->slots()) {
  if (params.carry_data) bytes_.resize(std::size_t(tags_.lines()) * params.line_bytes);
  in.on_debug([this](Payload& payload) { return debug(payload); });
  in.on_blocking([this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); });
}

L2Bank::~L2Bank() = default;

Cycle L2Bank::tick(Cycle now) {
  time_ = simulation_now();
  in.begin_cycle();
  mem.begin_cycle();
  handler_->begin_cycle(now);
  frontend_->note_arrivals(now, time_);
  const bool responded = respond(now);
  finish_drained();
  const bool sent = send(now);
  const bool received = receive();
  const bool placed = install(now);
  if (handler_worked_ || responded || sent || received || placed) frontend_->moved();
  const bool accepted = accept(now);
  Cycle next = next_work(now, responded, sent);
  // Placing a fill lets the next one try; a hit may make another line the victim of a blocked one.
  if ((placed || accepted) && fills_.waiting() != nullptr) next = now + 1;
  handler_worked_ = handler_->busy();  // what it frees at the end of this cycle shows in the next
  handler_->end_cycle();
  return next;
}

// ---- 1: responses to the crossbar --------------------------------------------------------------

// Fills first: they free entries and slots. Hits behind them hold up the requests in the end, so
// they do not starve. Nothing waits for reads that went past the bank, so they take turns with the
// others.
bool L2Bank::respond(Cycle now) {
  if (!in.can_respond()) return false;
  if (bypassed_.has_answer() && bypass_turn_) {
    bypass_turn_ = false;
    answer(bypassed_.pop_answer());
    return true;
  }
  bypass_turn_ = true;
  Fill* const fill = fills_.draining();
  Payload* const target = fill != nullptr ? handler_->target() : nullptr;
  if (target != nullptr) {
    assert(handler_->drain_block() == fill->block);
    if (!fill->primary_left) {
      fill->primary_left = true;
      copy_stamps(*target, *fill->transaction, Stage::dram_queue, Stage::dram_done);
    }
    target->set_response_status(fill->transaction->get_response_status());
    fill->dirty = fill->dirty || target->is_write();
    if (params_.carry_data && fill->ok()) access_bytes(*target, fill->bytes());
    handler_->pop_target();
    answer(*target);
    return true;
  }
  if (!hits_.empty() && hits_.front().ready <= now) {
    answer(*hits_.pop().payload);
  } else if (bypassed_.has_answer()) {
    answer(bypassed_.pop_answer());
  } else {
    return false;
  }
  return true;
}

void L2Bank::answer(Payload& payload) {
  mark(payload, Stage::noc_response, time_);
  ++stats_.responses;
  in.respond(payload);
}

void L2Bank::access_bytes(Payload& payload, std::uint8_t* line) {
  std::uint8_t* const bytes = line + payload.get_address() % params_.line_bytes;
  if (payload.is_read()) {
    store_to_payload(payload, bytes);
  } else if (kind_of(payload) == AccessKind::atomic) {
    atomics_.apply(payload, access_of(payload).atomic_sequence, bytes);
  } else {
    load_from_payload(payload, bytes);
  }
}

// A line whose last target has left becomes valid.
void L2Bank::finish_drained() {
  for (Fill* fill = fills_.draining();
       fill != nullptr && handler_->find({fill->block, fill->line}) != Match::draining;
       fill = fills_.draining()) {
    if (fill->keep) {
      tags_.install(fill->line, fill->block);
      if (fill->dirty) tags_.set_dirty(fill->line);
      if (params_.carry_data) std::memcpy(bytes_of(fill->line), fill->bytes(), params_.line_bytes);
    } else if (fill->line != kNoLine) {
      tags_.invalidate(fill->line);
    }
    fills_.drained();
  }
}

// ---- 2: requests to DRAM -----------------------------------------------------------------------

// Fetches first, since warps wait for them, unless the evict buffer is full. A fetch never goes
// while its line is in the buffer, so the order does not matter to the bytes.
bool L2Bank::send(Cycle now) {
  if (!mem.can_send()) return false;
  Transaction* const writeback = evicting_.unsent();
  const bool fetch = !fetches_.empty() && fetches_.front().ready <= now;
  if (writeback != nullptr && (!fetch || evicting_.full())) {
    evicting_.sent();
    mem.send(*writeback);
    return true;
  }
  if (!fetch) return false;
  Transaction& t = *fetches_.pop().transaction;
  t.access.mark(Stage::dram_queue, time_);
  mem.send(t);
  return true;
}

// ---- 3: responses from DRAM --------------------------------------------------------------------

bool L2Bank::receive() {
  if (mem.response() == nullptr) return false;
  auto& t = static_cast<Transaction&>(*mem.take_response());
  if (t.access.tag == kFetch) {
    fills_.push(t, time_);
    return true;
  }
  if ((t.access.tag & kBypass) != 0) {
    Payload& request = bypassed_.arrived(t.access.tag & ~kBypass);
    copy_stamps(request, t, Stage::dram_queue, Stage::dram_done);
    request.set_response_status(t.get_response_status());
    if (params_.carry_data && t.is_response_ok()) store_to_payload(request, t.data.data());
    t.release();
    return true;
  }
  if (!t.is_response_ok()) {
    throw SimulationError(fmt::format("{}: write-back of 0x{:x} failed: {}", this->name(),
                                      t.get_address(), t.get_response_string()));
  }
  ++stats_.writeback_acknowledgements;
  evicting_.done(t.access.tag);
  return true;
}

// ---- 4: a line that has arrived gets its place -------------------------------------------------

bool L2Bank::install(Cycle now) {
  Fill* const fill = fills_.waiting();
  if (fill == nullptr) return false;
  const Addr key = key_of(fill->block);
  LineId line = lines_at_misses_ ? tags_.find(fill->block, key) : kNoLine;
  if (line != kNoLine) {
    assert(tags_.state(line) == LineState::reserved);
    if (!fill->ok() && !handler_->shares_tags()) {
      tags_.invalidate(line);
      line = kNoLine;
    }
  } else if (fill->ok()) {
    line = tags_.victim(key);
    if (line == kNoLine || !make_room(line)) {
      if (fill_waits_since_ == kNever) fill_waits_since_ = now;
      return false;
    }
    tags_.reserve(line, fill->block);
  }
  if (fill_waits_since_ != kNever) stats_.fill_wait_cycles += now - fill_waits_since_;
  fill_waits_since_ = kNever;
  ++stats_.fills;
  if (!fill->ok()) ++stats_.failed_fills;
  handler_->fill({fill->block, line, fill->transaction->access.l2_index});
  fills_.place(line, fill->ok());
  return true;
}

// Gives up what `victim` holds; false, and nothing changes, when it is dirty and the evict buffer
// is full.
bool L2Bank::make_room(LineId victim) {
  if (tags_.state(victim) != LineState::valid) return true;
  if (tags_.dirty(victim)) {
    if (evicting_.full()) return false;
    Transaction& t = pool_.get(tlm::TLM_WRITE_COMMAND, tags_.block(victim), params_.line_bytes);
    t.access.kind = AccessKind::writeback;
    if (params_.carry_data) std::memcpy(t.data.data(), bytes_of(victim), params_.line_bytes);
    t.access.tag = evicting_.push(t);
    ++stats_.writebacks;
  }
  ++stats_.evictions;
  return true;
}

// ---- 5: the selected request -------------------------------------------------------------------

bool L2Bank::accept(Cycle now) {
  frontend_->fill(now);
  while (Waiting* const request = frontend_->select(now)) {
    const Stall stall = try_accept(*request->payload, now);
    if (stall == Stall::none) {
      stall_.accepted(now);
      mark(*request->payload, Stage::l2_accept, time_);
      ++stats_.requests;
      frontend_->accepted(now);
      return true;
    }
    stall_.refused(now, stall, request->refused_for);
    // A search goes on with the same request.
    if (stall == Stall::mshr_search || !frontend_->refused(now, stall)) return false;
  }
  if (frontend_->blocked() != Stall::none) stall_.blocked(now, frontend_->blocked());
  return false;
}

Stall L2Bank::try_accept(Payload& payload, Cycle now) {
  const unsigned bytes = payload.get_data_length();
  const Addr block = tags_.block_of(payload.get_address());
  const bool command = payload.get_command() != tlm::TLM_IGNORE_COMMAND;
  if (!command || bytes == 0 || payload.get_streaming_width() < bytes ||
      tags_.block_of(payload.get_address() + bytes - 1) != block) {
    if (hits_.full()) return Stall::response_full;
    payload.set_response_status(command ? tlm::TLM_BURST_ERROR_RESPONSE
                                        : tlm::TLM_COMMAND_ERROR_RESPONSE);
    hits_.push({&payload, now + params_.hit_cycles});
    ++stats_.rejected;
    return Stall::none;
  }

  const LineId line = tags_.find(block, key_of(block));
  Stall stall;
  if (line != kNoLine && tags_.state(line) == LineState::valid) {
    stall = hit(payload, line, now);
  } else {
    switch (handler_->find({block, line})) {
      case Match::none:
        stall = primary_miss(payload, block, now);
        if (params_.bypass == Bypass::any_rf && mha::is_reservation_fail(stall))
          stall = go_past(payload, block, stall, now);
        break;
      case Match::pending:
        stall = mha::stall_of(handler_->merge({block, line}, payload));
        if (stall == Stall::none) ++stats_.secondary_misses;
        break;
      default:
        stall = Stall::line_busy;
    }
  }
  if (stall == Stall::none) count_access(payload);
  return stall;
}

// The bank has neither the line nor a miss to it: DRAM has its newest bytes.
Stall L2Bank::go_past(Payload& payload, Addr block, Stall refusal, Cycle now) {
  if (!payload.is_read() || bypassed_.full() || fetches_.full()) return refusal;
  Transaction& t = pool_.get_for(access_of(payload), tlm::TLM_READ_COMMAND, payload.get_address(),
                                 payload.get_data_length());
  t.access.kind = AccessKind::load;
  t.access.tag = kBypass | bypassed_.push(payload, block);
  t.access.mark(Stage::l2_accept, time_);
  fetches_.push({&t, now + 1});
  ++stats_.bypasses;
  return Stall::none;
}

void L2Bank::count_access(const Payload& payload) {
  ++stats_.accesses;
  if (payload.is_read()) {
    ++stats_.reads;
  } else if (kind_of(payload) == AccessKind::atomic) {
    ++stats_.atomics;
  } else {
    ++stats_.writes;
  }
}

Stall L2Bank::hit(Payload& payload, LineId line, Cycle now) {
  if (hits_.full()) return Stall::response_full;
  tags_.touch(line);
  if (payload.is_write()) tags_.set_dirty(line);
  if (params_.carry_data) access_bytes(payload, bytes_of(line));
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  hits_.push({&payload, now + params_.hit_cycles});
  ++stats_.hits;
  return Stall::none;
}

Stall L2Bank::primary_miss(Payload& payload, Addr block, Cycle now) {
  if (evicting_.find(block) != nullptr || bypassed_.holds(block)) return Stall::line_busy;
  const mha::Place place = handler_->place(block, key_of(block));
  if (place.refusal != mha::Refusal::none) return mha::stall_of(place.refusal);
  const LineId line = place.line;
  if (fetches_.full()) return Stall::miss_queue_full;
  if (line != kNoLine && tags_.dirty(line) && evicting_.full()) return Stall::evict_full;
  const Stall refusal = mha::stall_of(handler_->allocate({block, line}, payload));
  if (refusal != Stall::none) return refusal;

  if (line != kNoLine) {
    make_room(line);
    tags_.reserve(line, block);
  }
  Transaction& t =
      pool_.get_for(access_of(payload), tlm::TLM_READ_COMMAND, block, params_.line_bytes);
  t.access.kind = AccessKind::load;
  t.access.tag = kFetch;
  t.access.l2_index = handler_->index();
  t.access.mark(Stage::l2_accept, time_);
  fetches_.push({&t, now + handler_->access_cycles()});
  ++stats_.primary_misses;
  // The first access to a line cannot hit, so the misses see every line.
  if (params_.footprint && footprint_.insert(block / params_.line_bytes)) ++stats_.footprint_lines;
  return Stall::none;
}

// ---- next work ---------------------------------------------------------------------------------

// A blocked request, or a line without a place, waits for something that these stages do or that a
// port reports, so it needs no cycle of its own: the stages before have run when it is looked at.
Cycle L2Bank::next_work(Cycle now, bool responded, bool sent) const {
  if (handler_->busy() || stall_.cause() == Stall::mshr_search) return now + 1;
  Cycle next = frontend_->next_work(now);
  // While a link is withheld its END_REQ or END_RESP wakes the bank.
  if (responded || in.can_respond()) {
    if (fills_.placed() > 0) return now + 1;
    if (bypassed_.has_answer()) return now + 1;
    if (!hits_.empty()) next = std::min(next, std::max(now + 1, hits_.front().ready));
  }
  if (sent || mem.can_send()) {
    if (evicting_.unsent() != nullptr) return now + 1;
    if (!fetches_.empty()) next = std::min(next, std::max(now + 1, fetches_.front().ready));
  }
  return next;
}

}  // namespace warpmem::l2
