// SPDX-License-Identifier: Apache-2.0
#include "app/cosim_units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "app/rtl_parameter.hpp"
#include "base/errors.hpp"
#include "cosim/unit_stream.hpp"

namespace warpmem::app {

using cosim::SizeEntry;
using cosim::SizeKind;
using cosim::SizeValues;
using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> choices_of(const SizeEntry& entry) {
  std::vector<std::string> names;
  for (const char* const* name = entry.field.choices; *name != nullptr; ++name)
    names.emplace_back(*name);
  return names;
}

/// The views other than the class compare thousandths.
std::string in_thousandths(const std::string& share) {
  const double thousandths = std::strtod(share.c_str(), nullptr) * 1000;
  if (std::abs(thousandths - std::round(thousandths)) <= 1e-6) return {};
  return share + " has more than three decimals, and the RTL compares thousandths";
}

/// Returns whether the option sets its flag to false.
bool takes_away(const SizeEntry& entry) {
  return std::string(entry.field.option).rfind("--no-", 0) == 0;
}

Json json_of(const SizeEntry& entry) {
  switch (entry.kind) {
    case SizeKind::share:
      return entry.value;
    case SizeKind::flag:
      return entry.value != 0;
    case SizeKind::choice:
      return choices_of(entry).at(static_cast<std::size_t>(entry.value));
    case SizeKind::number:
      break;
  }
  return static_cast<std::uint32_t>(entry.value);
}

/// Makes the document: the size stands before what all units have, the coverage behind it.
Json document_of(const cosim::HardwareUnit& unit, const std::vector<SizeEntry>& size,
                 const cosim::LockstepResult& result) {
  Json doc;
  doc["unit"] = unit.name();
  for (const SizeEntry& entry : size)
    if (entry.field.text != nullptr) doc[entry.field.key] = json_of(entry);
  doc["seed"] = result.seed;
  doc["cycles"] = result.cycles;
  doc["directed_cycles"] = result.directed_cycles;
  doc["resets"] = result.resets;
  doc["seconds"] = result.seconds;
  for (const auto& [list, counts] : result.coverage.lists)
    for (const auto& [name, count] : counts) doc[list][name] = count;
  doc["equal"] = !result.difference;
  if (result.difference) {
    const cosim::Difference& d = *result.difference;
    doc["difference"] = {{"cycle", d.cycle},
                         {"signal", d.signal},
                         {"class", d.of_class},
                         {"systemc", d.of_systemc},
                         {"rtl", d.of_rtl}};
    if (!d.reason.empty()) doc["difference"]["reason"] = d.reason;
  }
  if (!result.code.empty()) {
    const auto sum = [](const cosim::CodeCoverage::Sum& s) {
      return Json{{"points", s.points},
                  {"covered", s.covered},
                  {"excluded", s.excluded},
                  {"percent", s.percent()}};
    };
    doc["rtl_coverage"] = {{"lines", sum(result.code.lines())},
                           {"toggles", sum(result.code.toggles())},
                           {"not_covered", result.code.missing()}};
  }
  if (!result.waves.empty()) doc["waves"] = result.waves.string();
  return doc;
}

bool same_pins(const cosim::UnitShape& a, const cosim::UnitShape& b) {
  const auto same = [](const cosim::UnitPin& x, const cosim::UnitPin& y) {
    return x.pin == y.pin && x.width == y.width;
  };
  const auto all_same = [&](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
  };
  return all_same(a.inputs, b.inputs) && all_same(a.outputs, b.outputs) &&
         a.state_pins == b.state_pins;
}

}  // namespace

std::vector<std::unique_ptr<CosimUnit>> cosim_units() {
  std::vector<std::unique_ptr<CosimUnit>> units;
  for (const auto& unit : cosim::hardware_units())
    units.push_back(std::make_unique<CosimUnit>(*unit));
  return units;
}

void CosimUnit::add_options(CLI::App& command) {
  const std::vector<SizeEntry> entries = unit_.entries_of(values_);
  given_.resize(entries.size());  // the options keep references
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].field.option != nullptr) add_option(command, entries[i], given_[i]);
}

void CosimUnit::add_option(CLI::App& command, const SizeEntry& entry, Given& given) {
  const char* const name = entry.field.option;
  const std::string text = unit_.name() + ": " + entry.field.text;
  switch (entry.kind) {
    case SizeKind::number:
      given.number = static_cast<std::uint32_t>(entry.value);
      command.add_option(name, given.number, text)->capture_default_str();
      break;
    case SizeKind::share:
      given.share = entry.value;
      command.add_option(name, given.share, text)->check(in_thousandths)->capture_default_str();
      break;
    case SizeKind::flag:
      command.add_flag(name, given.flag, text);
      break;
    case SizeKind::choice: {
      std::vector<std::string> names = choices_of(entry);
      given.choice = names.at(static_cast<std::size_t>(entry.value));
      std::sort(names.begin(), names.end());
      command.add_option(name, given.choice, text)
          ->check(CLI::IsMember(names))
          ->capture_default_str();
      break;
    }
  }
}

