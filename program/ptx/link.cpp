// SPDX-License-Identifier: Apache-2.0
// Puts a kernel and the functions it calls into one Program.
#include <algorithm>
#include <functional>
#include <set>

#include "base/errors.hpp"
#include "program/demangled.hpp"
#include "program/ptx/allocate.hpp"
#include "program/ptx/cfg.hpp"
#include "program/ptx/early_loads.hpp"
#include "program/ptx/lane_locks.hpp"
#include "program/ptx/lower.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr std::uint64_t kMaxInstructions = 1u << 24;
constexpr std::uint64_t kMaxFrame = std::uint64_t(1) << 26;  ///< register bytes of a warp

/// Control flow as the CFG wants it, with targets as instructions of the function.
std::vector<FlowInst> flow_of(LoweredFunction& f, Program& program) {
  std::vector<FlowInst> flow(f.code.size());
  for (std::size_t i = 0; i < f.code.size(); ++i) {
    Inst& in = f.code[i];
    const std::string_view name = f.spelling[i].substr(0, f.spelling[i].find('.'));
    flow[i].conditional = in.guard != kNoRef;
    if (name == "bra") {
      in.target = static_cast<std::int32_t>(f.first_inst[static_cast<std::size_t>(in.target)]);
      flow[i].flow = Flow::jump;
      flow[i].targets.push_back(static_cast<std::uint32_t>(in.target));
    } else if (name == "brx") {
      flow[i].flow = Flow::table;
      for (auto& t : program.branch_tables[in.aux]) {
        t = f.first_inst[t];
        flow[i].targets.push_back(t);
      }
    } else if (name == "ret" || name == "exit" || name == "trap") {
      flow[i].flow = Flow::end;
    }
  }
  return flow;
}

template <class List>
void add_once(List& list, std::uint16_t number) {
  if (std::find(list.begin(), list.end(), number) == list.end() && !list.full()) list.add(number);
}

/// A function between lowering and its place in the program.
struct Part {
  LoweredFunction code;
  std::vector<FlowInst> flow;
  Cfg cfg;
};

void append(Program& program, Part& part, const Function& function, const LaneLocks& locks) {
  const auto base = static_cast<std::uint32_t>(program.code.size());
  LoweredFunction& f = part.code;
  const std::vector<FlowInst>& flow = part.flow;
  const Cfg& cfg = part.cfg;
  const Allocation registers = allocate_registers(f, cfg);

  FrameLayout layout;
  layout.name = demangled(function.name);
  layout.first_pc = base;
  layout.library = function.library;
  layout.register_bytes = registers.frame_bytes;
  layout.parameter_bytes = static_cast<std::uint32_t>(f.parameter_bytes);
  layout.local_bytes = static_cast<std::uint32_t>(f.local_bytes);
  layout.live_registers = registers.live_registers;
  layout.scoreboard_registers = registers.scoreboard_registers;
  if (registers.frame_bytes > kMaxFrame)
    throw UserError("kernel " + program.kernel + ": " + layout.name + " needs too many registers");

  // As the assembler for the chip does: an atomic whose result nothing reads becomes a reduction.
  for (std::size_t i = 0; i < f.code.size(); ++i)
    if (f.infos[i].mem == MemOp::atomic && registers.unread[i]) f.infos[i].mem = MemOp::reduction;

  for (const auto& use : f.uses) {
    Inst& in = f.code[use.inst];
    Ref& ref = use.slot == RegisterUse::kGuardSlot ? in.guard
               : use.slot < kMatrixSlot            ? in.ref[use.slot]
                                        : program.matrix_operands[in.aux][use.slot - kMatrixSlot];
    ref = registers.place[use.reg] | (ref & kNegate);
    const std::uint32_t number = registers.number[use.reg] + program.scoreboard_registers;
    if (use.def && f.infos[use.inst].mem == MemOp::reduction) continue;
    const auto reg = static_cast<std::uint16_t>(std::min<std::uint32_t>(number, 0xffff));
    if (use.def)
      add_once(f.infos[use.inst].destinations, reg);
    else
      add_once(f.infos[use.inst].sources, reg);
  }
  for (std::size_t i = 0; i < f.code.size(); ++i) {
    Inst& in = f.code[i];
    f.infos[i].pc = static_cast<std::uint32_t>((base + i) * 8);
    if (flow[i].flow == Flow::jump) in.target += static_cast<std::int32_t>(base);
    if (flow[i].flow == Flow::table)
      for (auto& t : program.branch_tables[in.aux]) t += base;
    if (flow[i].flow == Flow::jump || flow[i].flow == Flow::table) {
      const std::int32_t r = cfg.reconvergence[cfg.block_of[i]];
      in.reconverge = r < 0 ? -1 : r + static_cast<std::int32_t>(base);
    }
  }
  for (const LaneLock& lock : locks.in_loops) {
    Inst& in = f.code[lock.branch];
    in.option = lock.taken_leaves ? kTakenFirst : 0;
    if (lock.meeting < 0)
      in.option |= kFirstReturns;
    else
      in.reconverge = lock.meeting + static_cast<std::int32_t>(base);
  }
  for (const KeptLock& lock : locks.at_calls) {
    CallSite& site = program.calls[lock.site];
    site.keeps_lock = true;
    if (lock.meeting >= 0) site.meeting = static_cast<std::uint32_t>(lock.meeting) + base;
  }
  program.scoreboard_registers += registers.scoreboard_registers;
  program.functions.push_back(std::move(layout));
  program.code.insert(program.code.end(), f.code.begin(), f.code.end());
  program.infos.insert(program.infos.end(), f.infos.begin(), f.infos.end());
  program.spelling.insert(program.spelling.end(), f.spelling.begin(), f.spelling.end());
  program.source_file.insert(program.source_file.end(), f.source_file.begin(), f.source_file.end());
}

