// SPDX-License-Identifier: Apache-2.0
// What an SM has to do with clusters of CTAs: packets from other SMs of its GPC, and the barrier of
// a cluster. Each CTA counts its own warps there. When all that have not exited are there it tells
// every other CTA by one packet, and a CTA goes on when it knows of all.
//
//   n: the last warp of a CTA arrives   n: one packet, which the network copies   + gpc.latency:
//   the others know; the last of these packets lets the warps go that wait
#include <fmt/format.h>

#include <cstring>

#include "base/payload_bytes.hpp"
#include "program/async.hpp"
#include "program/reduction.hpp"
#include "sm/sm.hpp"

namespace warpmem::sm {

using program::ClusterBarrier;
using program::Issue;
using program::MbarrierOp;
using Kind = PeerMessage::Kind;

namespace {

// Returns whether a fence waits for it: for asynchronous writes only mbarriers do.
bool is_ordered_write(const program::InstInfo& inst) {
  return inst.mem != program::MemOp::load && inst.async != program::AsyncCopy::peer_write;
}

/// Calls f(offset, bytes) for each run of enabled bytes.
template <class F>
void for_enabled(const Payload& payload, F&& f) {
  const std::uint32_t n = payload.get_data_length();
  for (std::uint32_t i = 0; i < n;) {
    std::uint32_t end = i;
    while (end < n && byte_enabled(payload, end)) ++end;
    if (end != i) f(i, end - i);
    i = end + 1;
  }
}

constexpr std::uint32_t kGone = ~std::uint32_t(0);  // phases at which a CTA that has ended arrives

}  // namespace

// ---- packets

// Takes what has come from the network. Returns whether shared memory is busy with it.
bool Sm::serve_cluster(Cycle now) {
  cluster_->receive(
      [this](const Lsu::Origin& origin, const program::InstInfo& inst) {
        memory_done(origin.slot, inst, is_ordered_write(inst));
      },
      [this](unsigned cta_slot) {
        CtaSlot& cta = ctas_[cta_slot];
        --cta.notices;
        retire_cta_if_done(cta);
      });
  return cluster_->serve(now, shared_free_ <= now,
                         [this, now](const Payload& payload) { deliver(payload, now); });
}

Sm::CtaSlot* Sm::find_cta(std::uint32_t cluster, unsigned rank) {
  for (CtaSlot& cta : ctas_)
    if (cta.cta != nullptr && cta.team.cluster == cluster && cta.team.rank == rank) return &cta;
  return nullptr;
}

// A packet takes effect for those of the CTAs that it names that are here. Loads and stores have
// had theirs when they issued.
void Sm::deliver(const Payload& payload, Cycle now) {
  const PeerMessage& message = access_of(payload).peer;
  if (message.kind == Kind::access) return;
  for (unsigned left = message.ranks; left != 0; left &= left - 1) {
    CtaSlot* const cta = find_cta(message.cluster, static_cast<unsigned>(__builtin_ctz(left)));
    if (cta == nullptr) continue;  // it is elsewhere, or has ended
    switch (message.kind) {
      case Kind::arrival:
        note_arrival(*cta, message.number, cta->cluster_arrivals[message.number] + 1, now);
        break;
      case Kind::gone:
        note_arrival(*cta, message.number, kGone, now);
        break;
      case Kind::mbarrier:
        phases_ended(static_cast<unsigned>(cta - ctas_.data()),
                     cta->cta->peer_mbarrier(
                         access_of(payload).pc,
                         static_cast<std::uint32_t>(payload.get_address() &
                                                    ((1u << ClusterUnit::kPortBits) - 1)),
                         static_cast<MbarrierOp>(message.operation), message.number));
        break;
      default:
        deliver_block(*cta, payload);
    }
  }
}

void Sm::deliver_block(CtaSlot& cta, const Payload& payload) {
  const Access& access = access_of(payload);
  const auto offset =
      static_cast<std::uint32_t>(payload.get_address() & ((Addr(1) << ClusterUnit::kPortBits) - 1));
  std::uint8_t* const shared = cta.cta->shared_memory();
  const std::uint8_t* const from = payload.get_data_ptr();
  const auto put = [&](std::uint32_t done, std::uint32_t to, std::uint32_t bytes) {
    if (shared == nullptr) return;  // of a trace
    program::write_or_reduce(access.peer.operation, shared + to, from + done, bytes);
  };
  std::uint32_t delivered = payload.get_data_length();
  if (payload.get_byte_enable_ptr() == nullptr) {
    program::for_swizzled(offset, delivered, static_cast<program::Swizzle>(access.peer.number),
                          put);
  } else {
    delivered = 0;
    for_enabled(payload, [&](std::uint32_t begin, std::uint32_t bytes) {
      put(begin, offset + begin, bytes);
      delivered += bytes;
    });
  }
  phases_ended(
      static_cast<unsigned>(&cta - ctas_.data()),
      cta.cta->peer_mbarrier(access.pc, access.peer.mbarrier, MbarrierOp::complete_tx, delivered));
}

void Sm::require_gpcs(unsigned slot, const program::InstInfo& inst) const {
  if (cluster_) return;
  const program::Grid& grid = *kernels_[ctas_[warps_[slot].cta_slot].kernel].grid;
  throw UserError(
      fmt::format("kernel {}: what goes to another CTA at pc 0x{:x} of line {}; this machine has "
                  "no GPCs (gpc.sms)",
                  grid.traits().name, inst.pc, inst.line));
}

void Sm::issue_to_cluster(unsigned slot, const Issue& issue) {
  require_gpcs(slot, *issue.inst);
  Warp& warp = warps_[slot];
  scoreboard_.reserve(slot, *issue.inst, true);
  ++warp.outstanding_memory;
  if (is_ordered_write(*issue.inst)) ++warp.outstanding_stores;
  if (is_atomic(*issue.inst)) ++warp.outstanding_atomics;
  cluster_->accept(issue, origin_of(slot, *issue.inst), ctas_[warp.cta_slot].team);
}

// ---- the barrier

void Sm::at_cluster_barrier(unsigned slot, ClusterBarrier part, Cycle now) {
  Warp& warp = warps_[slot];
  CtaSlot& cta = ctas_[warp.cta_slot];
  if (part == ClusterBarrier::wait) {
    if (warp.cluster_arrival <= cta.cluster_phase) return;
    warp.hold(kAtBarrier);
    warp.barrier = kClusterBarrier;
    if (throttle_) throttle_->at_barrier(slot, true, now);
    return;
  }
  warp.cluster_arrival = cta.cluster_phase + 1;
  ++cta.cluster_warps;
  cta_arrives(cta, now);
}

// Tells the cluster when all warps that are left are there.
void Sm::cta_arrives(CtaSlot& cta, Cycle now) {
  std::uint32_t& own = cta.cluster_arrivals[cta.team.rank];
  if (cta.live == 0 || cta.cluster_warps != cta.live || own > cta.cluster_phase) return;
  notify_cluster(cta, Kind::arrival);
  note_arrival(cta, cta.team.rank, own + 1, now);
}

void Sm::notify_cluster(CtaSlot& cta, Kind what) {
  stats_.cluster_arrivals += what == Kind::arrival;
  if (cta.team.places.ctas == 1) return;
  cluster_->notify(what, cta.team, static_cast<unsigned>(&cta - ctas_.data()));
  ++cta.notices;
}

// The CTA knows that another one, or itself, has arrived at so many phases.
void Sm::note_arrival(CtaSlot& cta, unsigned rank, std::uint32_t phases, Cycle now) {
  if (cta.cluster_arrivals[rank] != kGone) cta.cluster_arrivals[rank] = phases;
  for (unsigned r = 0; r < cta.team.places.ctas; ++r)
    if (cta.cluster_arrivals[r] <= cta.cluster_phase) return;
  if (cta.live == 0) return;
  ++cta.cluster_phase;
  ++stats_.cluster_phases;
  cta.cluster_warps = 0;
  release_warps(cta, kClusterBarrier, now);
}

// A warp exits, and with the last one the CTA is gone.
void Sm::leave_cluster(unsigned slot, Cycle now) {
  CtaSlot& cta = ctas_[warps_[slot].cta_slot];
  if (warps_[slot].cluster_arrival > cta.cluster_phase) --cta.cluster_warps;
  if (cta.live == 0) {
    stats_.cluster_abandoned += cta.cluster_arrivals[cta.team.rank] > cta.cluster_phase;
    return notify_cluster(cta, Kind::gone);
  }
  if (cta.cluster_warps != 0) cta_arrives(cta, now);
}

void Sm::register_cluster_stats(StatGroup& g) {
  cluster_->register_stats(g);
  g.counter("cluster.arrivals", stats_.cluster_arrivals, "arrivals",
            "arrivals of CTAs at barriers of clusters");
  g.counter("cluster.phases", stats_.cluster_phases, "phases",
            "ends of phases of such barriers, at each CTA");
  g.counter("cluster.abandoned", stats_.cluster_abandoned, "arrivals",
            "of cluster.arrivals, those of CTAs that ended before the phase did");
  g.law("arrivals at barriers of clusters", [this] {
    return expect_equal("cluster.arrivals", stats_.cluster_arrivals,
                        "cluster.phases + cluster.abandoned",
                        stats_.cluster_phases + stats_.cluster_abandoned);
  });
}

}  // namespace warpmem::sm
