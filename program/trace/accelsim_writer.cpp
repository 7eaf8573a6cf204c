// SPDX-License-Identifier: Apache-2.0
#include "program/trace/accelsim_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "base/errors.hpp"
#include "program/trace/exact_lines.hpp"
#include "program/trace/sass_names.hpp"
#include "program/trace/sass_opcodes.hpp"

namespace warpmem::program::trace {
namespace {

constexpr unsigned kTracerVersion = 5;
constexpr unsigned kMostSources = 4;  // that a reader of the format takes
constexpr unsigned kRegisters = 255;  // R0 to R254; the next one is always zero
constexpr unsigned kInstructionBytes = 16;

/// Numbers of registers, R0 to R254. All that one instruction writes is one register, as the format
/// has room for one destination: what waits for a part waits for all, which come together.
class Registers {
 public:
  explicit Registers(const std::vector<InstInfo>& infos) {
    for (const InstInfo& inst : infos)
      for (const std::uint16_t reg : inst.destinations) join(inst.destinations[0], reg);
  }
  /// Returns the number, given out in the order of the calls.
  unsigned number(std::uint16_t reg) {
    const std::uint16_t first = first_of(reg);
    if (number_.size() <= first) number_.resize(first + 1u, kNone);
    if (number_[first] == kNone) number_[first] = used_++;
    return number_[first] % kRegisters;
  }
  unsigned used() const { return used_; }

 private:
  static constexpr unsigned kNone = ~0u;

  std::uint16_t first_of(std::uint16_t reg) {
    const std::size_t known = parent_.size();
    if (known <= reg) {
      parent_.resize(reg + 1u);
      std::iota(parent_.begin() + static_cast<std::ptrdiff_t>(known), parent_.end(),
                static_cast<std::uint16_t>(known));
    }
    while (parent_[reg] != reg) reg = parent_[reg] = parent_[parent_[reg]];
    return reg;
  }
  void join(std::uint16_t a, std::uint16_t b) {
    const std::uint16_t first = first_of(a), other = first_of(b);
    parent_[std::max(first, other)] = std::min(first, other);
  }

  std::vector<std::uint16_t> parent_;
  std::vector<unsigned> number_;
  unsigned used_ = 0;
};

/// Whether the lines of an instruction end with addresses.
bool has_operand(const InstInfo& inst) {
  return inst.mem != MemOp::none && (has_addresses(inst.space) || inst.space == Space::generic);
}

/// Whether an instruction can be the last one of its lanes.
bool may_exit(const std::string& mnemonic) {
  const std::string word = mnemonic.substr(0, mnemonic.find_first_of(".;"));
  return word == "ret" || word == "exit" || word == "trap" || word == "EXIT";
}

}  // namespace

AccelsimWriter::AccelsimWriter(const AccelsimLaunch& launch, const KernelTraits& traits,
                               const StaticCode& code, TextSink& out, Notes& notes)
    : traits_(traits),
      code_(code),
      out_(out),
      place_(fmt::format("{}: kernel {}", launch.source, traits.name)) {
  if (traits.clustered())
    throw UserError(place_ + ": clusters of blocks cannot be said in this format");
  make_lines(launch.architecture, notes);
  write_header(launch);
}

void AccelsimWriter::make_lines(unsigned architecture, Notes& notes) {
  std::vector<std::uint32_t> order(code_.infos.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    return code_.infos[a].pc < code_.infos[b].pc;
  });
  lines_.resize(code_.infos.size());
  Registers registers(code_.infos);
  unsigned cut = 0;
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    const std::uint32_t index = order[place];
    const InstInfo& inst = code_.infos[index];
    const std::string& spelling = code_.mnemonics[index];
    const std::string name = sass_mnemonic(inst, spelling, architecture);
    if (name.empty())
      throw UserError(
          fmt::format("{}: {} cannot be said in a trace of sm_{}{}", place_, spelling, architecture,
                      inst.async <= AsyncCopy::wait_all ? "; allowed: sm_80 and later" : ""));
    Line& line = lines_[index];
    line.pc = place * kInstructionBytes;
    // A shared atomic writes a register in SASS, if only the one that is always zero; a reader may
    // wait for that.
    const bool discards = inst.mem == MemOp::reduction && inst.space == Space::shared;
    std::string operands = " 0 ";
    if (!inst.destinations.empty())
      operands = fmt::format(" 1 R{} ", registers.number(inst.destinations[0]));
    else if (discards)
      operands = fmt::format(" 1 R{} ", kRegisters);
    std::vector<unsigned> sources;
    for (const std::uint16_t reg : inst.sources) {
      const unsigned number = registers.number(reg);
      if (std::find(sources.begin(), sources.end(), number) == sources.end())
        sources.push_back(number);
    }
    if (sources.size() > kMostSources) {
      sources.resize(kMostSources);
      ++cut;
    }
    const bool waits = inst.async == AsyncCopy::wait || inst.async == AsyncCopy::wait_all;
    std::string rest = fmt::format(" {}", sources.size());
    for (const unsigned number : sources) rest += fmt::format(" R{}", number);
    rest += fmt::format(" {}", has_operand(inst) ? inst.bytes : 0);
    if (waits) rest += fmt::format(" {}", inst.async_groups);
    line.text = operands + name + rest;
    if (may_exit(spelling)) line.exit_text = operands + "EXIT" + rest;
  }
  if (registers.used() > kRegisters)
    notes.of(fmt::format("{}: {} registers of {} that the format has; numbers are used again",
                         traits_.name, registers.used(), kRegisters));
  if (cut != 0)
    notes.of(fmt::format("{}: {} instructions have more sources than the {} of the format",
                         traits_.name, cut, kMostSources));
}

