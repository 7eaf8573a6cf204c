// SPDX-License-Identifier: Apache-2.0
#include "program/trace/accelsim_header.hpp"

#include <set>

#include "base/text.hpp"
#include "program/trace/sass_opcodes.hpp"
#include "program/trace/tokens.hpp"

namespace warpmem::program::trace {
namespace {

constexpr std::uint32_t kNewestTracer = 5;
constexpr std::uint32_t kMaxRegisters = 255;
constexpr std::uint64_t kMaxShared = 1u << 24;

// The text reads "(x,y,z)".
Dim3 dimensions(const LineReader& lines, std::string_view key, std::string_view text,
                std::uint64_t limit) {
  Dim3 d;
  std::uint32_t* const part[] = {&d.x, &d.y, &d.z};
  std::string_view rest = text;
  bool good = rest.size() > 2 && rest.front() == '(' && rest.back() == ')';
  if (good) rest = rest.substr(1, rest.size() - 2);
  for (unsigned i = 0; good && i < 3; ++i) {
    const std::size_t comma = rest.find(',');
    good = (comma == std::string_view::npos) == (i == 2) &&
           parse_decimal(trimmed(rest.substr(0, comma)), *part[i]) && *part[i] != 0;
    if (good && i < 2) rest.remove_prefix(comma + 1);
  }
  // Three factors below 2^31 are at most 2^93: the product is formed in steps.
  const std::uint64_t plane = std::uint64_t(d.x) * d.y;
  if (!good || d.x > 0x7fffffff || plane > limit || plane * d.z > limit)
    lines.fail(std::string(key) + " is `" + shown(text) +
               "`; allowed: (x,y,z), each at least 1, at most " + std::to_string(limit) +
               " in all");
  return d;
}

template <class Number>
Number number(const LineReader& lines, std::string_view key, std::string_view text,
              std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  if (!parse_decimal(text, value) || value < least || value > most)
    lines.fail(std::string(key) + " is `" + shown(text) + "`; allowed: a decimal number from " +
               std::to_string(least) + " to " + std::to_string(most));
  return static_cast<Number>(value);
}

Addr base(const LineReader& lines, std::string_view key, std::string_view text) {
  Addr value = 0;
  if (!parse_hex(text, value))
    lines.fail(std::string(key) + " is `" + shown(text) + "`; allowed: a hexadecimal address");
  return value;
}

}  // namespace

AccelsimHeader read_accelsim_header(LineReader& lines, Notes& notes) {
  AccelsimHeader h;
  std::set<std::string, std::less<>> seen;
  std::string_view line;
  for (;;) {
    if (!lines.next(line)) {
      if (lines.line() == 0) throw UserError(lines.path() + ": empty; a kernel trace has a header");
      lines.fail("the file ends in the header (truncated)");
    }
    line = trimmed(line);
    if (line.empty()) continue;
    if (line[0] == '#') break;
    const std::size_t equals = line.find('=');
    if (line[0] != '-' || equals == std::string_view::npos)
      lines.fail("`" + shown(line) +
                 "` in the header; allowed: lines `-key = value`, then `#traces format = ...`");
    const std::string_view key = trimmed(line.substr(1, equals - 1));
    const std::string_view value = trimmed(line.substr(equals + 1));
    if (key == kExactInstructionKey) {
      read_exact_instruction(lines, value, h.exact);
      continue;
    }
    if (!seen.emplace(key).second)
      lines.fail("`-" + shown(key) + "` twice in the header; allowed: once");
    if (key == "kernel name")
      h.name = std::string(value);
    else if (key == "grid dim")
      h.grid = dimensions(lines, key, value, std::uint64_t(1) << 40);
    else if (key == "block dim")
      h.block = dimensions(lines, key, value, 1024);
    else if (key == "shmem")
      h.shared_bytes = number<std::uint64_t>(lines, key, value, 0, kMaxShared);
    else if (key == "nregs")
      h.registers = number<std::uint32_t>(lines, key, value, 0, kMaxRegisters);
    else if (key == "binary version")
      h.binary_version = number<std::uint32_t>(lines, key, value, 30, 999);
    else if (key == kExactKernelKey)
      read_exact_kernel(lines, value, h.exact);
    else if (key == "shmem base_addr")
      h.shared_window = base(lines, key, value);
    else if (key == "local mem base_addr")
      h.local_window = base(lines, key, value);
    else if (key == "accelsim tracer version")
      h.tracer_version = number<std::uint32_t>(lines, key, value, 0, 1'000'000);
    else if (key == "enable lineinfo")
      h.line_numbers = number<unsigned>(lines, key, value, 0, 1) != 0;
    else if (key == "cuda stream id")
      number<std::uint64_t>(lines, key, value, 0, ~std::uint64_t(0));
    else if (key == "kernel id")
      number<std::uint64_t>(lines, key, value, 0, ~std::uint64_t(0));
  }
  std::string missing;
  for (const char* key : {"grid dim", "block dim", "shmem", "nregs", "binary version"})
    if (seen.count(key) == 0) missing += (missing.empty() ? "`-" : ", `-") + std::string(key) + "`";
  if (!missing.empty()) lines.fail("the header ends without " + missing);
  if (h.name.empty()) h.name = lines.path();
  if (sass_architecture(h.binary_version) == nullptr)
    notes.of("binary version " + std::to_string(h.binary_version) +
             " is not known; its opcodes are read as those of any architecture");
  if (h.tracer_version > kNewestTracer)
    notes.of("tracer version " + std::to_string(h.tracer_version) + " is newer than " +
             std::to_string(kNewestTracer) + ", read as " + std::to_string(kNewestTracer));
  return h;
}

}  // namespace warpmem::program::trace
