// SPDX-License-Identifier: Apache-2.0
#include "app/kernel_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "program/demangled.hpp"

namespace warpmem::app {

namespace {

constexpr std::size_t kMostNames = 20;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// Commas within a name's brackets belong to the name.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool parse_number(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value != 0;
}

/// Returns where the bracket that ends the text opens, or npos.
std::size_t opening(std::string_view text, char open, char close) {
  if (text.empty() || text.back() != close) return std::string_view::npos;
  int depth = 0;
  for (std::size_t i = text.size(); i-- != 0;) {
    if (text[i] == close) ++depth;
    if (text[i] == open && --depth == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

std::vector<std::string> kernel_name_forms(const std::string& name) {
  const std::string whole = program::demangled(name);
  std::vector<std::string> forms = {whole};
  const std::size_t arguments = opening(whole, '(', ')');
  std::string form = arguments == std::string::npos ? whole : whole.substr(0, arguments);
  forms.push_back(form);
  int depth = 0;  // the return type ends at the last blank outside brackets
  for (std::size_t i = form.size(); i-- != 0;) {
    if (form[i] == '>' || form[i] == ')') ++depth;
    if (form[i] == '<' || form[i] == '(') --depth;
    if (form[i] != ' ' || depth != 0) continue;
    form.erase(0, i + 1);
    break;
  }
  forms.push_back(form);
  const std::size_t parameters = opening(form, '<', '>');
  if (parameters != std::string::npos) forms.push_back(form.substr(0, parameters));
  if (whole != name) forms.push_back(name);
  return forms;
}

KernelSelection::KernelSelection(const std::string& text) {
  if (text.empty()) return;
  for (const std::string& item : split(text)) {
    Part part;
    part.text = std::string(trimmed(item));
    if (part.text.rfind("name=", 0) == 0) {
      part.name = part.text.substr(5);
    } else {
      const std::size_t dash = part.text.find('-');
      const bool good =
          parse_number(part.text.substr(0, dash), part.first) &&
          (dash == std::string::npos || parse_number(part.text.substr(dash + 1), part.last));
      if (dash == std::string::npos) part.last = part.first;
      if (!good || part.last < part.first) part.first = 0;
    }
    if (part.name.empty() && part.first == 0)
      throw UserError(
          fmt::format("kernels: {} is not a launch; allowed: numbers from 1 (3), ranges (3-5) "
                      "and name=KERNEL, with commas between them",
                      part.text.empty() ? "an empty value" : "'" + shown(part.text) + "'"));
    parts_.push_back(std::move(part));
  }
}

bool KernelSelection::selects(std::uint64_t number, const std::string& name) {
  if (parts_.empty()) return true;
  ++launches_;
  const std::vector<std::string> forms = kernel_name_forms(name);
  if (names_.size() < kMostNames &&
      std::find(names_.begin(), names_.end(), forms[1]) == names_.end())
    names_.push_back(forms[1]);
  bool any = false;
  for (Part& part : parts_) {
    const bool match = part.name.empty()
                           ? number >= part.first && number <= part.last
                           : std::find(forms.begin(), forms.end(), part.name) != forms.end();
    part.used = part.used || match;
    any = any || match;
  }
  return any;
}

void KernelSelection::require_all_used() const {
  std::string unused;
  for (const Part& part : parts_)
    if (!part.used) unused += (unused.empty() ? "'" : ", '") + shown(part.text) + "'";
  if (unused.empty()) return;
  std::string names;
  for (const std::string& name : names_) names += (names.empty() ? "" : ", ") + shown(name);
  throw UserError(fmt::format("kernels: no launch was {}; there were {} launches{}{}{}", unused,
                              launches_, names.empty() ? "" : ", of ", names,
                              names_.size() == kMostNames ? ", ..." : ""));
}

std::uint64_t parse_cta_limit(const std::string& text) {
  std::uint64_t limit = kNoLimit;
  if (!text.empty() && !parse_number(text, limit))
    throw UserError(fmt::format("ctas: '{}' is not allowed; a number from 1", shown(text)));
  return limit;
}

}  // namespace warpmem::app
