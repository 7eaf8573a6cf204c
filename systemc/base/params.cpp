// SPDX-License-Identifier: Apache-2.0
#include "base/params.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/assert.hpp"
#include "base/nearest.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"

namespace warpmem {
namespace {

const std::string kUnknown = "unknown value ";

QuantityKind kind_of_type(std::string_view type) {
  if (type == "size") return QuantityKind::bytes;
  if (type == "frequency") return QuantityKind::hertz;
  return QuantityKind::count;
}

/// The names of fields carry their unit ("hit_cycles"), so an integer or real needs none of its
/// own.
std::string unit_of(std::string_view name, std::string_view type) {
  if (type == "size") return "bytes";
  if (type == "frequency") return "Hz";
  if (type != "integer" && type != "real") return "";
  for (const char* unit : {"cycles", "bytes", "bits", "ns", "us", "ps", "lines", "seconds"}) {
    const std::string suffix = std::string("_") + unit;
    if (name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix)
      return unit;
  }
  return "";
}

std::string allowed_text(QuantityKind kind, const IntRange& range) {
  constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
  std::string text = format_quantity(kind, range.min);
  text += range.max == kMax ? " or more" : ".." + format_quantity(kind, range.max);
  if (range.power_of_two) text += ", a power of two";
  return text;
}

/// Returns what is wrong with a number, or "" when it may be taken.
std::string number_error(const Quantity& q, QuantityKind kind, const IntRange& range,
                         std::string_view text) {
  const char* const noun = kind == QuantityKind::bytes   ? "a size in bytes"
                           : kind == QuantityKind::hertz ? "a frequency"
                           : kind == QuantityKind::time  ? "a time"
                                                         : "an integer";
  switch (q.error) {
    case QuantityError::none:
      if (q.value < range.min || q.value > range.max) break;
      if (!range.power_of_two || is_power_of_two(q.value)) return "";
      return shown(text) + " is not a power of two";
    case QuantityError::syntax:
      return fmt::format("{} is not {}", shown(text), noun);
    case QuantityError::unit:
      return fmt::format("{} has the unknown unit {}; units: {}", shown(text), shown(q.unit),
                         unit_names(kind));
    case QuantityError::fraction:
      if (kind == QuantityKind::count) return fmt::format("{} is not {}", shown(text), noun);
      return fmt::format("{} is not a whole number of {}", shown(text),
                         kind == QuantityKind::bytes  ? "bytes"
                         : kind == QuantityKind::time ? "cycles or picoseconds"
                                                      : "hertz");
    case QuantityError::too_large:
    case QuantityError::negative:
      break;
  }
  return shown(text) + " is out of range";
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string joined(const std::vector<ParamCondition>& conditions, bool only_missing) {
  std::string text;
  for (const ParamCondition& condition : conditions) {
    if (only_missing && condition.holds()) continue;
    text += (text.empty() ? "" : " and ") + condition.text;
  }
  return text;
}

}  // namespace

bool Param::active() const {
  return std::all_of(conditions.begin(), conditions.end(),
                     [](const ParamCondition& c) { return c.holds(); });
}

std::string Param::condition() const { return joined(conditions, false); }
std::string Param::missing_condition() const { return joined(conditions, true); }

bool Param::in_vain_only_noted() const {
  return std::all_of(conditions.begin(), conditions.end(),
                     [](const ParamCondition& c) { return c.only_noted || c.holds(); });
}

Param Schema::begin(std::string_view name, const char* type, std::string_view doc,
                    std::string_view source) const {
  Param param;
  param.name = prefix_ + std::string(name);
  param.type = type;
  param.unit = unit_of(name, type);
  param.doc = std::string(doc);
  param.source = std::string(source);
  return param;
}

void Schema::add(Param param) {
  assert(find(param.name) == nullptr && "two keys of one name");
  assert(find_group(param.name) == nullptr && "a key named like a group");
  param.conditions = conditions_;
  assert(param.set(param.get()).empty() && "the default is outside the range");
  params_.push_back(std::move(param));
}

template <class T>
void Schema::add_number(Param param, T& field, IntRange range) {
  range.max = std::min<std::uint64_t>(range.max, std::numeric_limits<T>::max());
  assert(range.min <= range.max);
  const QuantityKind kind = kind_of_type(param.type);
  param.allowed = allowed_text(kind, range);
  T* const where = &field;
  param.get = [where, kind] { return format_quantity(kind, *where); };
  param.set = [where, kind, range,
               allowed = param.allowed](const std::string& text) -> std::string {
    const Quantity q = parse_quantity(kind, text);
    const std::string error = number_error(q, kind, range, trimmed(text));
    if (!error.empty()) return error + "; allowed: " + allowed;
    *where = static_cast<T>(q.value);
    return "";
  };
  add(std::move(param));
}

void Schema::integer(std::string_view name, std::uint32_t& field, IntRange range,
                     std::string_view doc, std::string_view source) {
  add_number(begin(name, "integer", doc, source), field, range);
}

void Schema::integer(std::string_view name, std::uint64_t& field, IntRange range,
                     std::string_view doc, std::string_view source) {
  add_number(begin(name, "integer", doc, source), field, range);
}

void Schema::size(std::string_view name, std::uint64_t& field, IntRange range, std::string_view doc,
                  std::string_view source) {
  add_number(begin(name, "size", doc, source), field, range);
}

void Schema::frequency(std::string_view name, std::uint64_t& field, IntRange range,
                       std::string_view doc, std::string_view source) {
  add_number(begin(name, "frequency", doc, source), field, range);
}

void Schema::time(std::string_view name, ClockTime& field, IntRange range, std::string_view doc,
                  std::string_view source) {
  Param param = begin(name, "time", doc, source);
  param.allowed = fmt::format("{}..{} ck or up to {} ns", range.min, range.max, range.max);
  ClockTime* const where = &field;
  param.get = [where] { return where->text(); };
  param.set = [where, range, allowed = param.allowed](const std::string& text) -> std::string {
    const std::string_view word = trimmed(text);
    const Quantity q = parse_quantity(QuantityKind::time, word);
    const bool in_ns = word.size() > 2 && word.substr(word.size() - 2) == "ns";
    const IntRange limits = {range.min, in_ns ? 1000 * range.max : range.max};
    const std::string error = number_error(q, QuantityKind::time, limits, word);
    if (!error.empty()) return error + "; allowed: " + allowed;
    *where =
        in_ns ? ClockTime::of_picoseconds(q.value) : ClockTime(static_cast<std::uint32_t>(q.value));
    return "";
  };
  add(std::move(param));
}

void Schema::flag(std::string_view name, bool& field, std::string_view doc,
                  std::string_view source) {
  Param param = begin(name, "bool", doc, source);
  param.allowed = "true, false";
  bool* const where = &field;
  param.get = [where] { return std::string(*where ? "true" : "false"); };
  param.set = [where](const std::string& text) -> std::string {
    const std::string word = lower(trimmed(text));
    if (word == "true" || word == "yes" || word == "on") {
      *where = true;
    } else if (word == "false" || word == "no" || word == "off") {
      *where = false;
    } else {
      return shown(trimmed(text)) + " is neither true nor false; allowed: true, false";
    }
    return "";
  };
  add(std::move(param));
}

void Schema::real(std::string_view name, double& field, RealRange range, std::string_view doc,
                  std::string_view source) {
  assert(range.min <= range.max);
  Param param = begin(name, "real", doc, source);
  param.allowed = fmt::format("{}..{}", range.min, range.max);
  double* const where = &field;
  param.get = [where] { return fmt::format("{}", *where); };  // shortest text that reads back equal
  param.set = [where, range, allowed = param.allowed](const std::string& text) -> std::string {
    const std::string_view word = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size() || error == std::errc::invalid_argument)
      return shown(word) + " is not a number; allowed: " + allowed;
    if (error != std::errc() || !(value >= range.min && value <= range.max))  // NaN is neither
      return shown(word) + " is out of range; allowed: " + allowed;
    *where = value;
    return "";
  };
  add(std::move(param));
}

void Schema::text(std::string_view name, std::string& field, std::string_view doc,
                  std::string_view source) {
  Param param = begin(name, "text", doc, source);
  param.allowed = "any text";
  std::string* const where = &field;
  param.get = [where] { return *where; };
  param.set = [where](const std::string& text) -> std::string {
    if (!is_utf8(text)) return "the value is not UTF-8 text";
    *where = text;
    return "";
  };
  add(std::move(param));
}

void Schema::add_choice(std::string_view name, std::vector<std::string> names,
                        std::function<std::string()> get,
                        std::function<void(const std::string&)> set, std::string_view doc,
                        std::string_view source) {
  Param param = begin(name, "choice", doc, source);
  for (const auto& n : names) param.allowed += (param.allowed.empty() ? "" : ", ") + n;
  param.get = std::move(get);
  param.set = [set = std::move(set), names,
               allowed = param.allowed](const std::string& text) -> std::string {
    const std::string word(trimmed(text));
    if (std::find(names.begin(), names.end(), word) == names.end())
      return kUnknown + shown(word) + "; allowed: " + allowed + did_you_mean(word, names);
    set(word);
    return "";
  };
  param.choices = std::move(names);
  add(std::move(param));
}

void Schema::add_counted(const std::string& name, std::uint32_t& number, IntRange range,
                         const std::function<bool()>& chosen, const std::function<void()>& choose) {
  Param& param = params_.back();
  const std::string form = name + ":N";
  const std::string limits =
      form + " with N from " + std::to_string(range.min) + " to " + std::to_string(range.max);
  param.allowed += ", " + limits;
  param.choices.push_back(form);
  std::uint32_t* const where = &number;
  param.get = [get = param.get, chosen, name, where] {
    return chosen() ? name + ":" + std::to_string(*where) : get();
  };
  param.set = [set = param.set, choose, name, limits, range, where, allowed = param.allowed,
               names = param.choices](const std::string& text) -> std::string {
    const std::string word(trimmed(text));
    if (word.rfind(name + ":", 0) != 0 && word != name) {
      if (std::find(names.begin(), names.end(), word) != names.end() && word.back() != 'N')
        return set(word);
      return kUnknown + shown(word) + "; allowed: " + allowed + did_you_mean(word, names);
    }
    std::uint32_t value = 0;
    const char* const first = word.data() + std::min(word.size(), name.size() + 1);
    const char* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(first, last, value);
    if (error != std::errc() || end != last || value < range.min || value > range.max)
      return shown(word) + " is not " + limits;
    *where = value;
    choose();
    return "";
  };
}

void Schema::add_names(const std::vector<std::string>& names, std::string& added,
                       std::function<void()> choose) {
  Param& param = params_.back();
  for (const std::string& name : names) {
    if (std::find(param.choices.begin(), param.choices.end(), name) != param.choices.end())
      throw UserError("added kind '" + name + "': " + param.name + " has one of this name");
    param.allowed += ", " + name;
    param.choices.push_back(name);
  }
  std::string* const where = &added;
  param.get = [get = param.get, where] { return where->empty() ? get() : *where; };
  param.set = [set = param.set, where, choose = std::move(choose), names, allowed = param.allowed,
               all = param.choices](const std::string& text) {
    const std::string word(trimmed(text));
    if (std::find(names.begin(), names.end(), word) != names.end()) {
      choose();
      *where = word;
      return std::string();
    }
    const std::string problem = set(text);
    if (problem.empty()) where->clear();
    if (problem.rfind(kUnknown, 0) != 0) return problem;
    return kUnknown + shown(word) + "; allowed: " + allowed + did_you_mean(word, all);
  };
}

void Schema::group(std::string_view name, std::string_view doc, const std::function<void()>& body) {
  const std::string outer = prefix_;
  const std::string path = outer + std::string(name);
  assert(find(path) == nullptr && "a group named like a key");
  if (find_group(path) == nullptr) groups_.push_back({path, std::string(doc)});
  prefix_ = path + ".";
  body();
  prefix_ = outer;
}

void Schema::only_if(std::string text, std::function<bool()> condition,
                     const std::function<void()>& body) {
  conditions_.push_back({std::move(text), std::move(condition), false});
  body();
  conditions_.pop_back();
}

void Schema::only_noted_if(std::string text, std::function<bool()> condition,
                           const std::function<void()>& body) {
  conditions_.push_back({std::move(text), std::move(condition), true});
  body();
  conditions_.pop_back();
}

Param* Schema::find(std::string_view name) {
  return const_cast<Param*>(static_cast<const Schema*>(this)->find(name));
}

const Param* Schema::find(std::string_view name) const {
  const auto it =
      std::find_if(params_.begin(), params_.end(), [&](const Param& p) { return p.name == name; });
  return it == params_.end() ? nullptr : &*it;
}

const ParamGroup* Schema::find_group(std::string_view name) const {
  const auto it = std::find_if(groups_.begin(), groups_.end(),
                               [&](const ParamGroup& g) { return g.name == name; });
  return it == groups_.end() ? nullptr : &*it;
}

const std::string* Schema::why_foreign(std::string_view path) const {
  for (const auto& [owned, why] : foreign_)
    if (path == owned || (path.size() > owned.size() && path[owned.size()] == '.' &&
                          path.substr(0, owned.size()) == owned))
      return &why;
  return nullptr;
}

}  // namespace warpmem
