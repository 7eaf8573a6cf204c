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

L1d::L1d(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
         TransactionPool& pool, const mha::UnitFactories& units, const UnitFactories& own_units)
    : sc_module(name),
      Clocked(domain),
      cpu("cpu", *this, params.input_queue),
      mem("mem", *this, params.response_queue),
      params_(params),
      pool_(pool),
      tags_(static_cast<std::uint32_t>(params.size / params.ways / params.line_bytes), params.ways,
            params.line_bytes, params.index),
      handler_(mha::make_miss_handler(params.mshr, tags_, params.allocate, domain, units)),
      lines_at_misses_(params.allocate == Allocate::on_miss || handler_->shares_tags()),
      locality_(tags_.lines(), handler_->slots(), params.warps, params.victim_tags),
      reuse_(tags_.lines()),
      hits_(params.hit_cycles + 2),
      acknowledged_(params.outstanding_writes),
      outgoing_(params.miss_queue),
      forwarded_(params.outstanding_writes),
      fills_(handler_->slots()) {
  if (params.frontend == Frontend::mrpb)
    mrpb_ = std::make_unique<Mrpb>(params.mrpb, params.warps, params.ctas, own_units);
  if (params.prefetch.enabled() && params.enable)
    prefetch_ = std::make_unique<PrefetchUnit>(params.prefetch, tags_, params.prefetch_range);
  if (params.carry_data) bytes_.resize(std::size_t(tags_.lines()) * params.line_bytes);
  for (unsigned i = 0; i < forwarded_.size(); ++i)
    forwarded_[i].next_free = i + 1 < forwarded_.size() ? i + 1 : kNoPlace;
  cpu.on_debug([this](Payload& payload) { return mem.socket->transport_dbg(payload); });
}

L1d::~L1d() = default;

Cycle L1d::tick(Cycle now) {
  time_ = simulation_now();
  cpu.begin_cycle();
  mem.begin_cycle();
  handler_->begin_cycle(now);
  note_arrivals();
  if (!cta_ends_.empty()) note_cta_ends(now);
  const bool retired = prefetch_ && retire_prefetch();
  const bool responded = respond(now, retired);
  finish_drained();
  const bool sent = send(now);
  receive();
  const bool placed = install(now);
  const bool queued = mrpb_ && queue_request(now);
  const bool accepted = accept(now);
  if (prefetch_ && !accepted && head() == nullptr) prefetch(now);
  Cycle next = next_work(now, responded, sent);
  if (mrpb_) {
    if (queued || accepted) next = now + 1;
    if (mrpb_->head() == nullptr) next = std::min(next, mrpb_->next_ready(now));
  }
  if (prefetch_ && !prefetch_->empty() && (accepted || head() == nullptr)) next = now + 1;
  // Placing a fill lets the next one try; a hit may make another line the victim of a blocked one.
  if ((placed || accepted) && fills_.waiting() != nullptr) next = now + 1;
  if (bucl_ != nullptr && stall_.cause() != Stall::none) await_bucl(now);
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
// nothing starves. `retired`: a prefetch was this cycle's target.
bool L1d::respond(Cycle now, bool retired) {
  if (!cpu.can_respond()) return false;
  Fill* const fill = fills_.draining();
  Payload* const target = fill != nullptr && !retired ? handler_->target() : nullptr;
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
    // What took over a prefetch waited for the fill alone, as a secondary miss does.
    if (!fill.transaction->access.prefetch)
      copy_stamps(target, *fill.transaction, Stage::noc_request, Stage::noc_response);
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
       fill != nullptr && handler_->find({fill->block, fill->line}) != Match::draining;
       fill = fills_.draining()) {
    if (fill->keep) {
      tags_.install(fill->line, fill->block, fill->transaction->access.local);
      locality_.installed(fill->line, fill->block);
      if (fill->unwanted) {
        prefetch_->arrived(fill->line);
      } else {
        reuse_.installed(fill->line, fill->transaction->access.degree);
      }
      if (fill->dirty) tags_.set_dirty(fill->line);
      if (params_.carry_data) std::memcpy(bytes_of(fill->line), fill->bytes(), params_.line_bytes);
    } else if (fill->line != kNoLine) {
      tags_.invalidate(fill->line);
    }
    if (fill->unwanted && !fill->keep) prefetch_->discarded();
    locality_.completed(fill->block);
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
  copy_stamps(original, t, Stage::noc_request, Stage::noc_response);
  mark(original, Stage::l1d_fill, time_);
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
  LineId line = lines_at_misses_ ? tags_.find(block, block) : kNoLine;
  bool keep = fill->ok() && handler_->find({block, line}) == Match::pending &&
              kept(fill->transaction->access);
  if (line != kNoLine) {
    assert(tags_.state(line) == LineState::reserved);
    if (!keep && !handler_->shares_tags()) {
      tags_.invalidate(line);
      line = kNoLine;
    }
  } else if (keep) {
    line = tags_.victim(block);
    if (no_room_for_fill(line)) {
      if (!access_of(handler_->first_target({block, kNoLine})).prefetch) return false;
      keep = false;  // nobody waits for the line
      line = kNoLine;
    } else {
      evict(line, fill->transaction->access, now);
      tags_.reserve(line, block, fill->transaction->access.local);
    }
  }
  ++stats_.fills;
  if (!keep) ++stats_.dropped_fills;
  handler_->fill({block, line, fill->transaction->access.l1d_index});
  fills_.place(line, keep);
  return true;
}

// Every line of the set is reserved, until older fills have drained, or the victim is dirty and the
// crossbar must take a request first.
bool L1d::no_room_for_fill(LineId line) const {
  return line == kNoLine || (tags_.dirty(line) && outgoing_.full());
}

// Gives up a line; a dirty one goes to L2. Precondition: room in outgoing_ when it is dirty.
void L1d::evict(LineId line, const Access& evictor, Cycle now) {
  if (tags_.state(line) != LineState::valid) return;
  locality_.evicted(line, tags_.block(line), evictor);
  reuse_.gone(line);
  if (prefetch_) prefetch_->gone(line, tags_.block(line), true);
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

// Stage 5, the request at the head: l1d_accept.cpp.

// ---- next work ---------------------------------------------------------------------------------

// A blocked head waits for something that these stages do, or that a port reports, so it needs no
// cycle of its own: the stages before accept() have run when it is looked at. Only BUCL may let it
// past for no other reason than the time (await_bucl()).
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

// A tick for the blocked head when BUCL may say otherwise, a few in a sampling period; asked for
// once, so that the ticks in between leave no trail of wake-ups.
void L1d::await_bucl(Cycle now) {
  const Cycle change = bucl_->next_change(now);
  if (change == bucl_wake_) return;
  bucl_wake_ = change;
  wake_at(change);
}

}  // namespace warpmem::l1d