/// Registers and local bytes along the deepest chain of calls; a recursive program may go as deep
/// as calls may nest.
void measure(Program& program, const std::vector<std::vector<std::uint32_t>>& callees) {
  const std::size_t n = program.functions.size();
  std::vector<std::uint8_t> state(n, 0);  // 1: on the path, 2: done
  std::vector<std::uint64_t> registers(n, 0), local(n, 0);
  bool recursive = false;
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{0, 0}};
  state[0] = 1;
  while (!stack.empty()) {
    auto& [f, next] = stack.back();
    if (next < callees[f].size()) {
      const auto callee = callees[f][next++];
      if (state[callee] == 1) recursive = true;
      if (state[callee] == 0) {
        state[callee] = 1;
        stack.emplace_back(callee, 0);
      }
      continue;
    }
    for (const auto callee : callees[f]) {
      registers[f] = std::max(registers[f], registers[callee]);
      local[f] = std::max(local[f], local[callee]);
    }
    registers[f] += program.functions[f].live_registers;
    local[f] += (program.functions[f].local_bytes + 15) / 16 * 16;
    state[f] = 2;
    stack.pop_back();
  }
  program.registers_per_thread =
      static_cast<unsigned>(std::clamp<std::uint64_t>(registers[0], 1, 255));
  program.local_bytes = local[0];
  if (recursive) {
    std::uint64_t most = 0;
    for (std::size_t f = 1; f < n; ++f)
      most = std::max<std::uint64_t>(most, (program.functions[f].local_bytes + 15) / 16 * 16);
    program.local_bytes = program.functions[0].local_bytes + (kMaxCallDepth + 1) * most;
  }
}

void visit_operands(const Operand& o, const std::function<void(const Operand&)>& f) {
  f(o);
  for (const auto& e : o.elements) visit_operands(e, f);
}

}  // namespace

