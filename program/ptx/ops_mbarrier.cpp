// SPDX-License-Identifier: Apache-2.0
// mbarrier and cp.async.mbarrier.arrive (PTX ISA 8 sections 9.7.13.15 and 9.7.8.25.3). The objects
// lie in shared memory (program/async.hpp); lanes act on them one after the other. A try_wait whose
// phase has not ended suspends its warp: it stays at the instruction, as the lanes of a generic
// access do that are in another space.
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "program/ptx/cluster_access.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr unsigned kBytes = 8;
/// Which phase a wait is for, beside AccessOption: that of a state, or the parity.
constexpr std::uint8_t kOfState = 4;
constexpr unsigned kParityBit = 61;  ///< of a state, which is the object before an arrival

std::string place_text(Addr address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return std::string("mbarrier at shared address ") + text;
}

Mbarrier object(const CtaState& c, unsigned i) {
  std::uint64_t bits;
  std::memcpy(&bits, c.place[i], sizeof bits);
  return Mbarrier(bits);
}
void keep(const CtaState& c, unsigned i, const Mbarrier& object) {
  const std::uint64_t bits = object.bits();
  std::memcpy(c.place[i], &bits, sizeof bits);
}

template <class Access>
void resolve(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  const auto first = static_cast<unsigned>(__builtin_ctz(w.lanes));
  const LaneMask all = w.lanes;
  c.issue.space = Access::resolve(w, in, kBytes);
  const bool elsewhere = c.issue.space == Space::cluster;
  if ((c.issue.space != Space::shared && !elsewhere) ||
      (w.lanes != all && c.launch->traits.cluster.count() == 1))
    fault(w, in, first, "an mbarrier must lie in shared memory");
  c.issue.address = c.address.data();
  c.issue.data = c.data.data();
  c.issue.operand = c.operand.data();
}

bool is_of_copies(MbarrierOp op) {
  return op == MbarrierOp::copies_arrive || op == MbarrierOp::copies_arrive_no_inc;
}

std::uint32_t number_of(Warp& w, const Inst& in, unsigned i) {
  return in.ref[1] == kNoRef ? in.count : lane<std::uint32_t>(w, in.ref[1], i);
}

/// The operation goes to other CTAs, whose answer nobody awaits.
void change_elsewhere(Warp& w, const Inst& in) {
  const auto first = static_cast<unsigned>(__builtin_ctz(w.lanes));
  const auto op = static_cast<MbarrierOp>(in.aux);
  if (op == MbarrierOp::init || op == MbarrierOp::inval || is_of_copies(op))
    fault(w, in, first, "the mbarrier is another CTA's; this is for one's own");
  if (in.ref[3] != kNoRef) fault(w, in, first, "the state of another CTA's mbarrier is not known");
  for_lanes(w.lanes, [&](unsigned i) { w.cta->operand[i] = number_of(w, in, i); });
}

/// ref: 0 = address, 1 = number (or none: `count`), 3 = state before (or none); aux: MbarrierOp
template <class Access>
void change(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  resolve<Access>(w, in);
  if (c.issue.space == Space::cluster) return change_elsewhere(w, in);
  const auto op = static_cast<MbarrierOp>(in.aux);
  for_lanes(w.lanes, [&](unsigned i) {
    const std::uint32_t number = number_of(w, in, i);
    Mbarrier m = object(c, i);
    if (in.ref[3] != kNoRef) set_lane<std::uint64_t>(w, in.ref[3], i, m.bits());
    const Mbarrier::Effect effect = m.apply(op, number);
    if (!effect.error.empty()) fault(w, in, i, place_text(c.address[i]) + ": " + effect.error);
    keep(c, i, m);
    c.operand[i] = number;
    c.issue.phases_ended = static_cast<std::uint8_t>(c.issue.phases_ended + effect.phase_ended);
  });
  if (is_of_copies(op)) {
    PendingArrival arrival{&in, w.lanes, {}};
    for_lanes(w.lanes,
              [&](unsigned i) { arrival.address[i] = static_cast<std::uint32_t>(c.address[i]); });
    w.arrivals.push_back(arrival);
  }
}

