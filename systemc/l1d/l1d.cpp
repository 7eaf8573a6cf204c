// SPDX-License-Identifier: Apache-2.0
#include "l1d/l1d.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/errors.hpp"
#include "base/payload_bytes.hpp"

namespace warpmem::l1d {

using mha::Allocate;
using mha::Fill;
using mha::kNoLine;
using mha::LineId;
using mha::LineState;
using mha::Match;
using mha::Stall;

namespace {

// What a transaction to L2 is for stands in the high bits of its tag, the place of a forwarded
// request in the low ones.
constexpr std::uint32_t kFetch = 0u << 30;
constexpr std::uint32_t kForward = 1u << 30;
constexpr std::uint32_t kWriteback = 2u << 30;
constexpr std::uint32_t kPurpose = 3u << 30;

constexpr unsigned kNone = ~0u;

// What a forwarded write carries; a read brings only its address and length.
void copy_write(const Payload& from, Transaction& to) {
  if (!from.is_write()) return;
  const unsigned bytes = from.get_data_length();
  std::memcpy(to.data.data(), from.get_data_ptr(), bytes);
  if (from.get_byte_enable_ptr() == nullptr) return;
  for (unsigned i = 0; i < bytes; ++i)
    to.byte_enable[i] = byte_enabled(from, i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  to.set_byte_enable_ptr(to.byte_enable.data());
  to.set_byte_enable_length(bytes);
}

}  // namespace

L1d::L1d(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
         TransactionPool& pool, const mha::UnitFactories& units)
    : sc_module(name),
      Clocked(domain),
      cpu("cpu", *this, params.input_queue),
      mem("mem", *this, params.response_queue),
      params_(params),
      pool_(pool),
      handler_(mha::make_miss_handler(params.mshr, domain, units)),
      tags_(static_cast<std::uint32_t>(params.size / params.ways / params.line_bytes), params.ways,
            params.line_bytes, params.index),
      hits_(params.hit_cycles + 2),
      acknowledged_(params.outstanding_writes),
      outgoing_(params.miss_queue),
      forwarded_(params.outstanding_writes),
      fills_(handler_->slots()) {
  if (params.carry_data) bytes_.resize(std::size_t(tags_.lines()) * params.line_bytes);
  for (unsigned i = 0; i < forwarded_.size(); ++i)
    forwarded_[i].next_free = i + 1 < forwarded_.size() ? i + 1 : kNone;
  cpu.on_debug([this](Payload& payload) { return mem.socket->transport_dbg(payload); });
}

L1d::~L1d() = default;

Cycle L1d::tick(Cycle now) {
  time_ = simulation_now();
  cpu.begin_cycle();
  mem.begin_cycle();
  handler_->begin_cycle(now);
  note_arrivals();
  const bool responded = respond(now);
  finish_drained();
  const bool sent = send(now);
  receive();
  const bool placed = install(now);
  const bool accepted = accept(now);
  Cycle next = next_work(now, responded, sent);
  // Placing a fill lets the next one try; a hit may make another line the victim of a blocked one.
  if ((placed || accepted) && fills_.waiting() != nullptr) next = now + 1;
  handler_->end_cycle();
  return next;
}

// Requests of the input queue get their time stamp in the cycle in which they become visible.
void L1d::note_arrivals() {
  while (Payload* payload = cpu.request(arrived_)) {
    mark(*payload, Stage::l1d_queue, time_);
    ++arrived_;
  }
}

// ---- 1: responses to the LSU -------------------------------------------------------------------

// Fills first: they free entries and slots. Hits behind them hold up the head in the end, so
// nothing starves.
bool L1d::respond(Cycle now) {
  if (!cpu.can_respond()) return false;
  Fill* const fill = fills_.draining();
  Payload* const target = fill != nullptr ? handler_->target() : nullptr;
  if (target != nullptr) {
    assert(handler_->drain_block() == fill->block);
    serve(*target, *fill);
    handler_->pop_target();
    answer(*target);
  } else if (!acknowledged_.empty()) {
    answer(*acknowledged_.pop());
  } else if (!hits_.empty() && hits_.front().ready <= now) {
    answer(*hits_.pop().payload);
  } else {
    return false;
  }
  return true;
}

// Performs a target on the bytes that arrived.
void L1d::serve(Payload& target, Fill& fill) {
  if (!fill.primary_left) {
    fill.primary_left = true;
    mha::copy_stamps(target, *fill.transaction, Stage::noc_request, Stage::noc_response);
  }
  mark(target, Stage::l1d_fill, fill.arrived);
  target.set_response_status(fill.transaction->get_response_status());
  const bool write = target.is_write();
  fill.dirty = fill.dirty || write;
  if (!params_.carry_data || !fill.ok()) return;
  std::uint8_t* const bytes = fill.bytes() + (target.get_address() - fill.block);
  if (write) {
    load_from_payload(target, bytes);
  } else {
    store_to_payload(target, bytes);
  }
}

void L1d::answer(Payload& payload) {
  ++stats_.responses;
  cpu.respond(payload);
}

// A line whose last target has left becomes valid.
void L1d::finish_drained() {
  for (Fill* fill = fills_.draining();
       fill != nullptr && handler_->find(fill->block) != Match::draining;
       fill = fills_.draining()) {
    if (fill->line != kNoLine) {
      tags_.install(fill->line, fill->block, fill->transaction->access.local);
      if (fill->dirty) tags_.set_dirty(fill->line);
      if (params_.carry_data) std::memcpy(bytes_of(fill->line), fill->bytes(), params_.line_bytes);
    }
    fills_.drained();
  }
}

// ---- 2: requests to the crossbar ---------------------------------------------------------------

bool L1d::send(Cycle now) {
  if (outgoing_.empty() || outgoing_.front().ready > now || !mem.can_send()) return false;
  Transaction& t = *outgoing_.pop().transaction;
  t.access.mark(Stage::noc_request, time_);
  mem.send(t);
  return true;
}

// ---- 3: responses from the crossbar ------------------------------------------------------------

void L1d::receive() {
  if (mem.response() == nullptr) return;
  auto& t = static_cast<Transaction&>(*mem.take_response());
  switch (t.access.tag & kPurpose) {
    case kFetch:
      fills_.push(t, time_);
      break;
    case kForward:
      acknowledge(t);
      break;
    default:
      assert((t.access.tag & kPurpose) == kWriteback);
      if (!t.is_response_ok()) {
        throw SimulationError(fmt::format("{}: write-back of 0x{:x} failed: {}", this->name(),
                                          t.get_address(), t.get_response_string()));
      }
      ++stats_.writeback_acknowledgements;
      --writebacks_in_flight_;
      t.release();
  }
}

// L2 has answered a store, an atomic or a bypassed load.
void L1d::acknowledge(Transaction& t) {
  const unsigned place = t.access.tag & ~kPurpose;
  Payload& original = *forwarded_[place].original;
  mha::copy_stamps(original, t, Stage::noc_request, Stage::noc_response);
  mark(original, Stage::l1d_fill, time_);
  original.set_response_status(t.get_response_status());
  if (params_.carry_data && original.is_read() && t.is_response_ok())
    store_to_payload(original, t.data.data());
  t.release();
  ++stats_.acknowledgements;
  --forwards_in_flight_;
  forwarded_[place] = {nullptr, free_forwarded_};
  free_forwarded_ = place;
  acknowledged_.push(&original);
}

// ---- 4: a line that has arrived gets its place -------------------------------------------------

bool L1d::install(Cycle now) {
  Fill* const fill = fills_.waiting();
  if (fill == nullptr) return false;
  const Addr block = fill->block;
  const bool keep = fill->ok() && handler_->find(block) == Match::pending;
  LineId line = kNoLine;
  if (params_.allocate == Allocate::on_miss) {
    line = tags_.find(block, block);
    assert(line != kNoLine && tags_.state(line) == LineState::reserved);
    if (!keep) {
      tags_.invalidate(line);
      line = kNoLine;
    }
  } else if (keep) {
    line = tags_.victim(block);
    if (line == kNoLine) return false;                        // until older fills have drained
    if (tags_.dirty(line) && outgoing_.full()) return false;  // until the crossbar takes one
    evict(line, now);
    tags_.reserve(line, block, fill->transaction->access.local);
  }
  ++stats_.fills;
  if (!keep) ++stats_.dropped_fills;
  handler_->fill(block);
  fills_.place(line);
  return true;
}

// Gives up a line; a dirty one goes to L2. Precondition: room in outgoing_ when it is dirty.
void L1d::evict(LineId line, Cycle now) {
  if (tags_.state(line) != LineState::valid) return;
  ++stats_.evictions;
  if (!tags_.dirty(line)) return;
  ++stats_.writebacks;
  ++writebacks_in_flight_;
  Transaction& t = pool_.get(tlm::TLM_WRITE_COMMAND, tags_.block(line), params_.line_bytes);
  t.access.kind = AccessKind::writeback;
  t.access.local = true;
  t.access.tag = kWriteback;
  if (params_.carry_data) std::memcpy(t.data.data(), bytes_of(line), params_.line_bytes);
  outgoing_.push({&t, now + 1});
}

// ---- 5: the request at the head ----------------------------------------------------------------

bool L1d::accept(Cycle now) {
  Payload* const payload = cpu.request();
  if (payload == nullptr) return false;
  const Stall stall = try_accept(*payload, now);
  if (stall != Stall::none) {
    stall_.refused(now, stall);
    return false;
  }
  stall_.accepted(now);
  mark(*payload, Stage::l1d_accept, time_);
  ++stats_.requests;
  --arrived_;
  cpu.take_request();
  return true;
}

Stall L1d::try_accept(Payload& payload, Cycle now) {
  const unsigned bytes = payload.get_data_length();
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND)
    return reject(payload, tlm::TLM_COMMAND_ERROR_RESPONSE, now);
  if (bytes == 0 || payload.get_streaming_width() < bytes ||
      tags_.block_of(payload.get_address()) != tags_.block_of(payload.get_address() + bytes - 1))
    return reject(payload, tlm::TLM_BURST_ERROR_RESPONSE, now);
  const Access& access = access_of(payload);
  const AccessKind kind = kind_of(payload);
  const bool load = payload.is_read();
  if (params_.enable && access.local && kind != AccessKind::atomic) return cached(payload, now);
  if (params_.enable && load && !access.bypass_l1d) return cached(payload, now);
  return forward(payload, kind, now);
}

// Loads, and everything in local memory.
Stall L1d::cached(Payload& payload, Cycle now) {
  const Addr block = tags_.block_of(payload.get_address());
  const LineId line = tags_.find(block, block);
  Stall stall;
  if (line != kNoLine && tags_.state(line) == LineState::valid) {
    stall = hit(payload, line, now);
  } else {
    switch (handler_->find(block)) {
      case Match::none:
        stall = primary_miss(payload, block, now);
        break;
      case Match::pending:
        stall = mha::stall_of(handler_->merge(block, payload));
        if (stall == Stall::none) ++stats_.secondary_misses;
        break;
      default:
        stall = Stall::line_busy;
    }
  }
  if (stall == Stall::none) ++stats_.accesses;
  return stall;
}

Stall L1d::hit(Payload& payload, LineId line, Cycle now) {
  if (hits_.full()) return Stall::response_full;
  tags_.touch(line);
  if (payload.is_write()) tags_.set_dirty(line);
  if (params_.carry_data) {
    std::uint8_t* const bytes = bytes_of(line) + (payload.get_address() - tags_.block(line));
    if (payload.is_write()) {
      load_from_payload(payload, bytes);
    } else {
      store_to_payload(payload, bytes);
    }
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  hits_.push({&payload, now + params_.hit_cycles});
  ++stats_.hits;
  return Stall::none;
}

Stall L1d::primary_miss(Payload& payload, Addr block, Cycle now) {
  const bool on_miss = params_.allocate == Allocate::on_miss;
  LineId line = kNoLine;
  std::size_t places = 1;
  if (on_miss) {
    line = tags_.victim(block);
    if (line == kNoLine) return Stall::assoc_full;
    if (tags_.dirty(line)) ++places;
  }
  if (outgoing_.capacity() - outgoing_.size() < places) return Stall::miss_queue_full;
  const Stall refusal = mha::stall_of(handler_->allocate(block, payload));
  if (refusal != Stall::none) return refusal;

  const Access& origin = access_of(payload);
  if (on_miss) {
    evict(line, now);
    tags_.reserve(line, block, origin.local);
  }
  Transaction& t = pool_.get_for(origin, tlm::TLM_READ_COMMAND, block, params_.line_bytes);
  t.access.kind = AccessKind::load;
  t.access.tag = kFetch;
  t.access.mark(Stage::l1d_accept, time_);
  outgoing_.push({&t, now + handler_->access_cycles()});
  ++stats_.primary_misses;
  return Stall::none;
}

// Stores of global memory, atomics, bypassed loads: their own address and length go to L2.
Stall L1d::forward(Payload& payload, AccessKind kind, Cycle now) {
  if (acknowledged_.size() + forwards_in_flight_ == forwarded_.size())
    return Stall::outstanding_full;
  if (outgoing_.full()) return Stall::miss_queue_full;
  if (payload.is_write() && params_.enable) {
    const Addr block = tags_.block_of(payload.get_address());
    const LineId line = tags_.find(block, block);
    if (line != kNoLine && tags_.state(line) == LineState::valid) {
      assert(!tags_.dirty(line) && "local memory has lines of its own");
      tags_.invalidate(line);
      if (kind != AccessKind::atomic) ++stats_.write_evictions;
    } else {
      const Match match = handler_->find(block);
      if (match == Match::draining && line != kNoLine) return Stall::line_busy;
      if (match == Match::pending) {
        handler_->close(block);
        ++stats_.closed_entries;
      }
      if (kind != AccessKind::atomic) ++stats_.write_misses;
    }
  } else if (payload.is_write() && kind != AccessKind::atomic) {
    ++stats_.write_misses;
  }

  if (payload.is_read()) {
    ++stats_.accesses;
    ++stats_.bypasses;
  } else if (kind == AccessKind::atomic) {
    ++stats_.atomics;
  } else {
    ++stats_.write_accesses;
  }
  const unsigned place = free_forwarded_;
  free_forwarded_ = forwarded_[place].next_free;
  forwarded_[place].original = &payload;
  ++forwards_in_flight_;
  Transaction& t = pool_.get_for(access_of(payload), payload.get_command(), payload.get_address(),
                                 payload.get_data_length());
  t.access.kind = kind;
  t.access.tag = kForward | place;
  t.access.mark(Stage::l1d_accept, time_);
  if (params_.carry_data) copy_write(payload, t);
  outgoing_.push({&t, now + 1});
  return Stall::none;
}

// A request that no line can hold is answered with an error, after the time of a hit.
Stall L1d::reject(Payload& payload, tlm::tlm_response_status status, Cycle now) {
  if (hits_.full()) return Stall::response_full;
  payload.set_response_status(status);
  hits_.push({&payload, now + params_.hit_cycles});
  ++stats_.rejected;
  return Stall::none;
}

// ---- next work ---------------------------------------------------------------------------------

// A blocked head waits for something that these stages do, or that a port reports, so it needs no
// cycle of its own: the stages before accept() have run when it is looked at.
Cycle L1d::next_work(Cycle now, bool responded, bool sent) const {
  if (handler_->busy() || stall_.cause() == Stall::mshr_search) return now + 1;
  Cycle next = kNever;
  // While a link is withheld its END_REQ or END_RESP wakes the cache.
  if (responded || cpu.can_respond()) {
    if (!acknowledged_.empty() || fills_.placed() > 0) return now + 1;
    if (!hits_.empty()) next = std::max(now + 1, hits_.front().ready);
  }
  if (!outgoing_.empty() && (sent || mem.can_send()))
    next = std::min(next, std::max(now + 1, outgoing_.front().ready));
  return next;
}

}  // namespace warpmem::l1d
