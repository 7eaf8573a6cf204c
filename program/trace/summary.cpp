// SPDX-License-Identifier: Apache-2.0
#include "program/trace/summary.hpp"

#include <algorithm>

namespace warpmem::program::trace {
namespace {

void count_lines(const InstInfo& inst, const Step& step, const Addr* address, Summary& out) {
  std::array<std::uint64_t, 2 * kWarpLanes> lines;
  std::size_t n = 0;
  const unsigned lanes = static_cast<unsigned>(__builtin_popcount(step.lanes));
  for (unsigned k = 0; k < lanes; ++k) {
    lines[n++] = address[k] / Summary::kLineBytes;
    const Addr last = (address[k] + inst.bytes - 1) / Summary::kLineBytes;
    if (last != lines[n - 1]) lines[n++] = last;
  }
  std::sort(lines.begin(), lines.begin() + n);
  const auto end = std::unique(lines.begin(), lines.begin() + n);
  ++out.degree[static_cast<std::size_t>(end - lines.begin())];
  out.footprint_lines.insert(lines.begin(), end);
}

void add_kernel(KernelTrace& kernel, Summary& out) {
  KernelSummary one;
  one.name = kernel.traits().name;
  one.grid = kernel.traits().grid;
  one.block = kernel.traits().block;
  // They are counted by static instruction and space; names are looked up once a launch.
  std::map<std::pair<std::uint32_t, Space>, std::uint64_t> counts;
  CtaTrace cta;
  while (kernel.next_cta(cta)) {
    for (const WarpTrace& warp : cta.warps) {
      for (const Step& step : warp.steps) {
        const InstInfo& inst = kernel.inst(step.inst);
        ++one.warp_instructions;
        one.thread_instructions += static_cast<unsigned>(__builtin_popcount(step.lanes));
        ++counts[{step.inst, step.space}];
        if (inst.mem != MemOp::none && step.lanes != 0 && step.space == Space::global)
          count_lines(inst, step, warp.addresses.data() + step.first_address, out);
      }
    }
  }
  for (const auto& [key, count] : counts) {
    const InstInfo& inst = kernel.inst(key.first);
    out.by_class[static_cast<std::size_t>(inst.op_class)] += count;
    out.by_mnemonic[{kernel.mnemonic(key.first), inst.op_class, key.second}] += count;
  }
  out.warp_instructions += one.warp_instructions;
  out.thread_instructions += one.thread_instructions;
  out.kernels.push_back(std::move(one));
}

}  // namespace

Summary summarize(TraceReader& reader) {
  Summary out;
  Command command;
  while (reader.next(command)) {
    if (command.kind == Command::Kind::allocate) out.allocated_bytes += command.bytes;
    if (command.kind == Command::Kind::launch) add_kernel(*command.kernel, out);
  }
  out.notes = reader.notes();
  return out;
}

const char* name_of(OpClass op_class) {
  static constexpr const char* kNames[kOpClasses] = {
      "int_alu", "int_mul", "fp32",  "fp64",   "sfu",     "div",    "memory",
      "control", "barrier", "fence", "tensor", "texture", "uniform"};
  static_assert(static_cast<std::size_t>(OpClass::uniform) + 1 == kOpClasses);
  return kNames[static_cast<std::size_t>(op_class)];
}

const char* name_of(Space space) {
  static constexpr const char* kNames[] = {"none",     "global", "shared", "local",
                                           "constant", "param",  "generic"};
  return kNames[static_cast<std::size_t>(space)];
}

}  // namespace warpmem::program::trace
