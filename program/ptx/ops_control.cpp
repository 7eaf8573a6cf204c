// SPDX-License-Identifier: Apache-2.0
// Branches, calls, ends and fences (PTX ISA 6.x sections 9.7.11 and 9.7.12).
#include <algorithm>
#include <array>

#include "program/ptx/builtins.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

void nothing(Warp&, const Inst&) {}

// ---- branches
// --------------------------------------------------------------------------------------

void bra(Warp& w, const Inst& in) {
  branch(w, static_cast<std::uint32_t>(in.target), w.lanes, in.reconverge);
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

// ---- calls
// -----------------------------------------------------------------------------------------

void call(Warp& w, const Inst& in) {
  const LaneMask lanes = w.lanes;
  if (lanes == 0) {
    ++w.top.pc;
    return settle(w);
  }
  enter(w, in, lanes, in.aux);
}

void call_builtin(Warp& w, const Inst& in) {
  if (w.lanes == 0) return;
  const CallSite& site = w.cta->launch->program->calls[in.aux];
  if (site.builtin == Builtin::vprintf)
    device_printf(w, in, site);
  else
    device_assert(w, in, site);
}

/// Caller-side place of an argument or result, in the frame's parameter area.
std::uint32_t argument_place(Lowering& x, const Operand& o) {
  if (o.kind != Operand::Kind::variable || x.variable_offset(o.index) < kFrameParameters)
    x.bad("arguments and results of calls must be .param variables");
  return static_cast<std::uint32_t>(x.variable_offset(o.index) - kFrameParameters);
}

void lower_call(Lowering& x) {
  x.take("uni");
  // call (results), name, (arguments), prototype: all but the name optional
  std::size_t at = 0;
  const Operand* results = nullptr;
  const Operand* arguments = nullptr;
  if (x.operand(at).kind == Operand::Kind::list) results = &x.operand(at++);
  const Operand& callee = x.operand(at++);
  if (at < x.operands() && x.operand(at).kind == Operand::Kind::list) arguments = &x.operand(at++);
  if (callee.kind == Operand::Kind::reg)
    x.bad("unsupported instruction `" + std::string(x.statement().opcode) +
          "` through a register: indirect calls are not supported");
  if (callee.kind != Operand::Kind::name || at != x.operands()) x.bad("malformed call");

  const auto& ast = x.module().ast;
  const auto found = ast.function_index.find(std::string(callee.text));
  if (found == ast.function_index.end())
    x.bad("function `" + std::string(callee.text) + "` is not declared");
  const Function& target = ast.functions[found->second];
  CallSite site;
  if (target.entry) x.bad("a kernel cannot be called");
  if (!target.defined) {
    if (target.name == "vprintf")
      site.builtin = Builtin::vprintf;
    else if (target.name == "__assertfail")
      site.builtin = Builtin::assertfail;
    else
      x.bad("function `" + target.name + "` has no body in this module");
  }
  const auto& functions = x.reach().functions;
  for (std::uint32_t i = 0; i < functions.size(); ++i)
    if (functions[i] == found->second) site.function = i;

  const auto transfer = [&](const Operand* list, const std::vector<std::uint32_t>& formals,
                            std::vector<Transfer>& into) {
    const std::size_t given = list != nullptr ? list->elements.size() : 0;
    if (given != formals.size())
      x.bad("`" + target.name + "` takes " + std::to_string(formals.size()) + " values, not " +
            std::to_string(given));
    // The callee lays out its variables as Lowering does, in rows in order of declaration.
    std::uint64_t end = 0;
    std::vector<std::uint64_t> offset;
    for (const auto& v : target.variables) {
      if (v.space != Space::param) {
        offset.push_back(0);
        continue;
      }
      const std::uint64_t unit = std::max<std::uint64_t>(v.alignment, LaneMemory::kRow);
      end = (end + unit - 1) / unit * unit;
      offset.push_back(end);
      end += v.bytes;
    }
    for (std::size_t i = 0; i < given; ++i) {
      const Operand& o = list->elements[i];
      const std::uint32_t place = argument_place(x, o);
      const VariableDecl& formal = target.variables[formals[i]];
      if (x.function().variables[o.index].bytes < formal.bytes)
        x.bad("argument " + std::to_string(i) + " of `" + target.name + "` is too small");
      into.push_back({place, static_cast<std::uint32_t>(offset[formals[i]]),
                      static_cast<std::uint32_t>(formal.bytes)});
    }
  };
  transfer(arguments, target.parameters, site.arguments);
  transfer(results, target.results, site.results);
  const bool builtin = site.builtin != Builtin::none;
  if (builtin && site.arguments.size() < (site.builtin == Builtin::vprintf ? 2u : 4u))
    x.bad("`" + target.name + "` is declared with other parameters");
  x.inst().aux = static_cast<std::uint32_t>(x.program().calls.size());
  x.inst().target = static_cast<std::int32_t>(site.function);
  x.program().calls.push_back(std::move(site));
  x.inst().control = !builtin;
  x.set(builtin ? call_builtin : call, OpClass::control);
}

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
  t["call"] = lower_call;
  t["ret"] = lower_ret;
  t["exit"] = lower_exit;
  t["trap"] = lower_trap;
  t["brkpt"] = lower_nothing;
  t["pmevent"] = lower_pmevent;
  t["membar"] = lower_membar;
  t["fence"] = lower_fence;
  t["nanosleep"] = lower_nanosleep;
}

}  // namespace warpmem::program::ptx
