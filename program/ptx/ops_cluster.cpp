// SPDX-License-Identifier: Apache-2.0
// barrier.cluster, mapa and getctarank (PTX ISA 8 sections 9.7.13.3, 9.7.8.23 and 9.7.8.24).
#include "program/ptx/cluster_access.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

/// The lanes of the warp that have not exited.
LaneMask live_lanes(const Warp& w) {
  LaneMask lanes = w.top.lanes;
  for (const StackEntry& entry : w.stack) lanes |= entry.lanes;
  return lanes;
}

/// A warp takes part as a whole, so that arrivals are counted in warps.
template <bool waits>
void cluster_barrier(Warp& w, const Inst& in) {
  const auto first = static_cast<unsigned>(__builtin_ctz(w.lanes));
  if (w.lanes != live_lanes(w))
    fault(w, in, first, "lanes of a warp that have diverged at the barrier of the cluster");
  if (w.at_cluster != waits)
    fault(w, in, first,
          waits ? "this warp waits at the barrier of the cluster without having arrived"
                : "this warp arrives at the barrier of the cluster again without having waited");
  w.at_cluster = !waits;
}

/// Takes .shared::cluster and the type; wide addresses have 64 bits.
bool take_form(Lowering& x, bool& wide) {
  const bool shared = x.take("shared::cluster");
  const Type type = x.take_type();
  wide = type == Type::u64;
  if (!wide && (type != Type::u32 || !shared)) x.unsupported();
  return shared;
}

/// ref: 0 = d, 1 = a, 2 = rank; imm: what generic addresses have besides.
template <class S>
void map_address(Warp& w, const Inst& in) {
  const std::uint64_t ctas = w.cta->launch->traits.cluster.count();
  each_lane(w, [&](unsigned i) {
    const std::uint32_t rank = lane<std::uint32_t>(w, in.ref[2], i);
    if (rank >= ctas)
      fault(w, in, i, "CTA " + std::to_string(rank) + " of a cluster of " + std::to_string(ctas));
    const Addr a = lane<S>(w, in.ref[1], i);
    if (a / kWindowBytes * kWindowBytes != in.imm)
      fault(w, in, i, "the address is not in shared memory");
    set_lane<S>(w, in.ref[0], i,
                static_cast<S>(in.imm | mapped_address(rank, cluster_offset(a % kWindowBytes))));
  });
}

void lower_mapa(Lowering& x) {
  bool wide = false;
  const bool shared = take_form(x, wide);
  const Type type = wide ? Type::u64 : Type::u32;
  x.want_operands(3);
  x.def(0, x.operand(0), type);
  x.use(1, x.operand(1), type);
  x.use(2, x.operand(2), Type::u32);
  x.inst().imm = shared ? 0 : kSharedWindow;
  x.set(wide ? map_address<std::uint64_t> : map_address<std::uint32_t>, OpClass::int_alu);
}

/// ref: 0 = d, 1 = a
template <class S>
void rank_of(Warp& w, const Inst& in) {
  each_lane(w, [&](unsigned i) {
    const Addr a = lane<S>(w, in.ref[1], i) % kWindowBytes;
    set_lane<std::uint32_t>(w, in.ref[0], i, rank_of_address(w, a));
  });
}

void lower_getctarank(Lowering& x) {
  bool wide = false;
  take_form(x, wide);
  x.want_operands(2);
  x.def(0, x.operand(0), Type::u32);
  x.use(1, x.operand(1), wide ? Type::u64 : Type::u32);
  x.set(wide ? rank_of<std::uint64_t> : rank_of<std::uint32_t>, OpClass::int_alu);
}

}  // namespace

void lower_cluster_barrier(Lowering& x) {
  InstInfo& info = x.info();
  if (x.take("arrive")) {
    const bool relaxed = x.take("relaxed");
    if (!relaxed) x.take("release");
    info.cluster_barrier = relaxed ? ClusterBarrier::arrive_relaxed : ClusterBarrier::arrive;
  } else if (x.take("wait")) {
    x.take("acquire");
    info.cluster_barrier = ClusterBarrier::wait;
  } else {
    x.unsupported();
  }
  x.take("aligned");
  x.want_operands(0);
  x.set(
      info.cluster_barrier == ClusterBarrier::wait ? cluster_barrier<true> : cluster_barrier<false>,
      OpClass::barrier);
}

void add_cluster(LowerTable& t) {
  t["mapa"] = lower_mapa;
  t["getctarank"] = lower_getctarank;
}

}  // namespace warpmem::program::ptx
