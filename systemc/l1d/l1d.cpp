// SPDX-License-Identifier: Apache-2.0
#include "l1d/l1d.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "cache/cache_impl.hpp"

namespace warpmem::l1d {

using cache::Fill;
using cache::kNoLine;
using mha::Match;

namespace {

/// The tags of a unified L1 are those of all its bytes.
L1dParams sized(const L1dParams& params) {
  L1dParams all = params.effective();
  if (all.enable && all.unified != 0) all.size = all.unified;
  return all;
}

}  // namespace

L1d::L1d(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
         TransactionPool& pool, const mha::UnitFactories& units,
         const cache::FrontendFactories& frontend_units)
    : Cache(name, domain, sized(params), pool, params.outstanding_writes, units,
            params.effective().write_miss == WriteMiss::allocate) {
  if (params.unified != 0) set_carveout(params.division().of(0, 0));
  if (params_.observe_locality)
    locality_ = std::make_unique<LocalityTags>(tags_.lines(), handler_->most_misses(), params.warps,
                                               params.victim_tags);
  if (params_.observe_reuse) reuse_ = std::make_unique<BlockReuse>(tags_.lines());
  frontend_ = cache::make_frontend(
      params.frontend,
      {in, params.line_bytes, Stage::l1d_queue, nullptr, params.warps, params.ctas},
      frontend_units);
  if (params.prefetches())
    prefetch_ = std::make_unique<PrefetchUnit>(params.prefetch, tags_, params.prefetch_range);
  in.on_debug([this](Payload& payload) { return debug(payload); });
  in.on_blocking([this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); });
}

L1d::~L1d() = default;

// ---- fills and victims -------------------------------------------------------------------------

void L1d::access_bytes(Payload& payload, std::uint8_t* line) {
  std::uint8_t* const bytes = line + payload.get_address() % params_.line_bytes;
  if (payload.is_write()) {
    load_from_payload(payload, bytes);
  } else {
    store_to_payload(payload, bytes);
  }
}

// A load of the LSU wants the sectors that its lanes touch, whatever it is long.
ByteMask L1d::bytes_of_access(const Payload& payload) const {
  const std::uint8_t lanes = access_of(payload).sectors;
  const auto offset = static_cast<unsigned>(payload.get_address() % params_.line_bytes);
  if (!payload.is_read() || lanes == 0 || payload.get_byte_enable_ptr() != nullptr)
    return ByteMask::of(payload, offset);
  ByteMask bytes;
  for (unsigned i = 0; i * kSectorBytes < payload.get_data_length(); ++i)
    if ((lanes >> i & 1) != 0) bytes |= ByteMask::range(offset + i * kSectorBytes, kSectorBytes);
  return bytes;
}

void L1d::installed(const Fill& fill) {
  if (locality_) locality_->installed(fill.line, fill.unit);
  if (fill.unwanted) {
    prefetch_->arrived(fill.line);
  } else if (reuse_) {
    reuse_->installed(fill.line, fill.transaction->access.degree);
  }
}

void L1d::drained(const Fill& fill) {
  if (fill.unwanted && !fill.keep) prefetch_->discarded();
  if (locality_) locality_->completed(fill.unit);
}

void L1d::leaving(LineId line, const Access& evictor) {
  if (locality_) locality_->evicted(line, tags_.block(line), evictor);
  if (reuse_) reuse_->gone(line);
  if (prefetch_) prefetch_->gone(line, tags_.block(line), true);
}

// Writes back a dirty line, which can only be one of local memory.
void L1d::write_back(Transaction& t, cache::LineId, Cycle now) {
  ++writebacks_in_flight_;
  t.access.local = true;
  t.access.tag = cache::kWriteback;
  outgoing_.push({&t, now + 1});
}

void L1d::written_back(Transaction& t) {
  --writebacks_in_flight_;
  t.release();
}

void L1d::drop(LineId line) {
  assert(tags_.dirty(line) == 0);
  if (prefetch_) prefetch_->gone(line, tags_.block(line), false);
  if (tags_.held(line)) {
    tags_.empty(line);
  } else {
    tags_.invalidate(line);
  }
  if (reuse_) reuse_->gone(line);
}

void L1d::drop_sectors(LineId line, cache::SectorMask sectors) {
  if (!partial_lines() || !valid_.remove(line, bytes_of_sectors(sectors))) drop(line);
}

// ---- the request at the head: accepted, or the reason why not; nothing changes then ------------

