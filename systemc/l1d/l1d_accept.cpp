// SPDX-License-Identifier: Apache-2.0
// The request at the head of the L1D's queue: accepted, or the reason why not. Nothing changes
// unless it is accepted.
#include <cassert>
#include <cstring>

#include "base/payload_bytes.hpp"
#include "l1d/l1d.hpp"

namespace warpmem::l1d {

using mha::kNoLine;
using mha::LineId;
using mha::LineState;
using mha::Match;
using mha::Stall;

namespace {

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

// The front end chooses what stands at the cache, then takes one request in.
bool L1d::queue_request(Cycle now) {
  Payload* const waiting = cpu.request();
  mrpb_->choose(waiting, now);
  if (waiting == nullptr) return false;
  switch (mrpb_->look(*waiting)) {
    case Mrpb::Entry::enters:
      mrpb_->enter(*waiting, now);
      ++stats_.reordered;
      break;
    case Mrpb::Entry::passes:
      mrpb_->pass(*waiting);
      break;
    case Mrpb::Entry::waits:
      return false;
  }
  --arrived_;
  cpu.take_request();
  return true;
}

void L1d::take_head() {
  if (mrpb_) {
    mrpb_->pop();
    return;
  }
  --arrived_;
  cpu.take_request();
}

bool L1d::accept(Cycle now) {
  Payload* const payload = head();
  if (payload == nullptr) return false;
  passes_by_ = false;
  Stall stall = try_accept(*payload, now);
  if (may_bypass(*payload, stall, now)) {
    stall = forward(*payload, AccessKind::load, now);
    if (stall == Stall::none) ++stats_.refused_bypasses;
  }
  if (stall != Stall::none) {
    stall_.refused(now, stall, refused_for_);
    return false;
  }
  stall_.accepted(now);
  refused_for_ = 0;
  mark(*payload, Stage::l1d_accept, time_);
  ++stats_.requests;
  if (prefetch_ && !access_of(*payload).local && kind_of(*payload) != AccessKind::atomic)
    prefetch_->accepted(*payload, payload->is_read() && !passes_by_);
  take_head();
  return true;
}

// Local memory may be newer in L1D than in L2, so it never bypasses.
bool L1d::may_bypass(const Payload& payload, Stall stall, Cycle now) const {
  if (params_.bypass == Bypass::none || !mha::is_reservation_fail(stall) || !payload.is_read() ||
      access_of(payload).local)
    return false;
  switch (params_.bypass) {
    case Bypass::associativity:
      return stall == Stall::assoc_full || stall == Stall::set_locked;
    case Bypass::bucl_dyn:
    case Bypass::bucl_prf:
      return bucl_ != nullptr && bucl_->bypasses_refused(payload.get_address(), now);
    default:
      return true;
  }
}

void L1d::sample(bool hit, Cycle now) {
  if (bucl_ != nullptr && sm_ == 0) bucl_->accessed(now, hit);
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
  if (params_.enable && load && !access.bypass_l1d) {
    if (bucl_ == nullptr || !bucl_->bypasses_load(sm_, access.degree, now))
      return cached(payload, now);
    const Stall stall = forward(payload, kind, now);
    if (stall == Stall::none) ++stats_.degree_bypasses;
    passes_by_ = true;
    return stall;
  }
  passes_by_ = true;
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
    switch (handler_->find({block, line})) {
      case Match::none:
        stall = primary_miss(payload, block, now);
        break;
      case Match::pending:
        stall = merge(payload, block, line);
        if (stall == Stall::none) {
          ++stats_.secondary_misses;
          report(locality_.secondary_miss(block, access_of(payload)), now);
        }
        break;
      default:
        stall = Stall::line_busy;
    }
  }
  if (stall == Stall::none) {
    ++stats_.accesses;
    sample(line != kNoLine && tags_.state(line) == LineState::valid, now);
  }
  return stall;
}

// The first demand miss on a prefetch's block takes its slot, so a prefetch costs none.
Stall L1d::merge(Payload& payload, Addr block, LineId line) {
  if (!prefetch_) return mha::stall_of(handler_->merge({block, line}, payload));
  const Payload& first = handler_->first_target({block, line});
  if (!access_of(first).prefetch) return mha::stall_of(handler_->merge({block, line}, payload));
  auto& prefetch = const_cast<Transaction&>(static_cast<const Transaction&>(first));
  const Stall stall = mha::stall_of(handler_->take_over({block, line}, payload));
  if (stall != Stall::none) return stall;
  prefetch.release();
  prefetch_->taken_over();
  return Stall::none;
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
  reuse_.hit(line);
  if (prefetch_) prefetch_->hit(line);
  report(locality_.hit(line, access_of(payload)), now);
  return Stall::none;
}

Stall L1d::primary_miss(Payload& payload, Addr block, Cycle now) {
  const Access& origin = access_of(payload);
  const mha::Place place = kept(origin) ? handler_->place(block, block) : mha::Place{};
  if (place.refusal != mha::Refusal::none) return mha::stall_of(place.refusal);
  const LineId line = place.line;
  const std::size_t places = line != kNoLine && tags_.dirty(line) ? 2 : 1;
  if (outgoing_.capacity() - outgoing_.size() < places) return Stall::miss_queue_full;
  const Stall refusal = mha::stall_of(handler_->allocate({block, line}, payload));
  if (refusal != Stall::none) return refusal;

  if (line != kNoLine) {
    evict(line, origin, now);
    tags_.reserve(line, block, origin.local);
  }
  fetch(block, origin, now);
  ++stats_.primary_misses;
  if (prefetch_) prefetch_->missed(block);
  report(locality_.primary_miss(block, origin, handler_->took_last_entry()), now);
  return Stall::none;
}

// Asks L2 for the line of the entry allocated last.
void L1d::fetch(Addr block, const Access& origin, Cycle now) {
  Transaction& t = pool_.get_for(origin, tlm::TLM_READ_COMMAND, block, params_.line_bytes);
  t.access.kind = AccessKind::load;
  t.access.tag = kFetch;
  t.access.l1d_index = handler_->index();
  t.access.mark(Stage::l1d_accept, time_);
  outgoing_.push({&t, now + handler_->access_cycles()});
}

void L1d::report(const LocalityEvent& event, Cycle now) {
  if (listener_ != nullptr) listener_->l1d_accessed(event, now);
}

// Stores of global memory, atomics, bypassed loads: what they carry or want goes to L2.
Stall L1d::forward(Payload& payload, AccessKind kind, Cycle now) {
  if (acknowledged_.size() + forwards_in_flight_ == forwarded_.size())
    return Stall::outstanding_full;
  if (outgoing_.full()) return Stall::miss_queue_full;
  if (payload.is_write() && params_.enable) {
    const Addr block = tags_.block_of(payload.get_address());
    const LineId line = tags_.find(block, block);
    if (line != kNoLine && tags_.state(line) == LineState::valid) {
      assert(!tags_.dirty(line) && "local memory has lines of its own");
      if (prefetch_) prefetch_->gone(line, block, false);
      tags_.invalidate(line);
      reuse_.gone(line);
      if (kind != AccessKind::atomic) ++stats_.write_evictions;
    } else {
      const Match match = handler_->find({block, line});
      if (match == Match::draining && line != kNoLine) return Stall::line_busy;
      if (match == Match::pending) {
        handler_->close({block, line});
        ++stats_.closed_entries;
      } else if (match == Match::none) {
        handler_->written(block, block);
      }
      if (kind != AccessKind::atomic) ++stats_.write_misses;
    }
  } else if (payload.is_write() && kind != AccessKind::atomic) {
    ++stats_.write_misses;
  }

  const Segment wanted = wanted_of(payload);
  if (payload.is_read()) {
    ++stats_.accesses;
    ++stats_.bypasses;
    stats_.bypass_bytes += wanted.bytes;
  } else if (kind == AccessKind::atomic) {
    ++stats_.atomics;
  } else {
    ++stats_.write_accesses;
  }
  const unsigned place = free_forwarded_;
  free_forwarded_ = forwarded_[place].next_free;
  forwarded_[place].original = &payload;
  ++forwards_in_flight_;
  Transaction& t = pool_.get_for(access_of(payload), payload.get_command(),
                                 payload.get_address() + wanted.offset, wanted.bytes);
  t.access.kind = kind;
  t.access.tag = kForward | place;
  t.access.mark(Stage::l1d_accept, time_);
  if (params_.carry_data) copy_write(payload, t);
  outgoing_.push({&t, now + 1});
  return Stall::none;
}

// A read wants no more than its lanes need, where that is how bypassed loads are fetched; all else
// goes as it came.
Segment L1d::wanted_of(const Payload& payload) const {
  const unsigned bytes = payload.get_data_length();
  const bool whole = params_.bypass_fetch == BypassFetch::line || !payload.is_read() ||
                     payload.get_byte_enable_ptr() != nullptr;
  return whole ? Segment{0, bytes} : least_segment(access_of(payload).sectors, bytes);
}

// A request that no line can hold is answered with an error, after the time of a hit.
Stall L1d::reject(Payload& payload, tlm::tlm_response_status status, Cycle now) {
  if (hits_.full()) return Stall::response_full;
  payload.set_response_status(status);
  hits_.push({&payload, now + params_.hit_cycles});
  ++stats_.rejected;
  return Stall::none;
}

}  // namespace warpmem::l1d
