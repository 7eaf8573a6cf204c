// SPDX-License-Identifier: Apache-2.0
// bar and barrier: sync, arrive, red, warp.sync (PTX ISA 6.x section 9.7.12.1).
#include <string>

#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr std::uint32_t kMaxThreads = 1024;  ///< threads of a CTA

enum class Barrier : std::uint8_t { sync, arrive, popc, and_, or_ };

bool reduces(Barrier how) { return how >= Barrier::popc; }

/// Gives the warps that wait at a completed barrier the result of bar.red.
void deliver(BarrierVotes& votes) {
  for (const auto& r : votes.reductions) {
    const auto how = static_cast<Barrier>(r.inst->option);
    std::uint8_t* const d = r.registers + (r.inst->ref[0] & ~Ref(3));
    if (how == Barrier::popc) {
      for_lanes(r.lanes, [&](unsigned i) { std::memcpy(d + 4 * i, &votes.count, 4); });
      continue;
    }
    const bool yes = how == Barrier::and_ ? votes.count == votes.threads : votes.count != 0;
    LaneMask p;
    std::memcpy(&p, d, sizeof p);
    p = (p & ~r.lanes) | (yes ? r.lanes : 0);
    std::memcpy(d, &p, sizeof p);
  }
  votes.reductions.clear();
  votes.count = votes.threads = 0;
}

/// Fault when every warp that is left waits; `id` is where the one to be named waits.
void check_deadlock(const CtaState& c, unsigned id) {
  unsigned waiting = 0;
  for (unsigned k = 0; k < CtaBarriers::kBarriers; ++k) waiting += c.barriers.state(k).waiting;
  if (waiting == 0 || waiting < c.live_warps) return;
  const auto& here = c.barriers.state(id);
  std::string text = "deadlock: this warp waits at barrier " + std::to_string(id);
  const char* joint = " while ";
  for (unsigned k = 0; k < CtaBarriers::kBarriers; ++k) {
    if (k == id || c.barriers.state(k).waiting == 0) continue;
    text += joint + std::to_string(c.barriers.state(k).waiting) +
            " of the CTA's warps wait at barrier " + std::to_string(k);
    joint = " and ";
  }
  if (here.expected != 0)
    text += ", which " + std::to_string(here.arrived) + " of " + std::to_string(here.expected) +
            " warps have reached";
  const auto& last = c.votes[id].last;
  fault(*last.warp, *last.inst, static_cast<unsigned>(__builtin_ctz(last.lanes)), text);
}

/// Returns the warps that the barrier is to wait for; 0: all.
unsigned expected_warps(const Warp& w, const Inst& in, unsigned first, std::uint32_t threads,
                        unsigned id) {
  const CtaState& c = *w.cta;
  if (threads == 0 || threads % kWarpLanes != 0 || threads > kMaxThreads)
    fault(w, in, first,
          "barrier " + std::to_string(id) + " cannot wait for " + std::to_string(threads) +
              " threads: the number must be a multiple of " + std::to_string(kWarpLanes) +
              " up to " + std::to_string(kMaxThreads));
  const unsigned warps = threads / kWarpLanes;
  return warps == c.launch->traits.warps_per_cta ? 0 : warps;
}