/// ref: 0 = address, 1 = state or parity, 2 = most nanoseconds (or none), 3 = predicate
template <class Access>
void wait(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  const LaneMask all = w.lanes;
  resolve<Access>(w, in);
  const LaneMask lanes = w.lanes;
  if (c.issue.space == Space::cluster || lanes != all)
    fault(w, in, static_cast<unsigned>(__builtin_ctz(all)),
          "a warp waits at mbarriers of its own CTA only");
  LaneMask ended = 0;
  for_lanes(lanes, [&](unsigned i) {
    const Mbarrier m = object(c, i);
    if (!m.valid) fault(w, in, i, place_text(c.address[i]) + ": no mbarrier was initialised there");
    const std::uint64_t phase = in.option & kOfState
                                    ? lane<std::uint64_t>(w, in.ref[1], i) >> kParityBit & 1
                                    : lane<std::uint32_t>(w, in.ref[1], i);
    if (phase > 1)
      fault(w, in, i, "a phase of parity " + std::to_string(phase) + "; allowed: 0 or 1");
    const bool yes = m.ended(phase != 0);
    ended |= LaneMask(yes) << i;
    c.operand[i] = static_cast<std::uint32_t>(phase) | (yes ? kWaitSucceeded : 0);
    if (!yes) w.wait = {&in, i, static_cast<std::uint32_t>(c.address[i]), phase != 0};
  });
  if (ended == lanes) w.wait = {};
  if (ended != lanes && static_cast<MbarrierOp>(in.aux) == MbarrierOp::try_wait &&
      !std::exchange(w.answers, false)) {
    w.replay = lanes;
    c.issue.suspended = true;
    c.issue.most_wait_ns =
        in.ref[2] == kNoRef
            ? 0
            : lane<std::uint32_t>(w, in.ref[2], static_cast<unsigned>(__builtin_ctz(lanes)));
    return;
  }
  w.answers = false;
  set_predicate(w, in.ref[3], ended);
  c.issue.wait_failed = ended != lanes;
}

/// ref: 0 = d, 1 = state
void pending_count(Warp& w, const Inst& in) {
  each_lane(w, [&](unsigned i) {
    set_lane<std::uint32_t>(w, in.ref[0], i,
                            Mbarrier(lane<std::uint64_t>(w, in.ref[1], i)).pending);
  });
}

Space take_shared(Lowering& x) {
  if (x.take("shared::cluster")) return Space::cluster;
  return x.take("shared") || x.take("shared::cta") ? Space::shared : Space::generic;
}

template <class Access>
Handler handler_of(MbarrierOp op) {
  return is_wait(op) ? wait<Access> : change<Access>;
}

/// The address goes to slot 0; `op` and its handler are set.
void set(Lowering& x, MbarrierOp op, Space space, const Operand& address) {
  lower_address(x, address, space);
  x.inst().aux = static_cast<std::uint32_t>(op);
  InstInfo& info = x.info();
  info.mem = MemOp::atomic;
  info.space = space;
  info.bytes = kBytes;
  info.async = AsyncCopy::mbarrier;
  info.async_groups = static_cast<std::uint8_t>(op);
  x.set(space == Space::shared    ? handler_of<SharedAccess>(op)
        : space == Space::cluster ? handler_of<ClusterAccess>(op)
                                  : handler_of<GenericAccess>(op),
        OpClass::memory);
}

/// Takes .SEM.SCOPE, which goes together; `sem` is the word that the operation may have.
void take_order(Lowering& x, const char* sem) {
  const bool ordered = x.take(sem) || x.take("relaxed");
  if (ordered && !x.take("cta") && !x.take("cluster")) x.unsupported();
}

void lower_arrival(Lowering& x, bool drop) {
  const bool expects = x.take("expect_tx");
  const bool stays = x.take("noComplete");
  if (expects && stays) x.unsupported();
  take_order(x, "release");
  const Space space = take_shared(x);
  if (!x.take("b64")) x.unsupported();
  const MbarrierOp op = expects ? (drop ? MbarrierOp::drop_expect_tx : MbarrierOp::arrive_expect_tx)
                        : stays
                            ? (drop ? MbarrierOp::drop_no_complete : MbarrierOp::arrive_no_complete)
                            : (drop ? MbarrierOp::drop : MbarrierOp::arrive);
  const bool numbered = expects || stays || x.operands() == 3;
  x.want_operands(numbered ? 3 : 2);
  if (x.operand(0).kind != Operand::Kind::sink) x.def(3, x.operand(0), Type::b64);
  x.inst().count = 1;
  if (numbered) x.use(1, x.operand(2), Type::u32);
  set(x, op, space, x.operand(1));
}

void lower_transaction(Lowering& x, MbarrierOp op) {
  if (x.take("relaxed") && !x.take("cta") && !x.take("cluster")) x.unsupported();
  const Space space = take_shared(x);
  if (!x.take("b64")) x.unsupported();
  x.want_operands(2);
  x.use(1, x.operand(1), Type::u32);
  set(x, op, space, x.operand(0));
}

void lower_wait(Lowering& x, bool may_suspend) {
  const bool of_parity = x.take("parity");
  take_order(x, "acquire");
  const Space space = take_shared(x);
  if (!x.take("b64")) x.unsupported();
  const bool limited = may_suspend && x.operands() == 4;
  x.want_operands(limited ? 4 : 3);
  x.def(3, x.operand(0), Type::pred);
  x.use(1, x.operand(2), of_parity ? Type::u32 : Type::b64);
  if (limited) x.use(2, x.operand(3), Type::u32);
  if (!of_parity) x.inst().option |= kOfState;
  set(x, may_suspend ? MbarrierOp::try_wait : MbarrierOp::test_wait, space, x.operand(1));
}