Reach reach(const ModuleAst& ast, std::uint32_t kernel) {
  Reach r;
  std::set<std::uint32_t> seen{kernel}, shared;
  r.functions.push_back(kernel);
  const auto add = [&](std::uint32_t f) {
    if (ast.functions[f].defined && seen.insert(f).second) r.functions.push_back(f);
  };
  for (std::size_t i = 0; i < r.functions.size(); ++i) {
    const Function& function = ast.functions[r.functions[i]];
    for (const auto& s : function.statements) {
      for (const auto& top : s.operands)
        visit_operands(top, [&](const Operand& o) {
          if (o.kind == Operand::Kind::module_variable &&
              ast.variables[o.index].space == Space::shared)
            shared.insert(o.index);
        });
      if (s.opcode.substr(0, 4) != "call") continue;
      const CallParts call = call_parts(s);
      if (call.indirect()) {
        for (std::uint32_t f = 0; f < ast.functions.size(); ++f)
          if (may_enter(function, call, ast.functions[f])) add(f);
      } else if (call.callee != nullptr) {
        const auto f = ast.function_index.find(std::string(call.callee->text));
        if (f != ast.function_index.end()) add(f->second);
      }
    }
  }
  // Static variables in order of declaration, then the dynamic ones, which all begin at one place.
  std::uint64_t end = 0, dynamic_alignment = 16;
  for (const auto v : shared) {
    const VariableDecl& d = ast.variables[v];
    if (d.external) {
      dynamic_alignment = std::max<std::uint64_t>(dynamic_alignment, d.alignment);
      continue;
    }
    end = (end + d.alignment - 1) / d.alignment * d.alignment;
    r.shared_offset[v] = end;
    end += d.bytes;
  }
  bool dynamic = false;
  const std::uint64_t dynamic_at =
      (end + dynamic_alignment - 1) / dynamic_alignment * dynamic_alignment;
  for (const auto v : shared)
    if (ast.variables[v].external) {
      r.shared_offset[v] = dynamic_at;
      dynamic = true;
    }
  r.static_shared_bytes = dynamic ? dynamic_at : end;
  return r;
}

std::unique_ptr<Program> build_program(const detail::ModuleData& module, std::uint32_t kernel) {
  auto program = std::make_unique<Program>();
  const Function& entry = module.ast.functions[kernel];
  program->kernel = demangled(entry.name);
  program->file = module.name;
  program->source_names = module.ast.files;
  const Reach reached = reach(module.ast, kernel);
  program->static_shared_bytes = reached.static_shared_bytes;
  std::vector<std::vector<std::uint32_t>> callees;
  std::vector<Part> parts(reached.functions.size());
  std::uint64_t instructions = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& part = parts[i];
    const std::size_t calls_before = program->calls.size();
    part.code =
        Lowering(module, reached, module.ast.functions[reached.functions[i]], *program).run();
    instructions += part.code.code.size();
    if (instructions > kMaxInstructions)
      throw UserError("kernel " + program->kernel + ": too many instructions");
    part.flow = flow_of(part.code, *program);
    part.cfg = build_cfg(part.flow);
    if (module.early_loads) order_loads_early(part.code, part.cfg);
    callees.emplace_back();
    for (std::size_t c = calls_before; c < program->calls.size(); ++c)
      if (program->calls[c].builtin == Builtin::none)
        callees.back().push_back(program->calls[c].function);
  }
  std::vector<LinkedFunction> linked;
  for (const Part& part : parts) linked.push_back({&part.code, &part.flow, &part.cfg});
  const std::vector<LaneLocks> locks = lane_locks(linked, *program);
  for (std::size_t i = 0; i < parts.size(); ++i)
    append(*program, parts[i], module.ast.functions[reached.functions[i]], locks[i]);
  measure(*program, callees);
  for (std::size_t i = 0; i < program->infos.size() && program->bulk_copy.empty(); ++i)
    if (is_bulk_copy(program->infos[i].async))
      program->bulk_copy =
          place_of(program->source_names, program->source_file[i], program->infos[i].source_line,
                   program->file, program->infos[i].line) +
          ": `" + std::string(program->spelling[i]) + "`";
  return program;
}

}  // namespace warpmem::program::ptx