void AccelsimWriter::write_header(const AccelsimLaunch& launch) {
  const Dim3 &g = traits_.grid, &b = traits_.block;
  std::string text = fmt::format(
      "-kernel name = {}\n-kernel id = {}\n-grid dim = ({},{},{})\n-block dim = ({},{},{})\n"
      "-shmem = {}\n-nregs = {}\n-binary version = {}\n-cuda stream id = 0\n"
      "-shmem base_addr = 0x{:016x}\n-local mem base_addr = 0x{:016x}\n-nvbit version = none\n"
      "-accelsim tracer version = {}\n-enable lineinfo = 0\n",
      traits_.name, launch.number, g.x, g.y, g.z, b.x, b.y, b.z, traits_.shared_bytes,
      std::min(traits_.registers_per_thread, kRegisters), launch.architecture,
      kExportedSharedWindow, kExportedLocalWindow, kTracerVersion);
  text += fmt::format("-{} = {}\n", kExactKernelKey, exact_kernel(traits_));
  for (std::size_t i = 0; i < code_.infos.size(); ++i)
    text += fmt::format("-{} = {}\n", kExactInstructionKey,
                        exact_instruction(lines_[i].pc, code_.infos[i], code_.mnemonics[i]));
  text +=
      "\n#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
      "[adrrescompress?] [mem_addresses] immediate\n";
  out_.write(text);
}

LaneMask AccelsimWriter::block_lanes(unsigned warp) const {
  const std::uint64_t left = traits_.block.count() - std::uint64_t(warp) * kWarpLanes;
  return left >= kWarpLanes ? ~LaneMask(0) : (LaneMask(1) << left) - 1;
}

void AccelsimWriter::cta(const CtaTrace& cta) {
  const Dim3& g = traits_.grid;
  const std::uint64_t plane = std::uint64_t(g.x) * g.y;
  out_.write(fmt::format("\n#BEGIN_TB\n\nthread block = {},{},{}\n", ctas_ % g.x,
                         ctas_ % plane / g.x, ctas_ / plane));
  for (unsigned warp = 0; warp < cta.warps.size(); ++warp) write_warp(warp, cta.warps[warp]);
  out_.write("\n#END_TB\n");
  ++ctas_;
}

