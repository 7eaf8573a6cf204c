// SPDX-License-Identifier: Apache-2.0
// Branches, ends and fences (PTX ISA 6.x sections 9.7.11 and 9.7.12).
#include <array>

#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

void nothing(Warp&, const Inst&) {}

// ---- branches
// --------------------------------------------------------------------------------------

void bra(Warp& w, const Inst& in) {
  branch(w, static_cast<std::uint32_t>(in.target), w.lanes, in.reconverge, in.option);
}

std::int32_t label_target(Lowering& x, const Operand& o) {
  if (o.kind != Operand::Kind::name) x.bad("the target must be a label");
  const std::int64_t at = x.function().find_label(o.text, o.scope);
  if (at < 0) x.bad("label `" + std::string(o.text) + "` is not defined");
  return static_cast<std::int32_t>(at);  // a statement; the linker turns it into an instruction
}

void lower_bra(Lowering& x) {
  x.take("uni");  // a promise that costs nothing to check: the lanes decide
  x.want_operands(1);
  x.inst().target = label_target(x, x.operand(0));
  x.inst().control = true;
  x.set(bra, OpClass::control);
}

/// Branches lane by lane through Program::branch_tables[aux].
void brx(Warp& w, const Inst& in) {
  const auto& table = w.cta->launch->program->branch_tables[in.aux];
  LaneMask left = w.lanes;
  const std::uint32_t next = w.top.pc + 1;
  if (left == 0) {
    w.top.pc = next;
    return settle(w);
  }
  // Peels off the lanes of one target after another; each takes the first lane's way.
  const LaneMask stay = w.top.lanes & ~left;
  std::array<StackEntry, kWarpLanes + 1> ways;
  std::size_t n = 0;
  while (left != 0) {
    const auto first = static_cast<unsigned>(__builtin_ctz(left));
    const std::uint32_t index = lane<std::uint32_t>(w, in.ref[0], first);
    if (index >= table.size())
      fault(w, in, first,
            "branch index " + std::to_string(index) + " of " + std::to_string(table.size()));
    LaneMask same = 0;
    for_lanes(left, [&](unsigned i) {
      if (lane<std::uint32_t>(w, in.ref[0], i) == index) same |= LaneMask(1) << i;
    });
    ways[n++] = {table[index], 0, same, 0};
    left &= ~same;
  }
  if (stay != 0) ways[n++] = {next, 0, stay, 0};
  diverge(w, ways.data(), n, in.reconverge);
}

void lower_brx(Lowering& x) {
  if (!x.take("idx")) x.unsupported();
  x.take("uni");
  x.want_operands(2);
  x.use(0, x.operand(0), Type::u32);
  const Operand& list = x.operand(1);
  const auto* const targets = list.kind == Operand::Kind::name
                                  ? x.function().find_branch_targets(list.text, list.scope)
                                  : nullptr;
  if (targets == nullptr) x.bad("needs the label of a .branchtargets list");
  std::vector<std::uint32_t> table;
  for (const auto& t : *targets) table.push_back(static_cast<std::uint32_t>(label_target(x, t)));
  x.inst().aux = static_cast<std::uint32_t>(x.program().branch_tables.size());
  x.program().branch_tables.push_back(std::move(table));
  x.inst().control = true;
  x.set(brx, OpClass::control);
}

// ---- ends
// ------------------------------------------------------------------------------------------

void ret(Warp& w, const Inst&) {
  const LaneMask lanes = w.lanes;
  if (lanes == 0) {
    ++w.top.pc;
    return settle(w);
  }
  return_lanes(w, lanes);
}
void exit_warp(Warp& w, const Inst&) {
  const LaneMask lanes = w.lanes;
  if (lanes == 0) {
    ++w.top.pc;
    return settle(w);
  }
  exit_lanes(w, lanes);
}
void lower_ret(Lowering& x) {
  x.take("uni");
  x.want_operands(0);
  x.inst().control = true;
  x.set(ret, OpClass::control);
}
void lower_exit(Lowering& x) {
  x.want_operands(0);
  x.inst().control = true;
  x.set(exit_warp, OpClass::control);
}
void lower_trap(Lowering& x) {
  x.want_operands(0);
  x.set(
      [](Warp& w, const Inst& in) {
        fault(w, in, static_cast<unsigned>(__builtin_ctz(w.lanes)), "the program executed trap");
      },
      OpClass::control);
}

// ---- fences, pauses, hints
// --------------------------------------------------------------------------------------

/// brkpt and pmevent speak to a debugger and a profiler that are not there.
void lower_nothing(Lowering& x) {
  x.want_operands(0);
  x.set(nothing, OpClass::control);
}
void lower_pmevent(Lowering& x) {
  x.take("mask");
  x.want_operands(1);
  x.use(0, x.operand(0), Type::u32);
  x.set(nothing, OpClass::control);
}

/// A launch begins when the one before it has ended, so there is nothing to wait for.
void lower_dependence(Lowering& x) {
  if (!x.take("wait") && !x.take("launch_dependents")) x.unsupported();
  lower_nothing(x);
}

/// What the interpreter writes is seen by every part of the machine in the order of the program, so
/// that what fences order besides is no matter: a proxy fence is one as others are.
void lower_fence(Lowering& x) {
  if (x.take("mbarrier_init")) {
    if (!x.take("release") || !x.take("cluster")) x.unsupported();
    x.want_operands(0);
    return x.set(nothing, OpClass::fence);
  }
  if (x.take("proxy")) {
    if (x.take("tensormap::generic")) {  // whoever writes a tensor map, it is read as it is
      const bool acquires = x.take("acquire");
      if ((!acquires && !x.take("release")) || !take_scope(x)) x.unsupported();
      x.want_operands(acquires ? 2 : 0);
      return x.set(nothing, OpClass::fence);
    }
    if (!x.take("async")) x.unsupported();
    if (!x.take("global") && !x.take("shared::cta")) x.take("shared::cluster");
    x.want_operands(0);
    return x.set(nothing, OpClass::fence);
  }
  if (!x.take("sc")) x.take("acq_rel");
  if (!take_scope(x)) x.unsupported();
  x.want_operands(0);
  x.set(nothing, OpClass::fence);
}
void lower_membar(Lowering& x) {
  if (!x.take("cta") && !x.take("gl") && !x.take("sys")) x.unsupported();
  x.want_operands(0);
  x.set(nothing, OpClass::fence);
}
void lower_nanosleep(Lowering& x) {
  if (x.take_type() != Type::u32) x.unsupported();
  x.want_operands(1);
  x.use(0, x.operand(0), Type::u32);
  x.set(nothing, OpClass::control);
}

}  // namespace

void add_control(LowerTable& t) {
  t["bra"] = lower_bra;
  t["brx"] = lower_brx;
  t["ret"] = lower_ret;
  t["exit"] = lower_exit;
  t["trap"] = lower_trap;
  t["brkpt"] = lower_nothing;
  t["griddepcontrol"] = lower_dependence;
  t["pmevent"] = lower_pmevent;
  t["membar"] = lower_membar;
  t["fence"] = lower_fence;
  t["nanosleep"] = lower_nanosleep;
}

}  // namespace warpmem::program::ptx