SizeValues CosimUnit::asked_size() const {
  SizeValues size = values_;
  const std::vector<SizeEntry> entries = unit_.entries_of(values_);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].field.option == nullptr) continue;
    const Given& given = given_[i];
    switch (entries[i].kind) {
      case SizeKind::number:
        size[i] = given.number;
        break;
      case SizeKind::share:
        size[i] = given.share;
        break;
      case SizeKind::flag:
        size[i] = given.flag != takes_away(entries[i]);
        break;
      case SizeKind::choice: {
        const std::vector<std::string> names = choices_of(entries[i]);
        size[i] = static_cast<double>(std::find(names.begin(), names.end(), given.choice) -
                                      names.begin());
        break;
      }
    }
  }
  if (parameters_.empty()) return size;
  cosim::UnitParameters parameters = unit_.shape_of(size).parameters;
  change(parameters);
  return unit_.size_of(parameters);
}

void CosimUnit::set_parameter(const std::string& assignment) {
  const auto [name, digits] = rtl_number(assignment);
  std::uint32_t value = 0;
  const char* const end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, value).ec != std::errc())
    throw UserError(fmt::format("-p {}: allowed: at most {}", assignment,
                                std::numeric_limits<std::uint32_t>::max()));
  parameters_.emplace_back(name, value);
}

void CosimUnit::change(cosim::UnitParameters& parameters) const {
  std::vector<std::string> names;
  for (const SizeEntry& entry : unit_.entries_of(values_)) names.push_back(entry.field.parameter);
  for (const auto& [name, value] : parameters_) {
    const auto same = [&name = name](const auto& parameter) { return parameter.first == name; };
    const auto at = std::find_if(parameters.begin(), parameters.end(), same);
    if (at == parameters.end() || std::find(names.begin(), names.end(), name) == names.end())
      throw UserError(fmt::format("-p {}: {} of {}; parameters: {}", name,
                                  at == parameters.end() ? "no parameter" : "follows from others",
                                  unit_.name(), fmt::join(names, ", ")));
    at->second = value;
  }
}

SizeValues CosimUnit::recorded_size(const std::filesystem::path& recorded) const {
  cosim::UnitParameters parameters = cosim::UnitStreamReader(recorded).parameters();
  const cosim::UnitShape had = unit_.shape_of(unit_.size_of(parameters));
  change(parameters);
  const SizeValues size = unit_.size_of(parameters);
  if (!same_pins(had, unit_.shape_of(size))) {
    std::vector<std::string> set;
    for (const auto& [name, value] : parameters_) set.push_back(fmt::format("{}={}", name, value));
    throw UserError(fmt::format(
        "-p {}: it changes a port or the state of {}, whose size is that of the recorded unit",
        fmt::join(set, " -p "), unit_.name()));
  }
  return size;
}

void CosimUnit::run(const cosim::LockstepOptions& common, bool asked, const CosimDone& done) const {
  cosim::LockstepOptions options = common;
  options.waves_of_difference = unit_.name() + "_difference.fst";
  std::vector<SizeValues> sizes = unit_.sizes();
  if (asked) sizes = {asked_size()};
  if (!common.recorded.empty()) sizes = {recorded_size(common.recorded)};
  const std::size_t counted = sizes.size() == 1 ? 0 : unit_.counted();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i != 0) {
      options.waves.clear();
      options.vectors.clear();
    }
    options.cycles =
        i == 0 || i == counted ? common.cycles : std::min(common.cycles, cosim::kCornerCycles);
    options.code_coverage = common.code_coverage && i == counted;
    CosimOutcome outcome = run_one(sizes[i], options);
    outcome.corner = i != 0;
    done(outcome);
    if (!outcome.equal) return;
  }
}

CosimOutcome CosimUnit::run_one(const SizeValues& size,
                                const cosim::LockstepOptions& options) const {
  const cosim::LockstepResult result = unit_.run(size, options);
  return {unit_.text_of(size),
          unit_.shape_of(size).parameters,
          unit_.views(options),
          result.describe(),
          document_of(unit_, unit_.entries_of(size), result),
          !result.difference,
          result.coverage.lists,
          result.coverage.missing,
          result.code,
          false};
}

}  // namespace warpmem::app
