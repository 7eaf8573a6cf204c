// SPDX-License-Identifier: Apache-2.0
// Calls (PTX ISA 6.x section 9.7.11), of a function that is named or through a pointer. Lanes with
// different pointers enter one function after another, those of the first lane's before the rest.
#include <fmt/format.h>

#include <algorithm>

#include "program/ptx/builtins.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

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

void call_pointer(Warp& w, const Inst& in) {
  const LaneMask lanes = w.lanes;
  const StackEntry here = w.top;
  const std::uint32_t next = here.pc + 1;
  if (lanes == 0) {
    w.top.pc = next;
    return settle(w);
  }
  const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
  const auto address = lane<std::uint64_t>(w, in.ref[0], first);
  const auto& table = w.cta->launch->program->call_tables[in.aux];
  const auto target = std::lower_bound(
      table.begin(), table.end(), address,
      [](const IndirectTarget& t, std::uint64_t value) { return t.address < value; });
  if (target == table.end() || target->address != address)
    fault(w, in, first,
          fmt::format("calls address {:#x}, which is no function with such parameters", address));
  LaneMask same = 0;
  for_lanes(lanes, [&](unsigned i) {
    if (lane<std::uint64_t>(w, in.ref[0], i) == address) same |= LaneMask(1) << i;
  });
  if (same != lanes) {
    // All meet behind the call; until then the rest waits to execute it again.
    if (next != here.rpc) w.stack.push_back({next, here.rpc, here.lanes, here.depth});
    w.stack.push_back({here.pc, next, lanes & ~same, here.depth});
    w.top = {here.pc, next, same, here.depth};
  }
  enter(w, in, same, target->call);
}

/// Caller-side place of an argument or result, in the frame's parameter area.
std::uint32_t argument_place(Lowering& x, const Operand& o) {
  if (o.kind != Operand::Kind::variable || x.variable_offset(o.index) < kFrameParameters)
    x.bad("arguments and results of calls must be .param variables");
  return static_cast<std::uint32_t>(x.variable_offset(o.index) - kFrameParameters);
}

/// Arguments or results: from and to where.
std::vector<Transfer> transfers(Lowering& x, const Function& target, const Operand* list,
                                const std::vector<std::uint32_t>& formals) {
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
  std::vector<Transfer> into;
  for (std::size_t i = 0; i < given; ++i) {
    const Operand& o = list->elements[i];
    const std::uint32_t place = argument_place(x, o);
    const VariableDecl& formal = target.variables[formals[i]];
    if (x.function().variables[o.index].bytes < formal.bytes)
      x.bad("argument " + std::to_string(i) + " of `" + target.name + "` is too small");
    into.push_back({place, static_cast<std::uint32_t>(offset[formals[i]]),
                    static_cast<std::uint32_t>(formal.bytes)});
  }
  return into;
}

/// Adds a call to the program. Returns its place there.
std::uint32_t add_site(Lowering& x, const CallParts& parts, CallSite site, const Function& target) {
  site.arguments = transfers(x, target, parts.arguments, target.parameters);
  site.results = transfers(x, target, parts.results, target.results);
  x.program().calls.push_back(std::move(site));
  return static_cast<std::uint32_t>(x.program().calls.size() - 1);
}

void lower_call_by_pointer(Lowering& x, const CallParts& parts) {
  x.use(0, *parts.callee, Type::u64);
  std::vector<IndirectTarget> table;
  const auto& reached = x.reach().functions;
  for (std::uint32_t i = 0; i < reached.size(); ++i) {
    const Function& target = x.module().ast.functions[reached[i]];
    if (!may_enter(x.function(), parts, target)) continue;
    CallSite site;
    site.function = i;
    table.push_back(
        {x.module().function_address[reached[i]], add_site(x, parts, std::move(site), target)});
  }
  std::sort(table.begin(), table.end(),
            [](const IndirectTarget& a, const IndirectTarget& b) { return a.address < b.address; });
  x.inst().aux = static_cast<std::uint32_t>(x.program().call_tables.size());
  x.program().call_tables.push_back(std::move(table));
  x.inst().control = true;
  x.set(call_pointer, OpClass::control);
}

void lower_call(Lowering& x) {
  x.take("uni");
  const CallParts parts = call_parts(x.statement());
  if (!parts.whole) x.bad("malformed call");
  if (parts.indirect()) return lower_call_by_pointer(x, parts);
  if (parts.callee->kind != Operand::Kind::name) x.bad("malformed call");

  const auto& ast = x.module().ast;
  const auto found = ast.function_index.find(std::string(parts.callee->text));
  if (found == ast.function_index.end())
    x.bad("function `" + std::string(parts.callee->text) + "` is not declared");
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
  const bool vprintf = site.builtin == Builtin::vprintf;
  const bool builtin = site.builtin != Builtin::none;
  x.inst().target = static_cast<std::int32_t>(site.function);
  x.inst().aux = add_site(x, parts, std::move(site), target);
  if (builtin && x.program().calls.back().arguments.size() < (vprintf ? 2u : 4u))
    x.bad("`" + target.name + "` is declared with other parameters");
  x.inst().control = !builtin;
  x.set(builtin ? call_builtin : call, OpClass::control);
}

}  // namespace

void add_call(LowerTable& t) { t["call"] = lower_call; }

}  // namespace warpmem::program::ptx
