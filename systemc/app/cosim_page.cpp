// SPDX-License-Identifier: Apache-2.0
#include "app/cosim_page.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>

namespace warpmem::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHead =
    "# Class, SystemC and RTL in lockstep\n\n"
    "Written by `warpmem cosim UNIT --cycles N --seed S --page docs/lockstep.md`, which repeats a "
    "run\n"
    "exactly. All outputs and the state that the views show are compared in every cycle; what the\n"
    "situations are, and how often each was met, is in the command's output. Lines and toggles of "
    "the\nRTL are counted in the first million cycles; what is excluded stands with its reason in\n"
    "`rtl/UNIT/coverage_exclusions.txt`.\n\n"
    "| unit | size | seed | cycles | resets | differences | situations | lines | toggles | "
    "excluded "
    "|\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";

/// "19 of 19", over all lists of situations.
std::string situations(const Json& document) {
  std::size_t met = 0, all = 0;
  for (const char* const list : {"states", "transitions", "coverage"}) {
    if (!document.contains(list)) continue;
    for (const auto& [name, count] : document[list].items()) {
      ++all;
      met += count != 0;
    }
  }
  return fmt::format("{} of {}", met, all);
}

std::string row_of(const CosimOutcome& outcome) {
  const Json& d = outcome.json;
  std::string row = fmt::format(
      "| `{}` | {} | {} | {} | {} | {} | {} |", d["unit"].get<std::string>(), outcome.size,
      d["seed"].get<std::uint64_t>(), d["cycles"].get<std::uint64_t>(),
      d["resets"].get<std::uint64_t>(), outcome.equal ? "none" : "**one**", situations(d));
  if (outcome.code.empty()) return row + " | | |\n";
  const auto lines = outcome.code.lines(), toggles = outcome.code.toggles();
  return row + fmt::format(" {:.1f} % | {:.1f} % | {} |\n", lines.percent(), toggles.percent(),
                           lines.excluded + toggles.excluded);
}

}  // namespace

std::string cosim_page(const std::vector<std::string>& units,
                       const std::vector<CosimOutcome>& outcomes, const std::string& earlier) {
  std::map<std::string, std::string> rows;
  std::istringstream lines(earlier);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("| `", 0) == 0) rows[line.substr(3, line.find('`', 3) - 3)] = line + "\n";
  for (const CosimOutcome& outcome : outcomes)
    rows[outcome.json["unit"].get<std::string>()] = row_of(outcome);
  std::string page = kHead;
  for (const std::string& unit : units) page += rows[unit];
  return page;
}

}  // namespace warpmem::app