/// ref: 0 = d, 1 = predicate, 2 = barrier, 3 = threads (or none). Parts of a warp whose lanes have
/// diverged count as one arrival each, as before Volta.
void barrier(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  const auto first = static_cast<unsigned>(__builtin_ctz(w.lanes));
  const std::uint32_t id = lane<std::uint32_t>(w, in.ref[2], first);
  if (id >= CtaBarriers::kBarriers)
    fault(w, in, first, "barrier " + std::to_string(id) + ": the barrier must be from 0 to 15");
  const unsigned expected =
      in.ref[3] == kNoRef
          ? 0
          : expected_warps(w, in, first, lane<std::uint32_t>(w, in.ref[3], first), id);
  if (!c.barriers.idle(id) && c.barriers.state(id).expected != expected) {
    const auto warps = [](unsigned n) { return n == 0 ? "all" : std::to_string(n); };
    fault(w, in, first,
          "barrier " + std::to_string(id) + " is to wait for " + warps(expected) +
              " warps, the warps already there said " + warps(c.barriers.state(id).expected));
  }
  const auto how = static_cast<Barrier>(in.option);
  BarrierVotes& votes = c.votes[id];
  if (reduces(how)) {
    const LaneMask p = predicate(w, in.ref[1]) & w.lanes;
    votes.count += static_cast<unsigned>(__builtin_popcount(p));
    votes.threads += static_cast<unsigned>(__builtin_popcount(w.lanes));
    votes.reductions.push_back({&w, &in, w.lanes, w.bank[0]});
  }
  const bool waits = how != Barrier::arrive;
  c.issue.barrier = static_cast<std::uint8_t>(id);
  c.issue.barrier_waits = waits;
  c.issue.barrier_warps = static_cast<std::uint16_t>(expected);
  if (waits) votes.last = {&w, &in, w.lanes, nullptr};
  if (c.barriers.arrive(id, expected, waits, c.live_warps))
    deliver(votes);
  else if (waits)
    check_deadlock(c, id);
}

void lower_warp_sync(Lowering& x) {
  // The lanes of a warp that execute an instruction do so together.
  if (!x.take("sync")) x.unsupported();
  x.want_operands(1);
  x.use(0, x.operand(0), Type::b32);
  x.set([](Warp&, const Inst&) {}, OpClass::control);
}

void lower_bar(Lowering& x) {
  x.take("cta");
  x.take("aligned");
  Barrier how = Barrier::sync;
  std::size_t at = 0;
  if (x.take("red")) {
    if (x.take("popc"))
      how = Barrier::popc;
    else if (x.take("and"))
      how = Barrier::and_;
    else if (x.take("or"))
      how = Barrier::or_;
    else
      x.unsupported();
    const Type type = x.take_type();
    if (type != (how == Barrier::popc ? Type::u32 : Type::pred)) x.unsupported();
    x.def(0, x.operand(at++), type);
  } else if (x.take("arrive")) {
    how = Barrier::arrive;
  } else if (!x.take("sync")) {
    x.unsupported();
  }
  const Operand& id = x.operand(at++);
  if (id.kind == Operand::Kind::integer && id.bits >= CtaBarriers::kBarriers)
    x.bad("the barrier must be a number from 0 to 15");
  x.use(2, id, Type::u32);
  const std::size_t predicates = reduces(how) ? 1 : 0;
  if (x.operands() == at + 1 + predicates)
    x.use(3, x.operand(at++), Type::u32);
  else if (how == Barrier::arrive)
    x.bad("needs a number of threads");
  x.want_operands(at + predicates);
  if (reduces(how)) x.use(1, x.operand(at), Type::pred);
  x.inst().option = static_cast<std::uint8_t>(how);
  x.set(barrier, OpClass::barrier);
}

}  // namespace

void barrier_progress(CtaState& c) {
  if (c.barriers.pending() == 0) return;
  for (unsigned id = 0; id < CtaBarriers::kBarriers; ++id)
    if (c.barriers.exited(id, c.live_warps)) deliver(c.votes[id]);
  for (unsigned id = 0; id < CtaBarriers::kBarriers; ++id)
    if (c.barriers.state(id).waiting != 0) return check_deadlock(c, id);
}

void add_barrier(LowerTable& t) {
  t["bar"] = [](Lowering& x) { x.take("warp") ? lower_warp_sync(x) : lower_bar(x); };
  t["barrier"] = [](Lowering& x) { x.take("cluster") ? lower_cluster_barrier(x) : lower_bar(x); };
}

}  // namespace warpmem::program::ptx