Stall L1d::try_accept(Payload& payload, Cycle now) {
  passes_by_ = false;
  Stall stall = route(payload, now);
  if (may_bypass(payload, stall, now)) {
    stall = forward(payload, AccessKind::load, now);
    if (stall == Stall::none) ++stats_.refused_bypasses;
  }
  return stall;
}

// Local memory may be newer in L1D than in L2, so it never bypasses.
bool L1d::may_bypass(const Payload& payload, Stall stall, Cycle now) const {
  if (params_.bypass == cache::Bypass::none || !cache::is_reservation_fail(stall) ||
      !payload.is_read() || access_of(payload).local)
    return false;
  if (params_.uses_bucl())
    return bucl_ != nullptr && bucl_->bypasses_refused(payload.get_address(), now);
  return cache::goes_past(params_.bypass, stall);
}

// Sends the request to the cache, or past it.
Stall L1d::route(Payload& payload, Cycle now) {
  Stall stall;
  if (reject_malformed(payload, now, stall)) return stall;
  const Access& access = access_of(payload);
  const AccessKind kind = kind_of(payload);
  if (params_.enable && access.local && kind != AccessKind::atomic) return lookup(payload, now);
  if (params_.enable && payload.is_read() && !access.bypass_l1d) {
    if (bucl_ == nullptr || !bucl_->bypasses_load(sm_, access.degree, now))
      return lookup(payload, now);
    stall = forward(payload, kind, now);
    if (stall == Stall::none) ++stats_.degree_bypasses;
  } else {
    stall = forward(payload, kind, now);
  }
  passes_by_ = true;
  return stall;
}

// Room for a primary miss that leaves `spared` places in the miss queue to others.
mha::Room L1d::room_beyond(std::size_t spared) const {
  const std::size_t places = outgoing_.capacity() - outgoing_.size();
  return {places > spared ? Stall::none : Stall::miss_queue_full,
          places > spared + 1 ? Stall::none : Stall::miss_queue_full};
}

// Merges a secondary miss. The first demand miss on a prefetch's block takes the prefetch's slot,
// so a prefetch costs none.
Stall L1d::merge(Payload& payload, Addr unit, LineId line) {
  if (!prefetch_) return handler_->merge({unit, line}, payload);
  const Payload& first = handler_->first_target({unit, line});
  if (!access_of(first).prefetch) return handler_->merge({unit, line}, payload);
  auto& prefetch = const_cast<Transaction&>(static_cast<const Transaction&>(first));
  const Stall stall = handler_->take_over({unit, line}, payload);
  if (stall != Stall::none) return stall;
  prefetch.release();
  prefetch_->taken_over();
  return Stall::none;
}

// Sends stores of global memory, atomics and bypassed loads to L2, with what they carry or want.
Stall L1d::forward(Payload& payload, AccessKind kind, Cycle now) {
  if (miss_ports_used()) return Stall::next_cycle;
  if (passes_.full()) return Stall::outstanding_full;
  if (outgoing_.full()) return Stall::miss_queue_full;
  if (payload.is_write() && !write_passes(payload, kind, now)) return Stall::line_busy;
  const Segment wanted = wanted_of(payload);
  if (payload.is_write()) {
    ++stats_.write_packets[wanted.bytes > 64 ? 2 : wanted.bytes > 32 ? 1 : 0];
    stats_.write_bytes += wanted.bytes;
  }
  if (payload.is_read()) {
    ++stats_.accesses;
    ++stats_.bypasses;
    stats_.bypass_bytes += wanted.bytes;
    tell(payload, cache::Outcome::bypass);
  } else if (kind == AccessKind::atomic) {
    ++stats_.atomics;
    tell(payload, cache::Outcome::atomic);
  } else {
    ++stats_.write_accesses;
    tell(payload, cache::Outcome::write);
  }
  pass(payload, kind, wanted.offset, wanted.bytes, now);
  return Stall::none;
}

