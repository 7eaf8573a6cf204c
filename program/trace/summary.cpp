// SPDX-License-Identifier: Apache-2.0
#include "program/trace/summary.hpp"

#include <algorithm>
#include <iterator>

namespace warpmem::program::trace {
namespace {

/// The lines that have been seen. Most accesses are to lines of a while ago, which a small table
/// knows without a look into the set.
class Footprint {
 public:
  explicit Footprint(std::unordered_set<std::uint64_t>& lines) : lines_(lines) {
    recent_.fill(~std::uint64_t(0));  // no line: addresses have 48 bits
  }
  void insert(std::uint64_t line) {
    std::uint64_t& known = recent_[line % recent_.size()];
    if (known == line) return;
    known = line;
    lines_.insert(line);
  }

 private:
  std::unordered_set<std::uint64_t>& lines_;
  std::array<std::uint64_t, 4096> recent_;
};

void count_lines(const InstInfo& inst, const Step& step, const Addr* address, Summary& out,
                 Footprint& footprint) {
  std::array<std::uint64_t, 2 * kWarpLanes> lines;
  std::size_t n = 0;
  const unsigned lanes = lane_count(step.lanes);
  bool ascending = true;
  for (unsigned k = 0; k < lanes; ++k) {
    const Addr first = address[k] / Summary::kLineBytes;
    const Addr last = (address[k] + inst.bytes - 1) / Summary::kLineBytes;
    if (n == 0 || first != lines[n - 1]) {
      ascending = ascending && (n == 0 || first > lines[n - 1]);
      lines[n++] = first;
    }
    if (last == first) continue;
    ascending = ascending && last > first;
    lines[n++] = last;
  }
  if (!ascending) {
    std::sort(lines.begin(), lines.begin() + n);
    n = static_cast<std::size_t>(std::unique(lines.begin(), lines.begin() + n) - lines.begin());
  }
  ++out.degree[n];
  for (std::size_t i = 0; i < n; ++i) footprint.insert(lines[i]);
}

void add_kernel(KernelTrace& kernel, Summary& out) {
  KernelSummary one;
  one.name = kernel.traits().name;
  one.grid = kernel.traits().grid;
  one.block = kernel.traits().block;
  // They are counted by static instruction and space; names are looked up once a launch.
  std::vector<std::array<std::uint64_t, kSpaces>> counts;
  Footprint footprint(out.footprint_lines);
  CtaTrace cta;
  while (kernel.next_cta(cta)) {
    counts.resize(kernel.inst_count());
    for (const WarpTrace& warp : cta.warps) {
      for (const Step& step : warp.steps) {
        const InstInfo& inst = kernel.inst(step.inst);
        ++one.warp_instructions;
        one.thread_instructions += lane_count(step.lanes);
        ++counts[step.inst][static_cast<std::size_t>(step.space)];
        if (inst.mem != MemOp::none && step.lanes != 0 && step.space == Space::global)
          count_lines(inst, step, warp.addresses.data() + step.first_address, out, footprint);
      }
    }
  }
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    const InstInfo& inst = kernel.inst(i);
    for (std::size_t space = 0; space < kSpaces; ++space) {
      const std::uint64_t count = counts[i][space];
      if (count == 0) continue;
      out.by_class[static_cast<std::size_t>(inst.op_class)] += count;
      out.by_mnemonic[{kernel.mnemonic(i), inst.op_class, static_cast<Space>(space)}] += count;
    }
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
  static constexpr const char* kNames[] = {"none",     "global", "shared",  "local",
                                           "constant", "param",  "generic", "cluster"};
  static_assert(std::size(kNames) == kSpaces);
  return kNames[static_cast<std::size_t>(space)];
}

}  // namespace warpmem::program::trace
