// SPDX-License-Identifier: Apache-2.0
#include "program/trace/sass_instruction.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "program/trace/sass_mma.hpp"
#include "program/trace/tokens.hpp"

namespace warpmem::program::trace {
namespace {

constexpr unsigned kZeroRegister = 255;

std::string sm(unsigned version) { return "sm_" + std::to_string(version); }

unsigned count(std::string_view token, const char* of, unsigned most, const LineReader& lines) {
  unsigned value = 0;
  if (!parse_decimal(token, value) || value > most)
    lines.fail(token.empty() ? std::string("the line ends before the number of ") + of
                             : "`" + shown(token) + "` as number of " + of + "; allowed: 0 to " +
                                   std::to_string(most));
  return value;
}

unsigned reg(std::string_view token, const char* of, const LineReader& lines) {
  unsigned value = 0;
  if (token.size() < 2 || token[0] != 'R' || !parse_decimal(token.substr(1), value) ||
      value > kZeroRegister)
    lines.fail("`" + shown(token) + "` as " + of + " register; allowed: R0 to R255");
  return value;
}

// Adds registers first, first + 1, ... as far as there is room and registers exist.
template <class List>
void add(List& list, unsigned first, unsigned registers) {
  if (first == kZeroRegister) return;
  for (unsigned r = first; r < std::min(first + registers, kZeroRegister) && !list.full(); ++r)
    list.add(static_cast<std::uint16_t>(r));
}

// A trace names only the first register of each operand.
struct OperandWidths {
  unsigned destination = 1;
  unsigned source = 1;
  unsigned last_source = 1;
};

/// Returns the matrices of 8 x 8 that an instruction moves; 0: it is none of these.
unsigned matrices_of(const SassInstruction& s, std::string_view name) {
  if (name != "LDSM" && name != "STSM") return 0;
  return has_component(s.mnemonic, "4") ? 4 : has_component(s.mnemonic, "2") ? 2 : 1;
}

OperandWidths operand_widths(const SassInstruction& s, std::string_view name) {
  const InstInfo& info = s.info;
  const unsigned words = std::max(1u, info.bytes / 4u);
  if (const unsigned matrices = matrices_of(s, name); matrices != 0)
    return {matrices, 1, matrices};  // each has a register
  if (info.mem == MemOp::load && s.role != SassRole::copy) return {words, 1, 1};
  if (info.mem == MemOp::store) return {1, 1, words};
  if (info.mem == MemOp::atomic || info.mem == MemOp::reduction) return {words, 1, words};
  if (info.op_class == OpClass::fp64 && name != "DSETP" && name != "DSET") return {2, 2, 2};
  if (has_component(s.mnemonic, "WIDE")) return {2, 1, 2};
  return {};
}

void classify(SassInstruction& s, std::string_view name, unsigned version, unsigned mem_width,
              const LineReader& lines, Notes& notes) {
  InstInfo& info = s.info;
  const std::string said(shown(name));
  const SassOpcode* opcode = find_sass_opcode(name);
  if (opcode == nullptr) {
    const std::string unknown = "opcode " + said + " is unknown (" + sm(version);
    s.note = &notes.of(
        unknown,
        unknown + ", first in " + lines.place() + "); taken as int_alu without memory access",
        "warp instructions");
    return;
  }
  if (!opcode->exists_in(version) && sass_architecture(version) != nullptr)
    s.note = &notes.of("opcode " + said + " does not belong to " + sm(version) +
                           "; taken as on the architectures that have it",
                       "warp instructions");
  if (opcode->role == SassRole::untraced)
    s.note = &notes.of("opcode " + said +
                           ": the trace has no addresses of what it moves; fixed "
                           "latency, no traffic",
                       "warp instructions");
  s.role = opcode->role;
  info.op_class = opcode->op_class;
  info.mem = opcode->mem;
  info.space = opcode->space;
  if (s.role == SassRole::copy) info.async = AsyncCopy::copy;
  if (s.role == SassRole::close_group) info.async = AsyncCopy::close;
  if (s.role == SassRole::wait_group) info.async = AsyncCopy::wait;
  if (info.op_class == OpClass::barrier && has_component(s.mnemonic, "ARV")) {
    // Which barrier is not in the trace; waiting there would be wrong, counting it, too.
    info.op_class = OpClass::int_alu;
    s.note = &notes.of("BAR.ARV: the trace does not tell which barrier; does not count as arrival",
                       "warp instructions");
  }
  // These are conversions from and to double.
  if ((name == "F2F" || name == "F2I" || name == "I2F" || name == "FRND") &&
      has_component(s.mnemonic, "F64"))
    info.op_class = OpClass::fp64;
  if (info.mem == MemOp::none) return;
  const bool token_fits =
      mem_width == 1 || mem_width == 2 || mem_width == 4 || mem_width == 8 || mem_width == 16;
  const unsigned suffix = sass_width(s.mnemonic);
  info.bytes = static_cast<std::uint8_t>(suffix != 0 ? suffix : token_fits ? mem_width : 4);
  if (suffix != 0 && token_fits && mem_width != suffix && name != "LDSM" && name != "STSM")
    s.note =
        &notes.of(s.mnemonic + ": mem_width says " + std::to_string(mem_width) +
                      " bytes, the mnemonic " + std::to_string(suffix) + "; the mnemonic is taken",
                  "warp instructions");
  const bool strong = has_component(s.mnemonic, "STRONG") &&
                      (has_component(s.mnemonic, "GPU") || has_component(s.mnemonic, "SYS"));
  const bool bypass = s.role == SassRole::copy && has_component(s.mnemonic, "BYPASS");
  info.volatile_access = info.mem == MemOp::load && (strong || bypass);
}

}  // namespace

SassInstruction parse_sass_instruction(std::string_view rest, std::uint32_t pc,
                                       unsigned binary_version, const LineReader& lines,
                                       Notes& notes) {
  SassInstruction s;
  Tokens tokens(rest);
  constexpr unsigned kMostDestinations = decltype(InstInfo::destinations)::kMost;
  constexpr unsigned kMostSources = decltype(InstInfo::sources)::kMost;
  std::array<unsigned, kMostSources> destination, source;
  const unsigned destinations =
      count(tokens.next(), "destination registers", kMostDestinations, lines);
  for (unsigned i = 0; i < destinations; ++i)
    destination[i] = reg(tokens.next(), "destination", lines);
  const std::string_view mnemonic = tokens.next();
  if (mnemonic.empty() || mnemonic[0] < 'A' || mnemonic[0] > 'Z' ||
      !std::all_of(mnemonic.begin(), mnemonic.end(),
                   [](unsigned char c) { return c > 32 && c < 127; }))
    lines.fail("`" + shown(mnemonic) + "` where the opcode should be; allowed: a SASS mnemonic");
  s.mnemonic = std::string(mnemonic);
  const unsigned sources = count(tokens.next(), "source registers", kMostSources, lines);
  for (unsigned i = 0; i < sources; ++i) source[i] = reg(tokens.next(), "source", lines);
  const std::string_view width = tokens.next();
  const unsigned mem_width = count(width, "bytes a lane (mem_width)", 1024, lines);
  std::size_t length = static_cast<std::size_t>(width.data() + width.size() - rest.data());
  s.memory_operand = mem_width != 0;
  s.info.pc = s.pc = pc;
  s.info.line = static_cast<std::uint32_t>(std::min<std::uint64_t>(lines.line(), ~0u));
  const std::string_view name = mnemonic.substr(0, mnemonic.find('.'));
  classify(s, name, binary_version, mem_width, lines, notes);
  if (s.role == SassRole::wait_group && !s.memory_operand) {
    const std::string_view immediate = tokens.next();
    std::uint64_t groups = 0;
    if (!immediate.empty()) {
      if (!parse_decimal(immediate, groups))
        lines.fail("`" + shown(immediate) +
                   "` as number of groups of DEPBAR; allowed: a decimal "
                   "number");
      length = static_cast<std::size_t>(immediate.data() + immediate.size() - rest.data());
    }
    s.info.async_groups = static_cast<std::uint8_t>(std::min<std::uint64_t>(groups, 255));
    s.has_immediate = true;
  }
  s.text = std::string(rest.substr(0, length));
  // A lane has the address of a row; those of lanes beyond the rows do not count.
  if (const unsigned matrices = matrices_of(s, name); matrices != 0)
    s.address_lanes >>= kWarpLanes - 8 * matrices;

  if (s.info.op_class == OpClass::tensor) {
    const MmaRegisters mma = mma_registers(s.mnemonic);
    const unsigned operands[] = {mma.a, mma.b, mma.c};
    for (unsigned i = 0; i < destinations; ++i) add(s.info.destinations, destination[i], mma.c);
    for (unsigned i = 0; i < sources; ++i)
      add(s.info.sources, source[i], i < std::size(operands) ? operands[i] : 1);
    return s;
  }
  const OperandWidths w = operand_widths(s, name);
  for (unsigned i = 0; i < destinations; ++i)
    add(s.info.destinations, destination[i], w.destination);
  for (unsigned i = 0; i < sources; ++i)
    add(s.info.sources, source[i], i + 1 == sources ? w.last_source : w.source);
  return s;
}

}  // namespace warpmem::program::trace
