// SPDX-License-Identifier: Apache-2.0
#include "program/trace/exact_lines.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "base/text.hpp"
#include "program/trace/own_format.hpp"
#include "program/trace/summary.hpp"
#include "program/trace/tokens.hpp"

namespace warpmem::program::trace {
namespace {

constexpr const char* kMemOps[] = {"none", "load", "store", "atomic", "reduction"};
constexpr const char* kCopies[] = {"none", "copy", "close", "wait", "wait_all"};
static_assert(static_cast<std::size_t>(MemOp::reduction) + 1 == std::size(kMemOps));
static_assert(static_cast<std::size_t>(AsyncCopy::wait_all) + 1 == std::size(kCopies));

constexpr unsigned kBarriers = 16;
constexpr unsigned kArrives = 16, kWarps = 32;  // of the immediate of a barrier

/// The words of one line, each of which must be there and in its range.
class Words {
 public:
  Words(const LineReader& lines, std::string_view text) : lines_(lines), tokens_(text) {}

  std::uint64_t number(const char* what, std::uint64_t least, std::uint64_t most) {
    const std::string_view word = tokens_.next();
    std::uint64_t value = 0;
    if (!parse_decimal(word, value) || value < least || value > most)
      fail(word, what, fmt::format("a number from {} to {}", least, most));
    return value;
  }
  std::uint32_t pc() {
    const std::string_view word = tokens_.next();
    std::uint32_t value = 0;
    if (!parse_hex(word, value)) fail(word, "PC", "a hexadecimal number below 2^32");
    return value;
  }
  /// Returns the place of the word among the first `count` names.
  template <class NameOf>
  std::size_t name(const char* what, std::size_t count, NameOf name_of_place) {
    const std::string_view word = tokens_.next();
    std::string allowed;
    for (std::size_t i = 0; i < count; ++i) {
      if (word == name_of_place(i)) return i;
      allowed += (i == 0 ? "" : ", ") + std::string(name_of_place(i));
    }
    fail(word, what, allowed);
  }
  std::string_view rest() { return tokens_.rest(); }
  [[noreturn]] void fail(std::string_view word, const char* what, const std::string& allowed) {
    if (word.empty())
      lines_.fail(fmt::format("the line ends before {}; allowed: {}", what, allowed));
    lines_.fail(fmt::format("`{}` as {}; allowed: {}", shown(word), what, allowed));
  }

 private:
  const LineReader& lines_;
  Tokens tokens_;
};

template <class List>
void read_registers(Words& words, const char* what, List& list, std::uint64_t most) {
  for (std::uint64_t left = words.number(what, 0, most == 0 ? 0 : list.kMost); left != 0; --left)
    list.add(static_cast<std::uint16_t>(words.number("register", 0, most - 1)));
}

template <class List>
std::string registers_text(const List& list) {
  std::string text = fmt::format(" {}", list.size());
  for (const std::uint16_t reg : list) text += fmt::format(" {}", reg);
  return text;
}

}  // namespace

std::string exact_kernel(const KernelTraits& traits) {
  return fmt::format("{} {} {}", traits.registers_per_thread, traits.local_bytes,
                     traits.scoreboard_registers);
}

std::string exact_instruction(std::uint32_t pc_in_trace, const InstInfo& inst,
                              const std::string& mnemonic) {
  const std::string text = fmt::format(
      "{:04x} {} {} {} {} {} {} {} {} {} {}", pc_in_trace, inst.pc, inst.line, inst.source_line,
      name_of(inst.op_class), kMemOps[static_cast<std::size_t>(inst.mem)], name_of(inst.space),
      inst.bytes, inst.volatile_access ? 1 : 0, kCopies[static_cast<std::size_t>(inst.async)],
      inst.async_groups);
  return text + registers_text(inst.sources) + registers_text(inst.destinations) + " " + mnemonic;
}

void read_exact_kernel(const LineReader& lines, std::string_view text, ExactKernel& kernel) {
  Words words(lines, text);
  kernel.registers_per_thread =
      static_cast<std::uint32_t>(words.number("registers a thread", 0, kMostRegisters));
  kernel.local_bytes = words.number("bytes of local memory", 0, std::uint64_t(1) << 32);
  kernel.scoreboard_registers =
      static_cast<std::uint32_t>(words.number("scoreboard registers", 0, kMostRegisters));
  if (!words.rest().empty()) words.fail(words.rest(), "end of the line", "three numbers");
  kernel.known = true;
}

void read_exact_instruction(const LineReader& lines, std::string_view text, ExactKernel& kernel) {
  if (!kernel.known)
    lines.fail(fmt::format("`-{}` before `-{}`", kExactInstructionKey, kExactKernelKey));
  if (kernel.instructions.size() == OwnFormatLimits::kInstructions)
    lines.fail(fmt::format("more than {} static instructions", OwnFormatLimits::kInstructions));
  Words words(lines, text);
  const std::uint32_t pc = words.pc();
  const auto [at, fresh] = kernel.instructions.try_emplace(pc);
  if (!fresh) lines.fail(fmt::format("the instruction at {:04x} for the second time", pc));
  InstInfo& inst = at->second.info;
  constexpr std::uint64_t kWord = 0xffffffff;
  inst.pc = static_cast<std::uint32_t>(words.number("PC of the source", 0, kWord));
  inst.line = static_cast<std::uint32_t>(words.number("line", 0, kWord));
  inst.source_line = static_cast<std::uint32_t>(words.number("source line", 0, kWord));
  inst.op_class = static_cast<OpClass>(words.name(
      "class", kOpClasses, [](std::size_t i) { return name_of(static_cast<OpClass>(i)); }));
  inst.mem = static_cast<MemOp>(
      words.name("memory operation", std::size(kMemOps), [](std::size_t i) { return kMemOps[i]; }));
  inst.space =
      static_cast<Space>(words.name("space", static_cast<std::size_t>(Space::generic) + 1,
                                    [](std::size_t i) { return name_of(static_cast<Space>(i)); }));
  const bool accesses = inst.mem != MemOp::none;
  inst.bytes =
      static_cast<std::uint8_t>(words.number("bytes a lane", accesses ? 1 : 0, Issue::kLaneBytes));
  inst.volatile_access = words.number("flag of a volatile access", 0, 1) != 0;
  inst.async = static_cast<AsyncCopy>(
      words.name("part in copies", std::size(kCopies), [](std::size_t i) { return kCopies[i]; }));
  inst.async_groups = static_cast<std::uint8_t>(words.number("groups", 0, 255));
  const std::uint64_t registers = kernel.scoreboard_registers;
  read_registers(words, "sources", inst.sources, registers);
  read_registers(words, "destinations", inst.destinations, registers);
  at->second.mnemonic = std::string(words.rest());
  if (at->second.mnemonic.empty()) words.fail({}, "mnemonic", "a word");
}

std::uint64_t exact_barrier(const Step& step) {
  return step.barrier + (step.barrier_waits ? 0 : kArrives) +
         std::uint64_t(kWarps) * step.barrier_warps;
}

bool read_exact_barrier(std::uint64_t immediate, Step& step) {
  constexpr unsigned kMostWarps = 1024 / kWarpLanes;
  step.barrier = static_cast<std::uint8_t>(immediate % kBarriers);
  step.barrier_waits = (immediate & kArrives) == 0;
  step.barrier_warps = static_cast<std::uint16_t>(immediate / kWarps);
  return immediate / kWarps <= kMostWarps;
}

}  // namespace warpmem::program::trace