// Takes note of a write that goes to L2: what L1D knows of its sectors is no longer true, unless a
// store is written there as well. Returns false, and changes nothing, while targets of the line
// drain.
bool L1d::write_passes(Payload& payload, AccessKind kind, Cycle now) {
  const bool store = kind != AccessKind::atomic;
  if (!params_.enable) {
    stats_.write_misses += store;
    return true;
  }
  const Addr block = tags_.block_of(payload.get_address());
  const LineId line = tags_.find(block, block);
  const bool valid = is_valid(line);
  const cache::SectorMask sectors = sectors_of(range_of(payload));
  const Addr unit = unit_of(payload.get_address());
  const Match match = valid && !partial_lines() ? Match::none : handler_->find({unit, line});
  if (match == Match::draining && line != kNoLine) return false;
  if (match == Match::pending && (!partial_lines() || (pending_.sectors(unit) & sectors) != 0)) {
    handler_->close({unit, line});
    ++stats_.closed_entries;
  } else if (match == Match::none && !valid) {
    handler_->written(block, block);
  }
  if (!valid || (partial_lines() && !valid_.of(line).meets(bytes_of_sectors(sectors)))) {
    stats_.write_misses += store;
    if (store && allocates_writes() && (valid || match == Match::none))
      stats_.write_allocations += keep_written(payload, block, line, now);
    return true;
  }
  assert(tags_.dirty(line) == 0 && "local memory has lines of its own");
  if (store && params_.write == Write::through_update) {
    tags_.touch(line);
    if (params_.carry_data) access_bytes(payload, bytes_of(line));
    if (allocates_writes()) valid_.add(line, bytes_of_access(payload));
    ++stats_.write_updates;
  } else {
    drop_sectors(line, sectors);
    stats_.write_evictions += store;
    if (store)
      watchers_.tell([&](cache::CacheWatch& watch) { watch.invalidated(access_of(payload)); });
  }
  return true;
}

// Puts what a store writes into the block's line, or into another one for kNoLine, beside sending
// it to L2. Returns false where lines of global memory are not kept (l1d.keep), and where there is
// no line to take or only a dirty one: a store does not wait for it. The line belongs to the warp
// that writes.
bool L1d::keep_written(const Payload& payload, Addr block, LineId line, Cycle now) {
  const Access& access = access_of(payload);
  if (!kept(access)) return false;
  const ByteMask bytes = bytes_of_access(payload);
  if (is_valid(line)) {
    tags_.touch(line);
    valid_.add(line, bytes);
  } else {
    if (line == kNoLine) {
      line = tags_.victim(key_of(block));
      if (line == kNoLine || tags_.dirty(line) != 0) return false;
      evict(line, access, now);
    } else {
      tags_.hold(line);  // the misses for which it was reserved still hold it
    }
    tags_.install(line, block);
    valid_.begin(line, bytes);
    placed(line, access);
  }
  if (params_.carry_data)
    load_from_payload(payload, bytes_of(line) + (payload.get_address() - block));
  return true;
}

// Returns what a request asks L2 for or takes there. By segments it is no more than its lanes need;
// everything else goes as it came.
Segment L1d::wanted_of(const Payload& payload) const {
  const unsigned bytes = payload.get_data_length();
  const bool whole = payload.is_read() ? params_.bypass_fetch == BypassFetch::line ||
                                             payload.get_byte_enable_ptr() != nullptr
                                       : params_.store_packet == StorePacket::line;
  return whole ? Segment{0, bytes} : least_segment(access_of(payload).sectors, bytes);
}

// Asks for a tick of the blocked head in the cycle in which BUCL may decide differently, a few
// times in a sampling period. It asks once for each, so that the ticks in between leave no trail of
// wake-ups.
void L1d::await_bucl(Cycle now) {
  const Cycle change = bucl_->next_change(now);
  if (change == bucl_wake_) return;
  bucl_wake_ = change;
  wake_at(change);
}

// ---- who watches -------------------------------------------------------------------------------

void L1d::on_hit(const Payload& payload, LineId line, Cycle now) {
  if (reuse_) reuse_->hit(line);
  if (prefetch_) prefetch_->hit(line);
  if (locality_) report(locality_->hit(line, access_of(payload)), now);
}

void L1d::on_merge(const Payload& payload, Addr unit, Cycle now) {
  if (locality_) report(locality_->secondary_miss(unit, access_of(payload)), now);
}

void L1d::before_miss(const Payload& payload, Addr block) {
  if (locality_) locality_->look_up(block, access_of(payload));
}

void L1d::on_miss(const Payload& payload, Addr block, const mha::Allocation& allocation,
                  Cycle now) {
  if (prefetch_) prefetch_->missed(block);
  if (locality_)
    report(locality_->primary_miss(unit_of(payload.get_address()), access_of(payload),
                                   allocation.last_entry),
           now);
}

void L1d::on_access(const Payload&, bool hit, Cycle now) {
  if (bucl_ != nullptr && sm_ == 0) bucl_->accessed(now, hit);
}

void L1d::on_request(const Payload& payload) {
  if (prefetch_ && !access_of(payload).local && kind_of(payload) != AccessKind::atomic)
    prefetch_->accepted(payload, payload.is_read() && !passes_by_);
}

}  // namespace warpmem::l1d

template class warpmem::cache::Cache<warpmem::l1d::L1d, warpmem::l1d::L1dParams,
                                     warpmem::l1d::L1dStats>;