void lower_mbarrier(Lowering& x) {
  if (x.take("arrive")) return lower_arrival(x, false);
  if (x.take("arrive_drop")) return lower_arrival(x, true);
  if (x.take("expect_tx")) return lower_transaction(x, MbarrierOp::expect_tx);
  if (x.take("complete_tx")) return lower_transaction(x, MbarrierOp::complete_tx);
  if (x.take("test_wait")) return lower_wait(x, false);
  if (x.take("try_wait")) return lower_wait(x, true);
  if (x.take("pending_count")) {
    if (!x.take("b64")) x.unsupported();
    x.want_operands(2);
    x.def(0, x.operand(0), Type::u32);
    x.use(1, x.operand(1), Type::b64);
    return x.set(pending_count, OpClass::int_alu);
  }
  const bool begins = x.take("init");
  if (!begins && !x.take("inval")) x.unsupported();
  const Space space = x.take("shared") || x.take("shared::cta") ? Space::shared : Space::generic;
  if (!x.take("b64")) x.unsupported();
  x.want_operands(begins ? 2 : 1);
  if (begins) x.use(1, x.operand(1), Type::u32);
  x.inst().count = 0;
  set(x, begins ? MbarrierOp::init : MbarrierOp::inval, space, x.operand(0));
}

}  // namespace

unsigned copies_arrived(Warp& w) {
  const PendingArrival arrival = w.arrivals.front();
  w.arrivals.erase(w.arrivals.begin());
  CtaState& c = *w.cta;
  unsigned ended = 0;
  for_lanes(arrival.lanes, [&](unsigned i) {
    c.place[i] = c.shared.data() + arrival.address[i];
    Mbarrier m = object(c, i);
    const Mbarrier::Effect effect = m.copies_arrived();
    if (!effect.error.empty())
      fault(w, *arrival.inst, i, place_text(arrival.address[i]) + ": " + effect.error);
    keep(c, i, m);
    ended += effect.phase_ended;
  });
  return ended;
}

unsigned bulk_arrived(Warp& w, const Inst& in, unsigned i, std::uint32_t address,
                      std::uint32_t bytes) {
  CtaState& c = *w.cta;
  c.place[i] = c.shared.data() + address;
  Mbarrier m = object(c, i);
  const Mbarrier::Effect effect = m.apply(MbarrierOp::complete_tx, bytes);
  if (!effect.error.empty())
    fault(w, in, i, "at its end, " + place_text(address) + ": " + effect.error);
  keep(c, i, m);
  return effect.phase_ended;
}

unsigned peer_mbarrier(CtaState& c, std::uint32_t pc, std::uint32_t address, MbarrierOp op,
                       std::uint32_t number) {
  c.place[0] = c.shared.data() + address;
  Mbarrier m = object(c, 0);
  const Mbarrier::Effect effect = m.apply(op, number);
  if (!effect.error.empty()) {
    const Program& p = *c.launch->program;
    const auto asked = std::find_if(p.infos.begin(), p.infos.end(),
                                    [&](const InstInfo& inst) { return inst.pc == pc; });
    fault(c.warps[0], p.code[static_cast<std::size_t>(asked - p.infos.begin())], 0,
          place_text(address) + ", asked by another CTA of the cluster: " + effect.error);
  }
  keep(c, 0, m);
  return effect.phase_ended;
}

std::string waits_for(const Warp& w) {
  if (w.wait.inst == nullptr) return {};
  std::uint64_t bits;
  std::memcpy(&bits, w.cta->shared.data() + w.wait.address, sizeof bits);
  const Mbarrier m(bits);
  return "waits at " + place_of(w, *w.wait.inst) + " for the end of the phase of parity " +
         (w.wait.parity ? "1" : "0") + " of the " + place_text(w.wait.address) + ": " +
         (m.valid ? m.missing() : "it is not initialised any longer");
}

void lower_copies_arrive(Lowering& x) {
  const bool counted = !x.take("noinc");
  const Space space = x.take("shared") || x.take("shared::cta") ? Space::shared : Space::generic;
  if (!x.take("b64")) x.unsupported();
  x.want_operands(1);
  x.inst().count = 0;
  set(x, counted ? MbarrierOp::copies_arrive : MbarrierOp::copies_arrive_no_inc, space,
      x.operand(0));
}

void add_mbarrier(LowerTable& t) { t["mbarrier"] = lower_mbarrier; }

}  // namespace warpmem::program::ptx
