// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/register_syntax.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "program/cuda/source_code.hpp"

namespace warpmem::program::cuda {

namespace {

constexpr std::array<std::string_view, 32> kRegisters = {"laneid",
                                                         "warpid",
                                                         "nwarpid",
                                                         "smid",
                                                         "nsmid",
                                                         "gridid",
                                                         "lanemask_eq",
                                                         "lanemask_le",
                                                         "lanemask_lt",
                                                         "lanemask_ge",
                                                         "lanemask_gt",
                                                         "clock",
                                                         "clock_hi",
                                                         "clock64",
                                                         "globaltimer",
                                                         "globaltimer_lo",
                                                         "globaltimer_hi",
                                                         "tid",
                                                         "ntid",
                                                         "ctaid",
                                                         "nctaid",
                                                         "clusterid",
                                                         "nclusterid",
                                                         "cluster_ctaid",
                                                         "cluster_nctaid",
                                                         "cluster_ctarank",
                                                         "cluster_nctarank",
                                                         "is_explicit_cluster",
                                                         "total_smem_size",
                                                         "dynamic_smem_size",
                                                         "reserved_smem_offset_begin",
                                                         "aggr_smem_size"};

/// White space, and lines that go on.
bool is_gap(std::string_view text, std::size_t at) {
  return is_space(text[at]) || (text[at] == '\\' && at + 1 < text.size() && is_space(text[at + 1]));
}
std::size_t behind_gap(std::string_view text, std::size_t at) {
  while (at < text.size() && is_gap(text, at)) ++at;
  return at;
}
std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(at, end - at);
}

struct Literal {
  std::size_t begin = 0, end = 0;
};

/// The string literals of an assembly statement with operands whose first word is at `at`; none
/// when it is no such statement.
std::vector<Literal> assembly_at(std::string_view text, std::size_t at) {
  const std::string_view word = word_at(text, at);
  if (word != "asm" && word != "__asm__" && word != "__asm") return {};
  at = behind_gap(text, at + word.size());
  while (at < text.size() && is_word(text[at]))
    at = behind_gap(text, at + word_at(text, at).size());  // volatile
  if (at >= text.size() || text[at] != '(') return {};
  std::vector<Literal> literals;
  for (at = behind_gap(text, at + 1); at < text.size() && text[at] == '"';
       at = behind_gap(text, at)) {
    Code code(text);
    code.go_to(at);
    code.advance();
    literals.push_back({at, code.at()});
    at = code.at();
  }
  return at < text.size() && text[at] == ':' ? literals : std::vector<Literal>();
}

/// Whether a word behind % names a register, of the machine or of the assembly itself; otherwise it
/// is for clang: an operand's number behind one letter, or its name in brackets.
bool is_register(std::string_view word, std::string_view behind) {
  if (std::find(kRegisters.begin(), kRegisters.end(), word) != kRegisters.end()) return true;
  if (word.empty() || (word[0] >= '0' && word[0] <= '9')) return false;
  const bool number = word.find_first_not_of("0123456789", 1) == std::string_view::npos;
  return word.size() == 1 ? behind.empty() || behind[0] != '[' : !number;
}

/// Appends a literal with its registers escaped; true when there were any.
bool append(std::string_view literal, std::string& out) {
  bool any = false;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    out += literal[i];
    if (literal[i] != '%' || i + 1 == literal.size()) continue;
    if (literal[i + 1] == '%') {
      out += literal[++i];
      continue;
    }
    const std::string_view name = word_at(literal, i + 1);
    if (!is_register(name, literal.substr(i + 1 + name.size()))) continue;
    out += '%';
    any = true;
  }
  return any;
}

}  // namespace

std::optional<std::string> with_escaped_registers(std::string_view source) {
  std::string text;
  bool changed = false;
  std::size_t copied = 0;
  Code code(source);
  while (!code.at_end()) {
    const std::size_t at = code.at();
    const bool begins_word = is_word(source[at]) && (at == 0 || !is_word(source[at - 1]));
    const std::vector<Literal> literals =
        begins_word ? assembly_at(source, at) : std::vector<Literal>();
    for (const Literal& literal : literals) {
      text += source.substr(copied, literal.begin - copied);
      changed |= append(source.substr(literal.begin, literal.end - literal.begin), text);
      copied = literal.end;
    }
    if (literals.empty())
      code.advance();
    else
      code.go_to(copied);
  }
  if (!changed) return std::nullopt;
  text += source.substr(copied);
  return text;
}

}  // namespace warpmem::program::cuda