// A `ret` retires its lanes unless it returns from a function: then they are seen again.
void AccelsimWriter::find_exits(unsigned warp, const WarpTrace& trace) {
  exits_.assign(trace.steps.size(), false);
  LaneMask later = 0, retired = 0;
  for (std::size_t i = trace.steps.size(); i-- != 0;) {
    const Step& step = trace.steps[i];
    exits_[i] = !lines_[step.inst].exit_text.empty() && (step.lanes & later) == 0;
    if (exits_[i]) retired |= step.lanes;
    later |= step.lanes;
  }
  if (const LaneMask left = block_lanes(warp) & ~retired; left != 0)
    throw UserError(fmt::format("{}, CTA {}, warp {}: lanes {:08x} do not end with an exit", place_,
                                ctas_, warp, left));
}

void AccelsimWriter::write_warp(unsigned warp, const WarpTrace& trace) {
  find_exits(warp, trace);
  text_ = fmt::format("\nwarp = {}\ninsts = {}\n", warp, trace.steps.size());
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    write_step(trace.steps[i], trace, exits_[i]);
    if (text_.size() >= 1u << 16) {
      out_.write(text_);
      text_.clear();
    }
  }
  out_.write(text_);
}

void AccelsimWriter::write_step(const Step& step, const WarpTrace& trace, bool exits) {
  const InstInfo& inst = code_.infos[step.inst];
  const Line& line = lines_[step.inst];
  fmt::format_to(std::back_inserter(text_), "{:04x} {:08x}{}", line.pc, step.lanes,
                 exits ? line.exit_text : line.text);
  if (has_operand(inst)) {
    write_addresses(inst, step, trace.addresses.data() + step.first_address);
  } else if (inst.op_class == OpClass::barrier) {
    fmt::format_to(std::back_inserter(text_), " {}", exact_barrier(step));
  }
  text_ += '\n';
}

// The three forms of addresses: base and stride of adjoining lanes, base and differences, a list.
void AccelsimWriter::write_addresses(const InstInfo& inst, const Step& step, const Addr* address) {
  const auto out = std::back_inserter(text_);
  const unsigned n = static_cast<unsigned>(__builtin_popcount(step.lanes));
  if (n == 0) {
    fmt::format_to(out, " 1 0x0 0 0");
    return;
  }
  Addr window = step.space == Space::shared  ? kExportedSharedWindow
                : step.space == Space::local ? kExportedLocalWindow
                                             : 0;
  if (inst.space == Space::shared) window = 0;  // offsets, as a compiler addresses it
  if (inst.space == Space::generic && step.space == Space::global)
    for (unsigned i = 0; i < n; ++i)
      if (address[i] >= kExportedSharedWindow && address[i] < kExportedWindowsEnd)
        throw UserError(fmt::format("{}: generic address 0x{:x}; allowed: outside 0x{:x} to 0x{:x}",
                                    place_, address[i], kExportedSharedWindow,
                                    kExportedWindowsEnd - 1));
  const auto step_of = [&](unsigned i) {
    return static_cast<std::int64_t>(address[i] - address[i - 1]);
  };
  const auto small = [](std::int64_t difference) {
    return difference >= std::numeric_limits<std::int32_t>::min() &&
           difference <= std::numeric_limits<std::int32_t>::max();
  };
  const LaneMask low = step.lanes >> __builtin_ctz(step.lanes);
  bool strided = n > 1 && (low & (low + 1)) == 0;
  for (unsigned i = 1; strided && i < n; ++i)
    strided = step_of(i) == step_of(1) && small(step_of(i));
  if (n == 1) {
    fmt::format_to(out, " 0 0x{:x}", window + address[0]);
  } else if (strided) {
    fmt::format_to(out, " 1 0x{:x} {}", window + address[0], step_of(1));
  } else {
    fmt::format_to(out, " 2 0x{:x}", window + address[0]);
    for (unsigned i = 1; i < n; ++i) fmt::format_to(out, " {}", step_of(i));
  }
  text_ += " 0";  // the immediate, which a reader may take for one more difference
}

}  // namespace warpmem::program::trace
