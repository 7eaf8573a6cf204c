// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "formal/formal.hpp"

namespace warpmem::formal {
namespace {

std::string verdict_text(const Result& result) {
  switch (result.verdict) {
    case Verdict::kProved:
      return "proved";
    case Verdict::kBounded:
      return fmt::format("holds for {} cycles", result.cycles);
    case Verdict::kRefuted:
      return fmt::format("VIOLATED in cycle {}", result.cycles);
    case Verdict::kReached:
      return fmt::format("reached in cycle {}", result.cycles);
    case Verdict::kUnreached:
      return fmt::format("NOT REACHED in {} cycles", result.cycles);
    case Verdict::kUnknown:
      break;
  }
  return "UNDECIDED: out of time";
}

std::string parameters(const Proof& proof) {
  std::vector<std::string> list;
  for (const auto& [name, value] : proof.params) list.push_back(name + "=" + value);
  return fmt::format("{}", fmt::join(list, " "));
}

/// Without the lines of the properties, which would be stale whenever one above them moves.
std::string section_of(const ProofResult& proof) {
  std::string text = fmt::format(
      "\n## {}\n\n{:.1f} s\n\n| property | file | method | verdict |\n"
      "|---|---|---|---|\n",
      heading(proof.proof), proof.seconds);
  for (const Result& result : proof.results)
    text += fmt::format("| {} | {} | {} | {} |\n", result.property.name,
                        result.property.place.substr(0, result.property.place.rfind(':')),
                        result.method, verdict_text(result));
  return text;
}

/// Reads a page of ours: the sections of its proofs by their headings.
std::map<std::string, std::string> parse(const std::string& page) {
  const std::string mark = "\n## ";
  std::map<std::string, std::string> sections;
  for (std::size_t at = page.find(mark); at != std::string::npos;) {
    const std::size_t next = page.find(mark, at + 1);
    const std::size_t name = at + mark.size();
    sections[page.substr(name, page.find('\n', name) - name)] = page.substr(at, next - at);
    at = next;
  }
  return sections;
}

}  // namespace

std::string heading(const Proof& proof) {
  const std::string params = parameters(proof);
  std::string text = proof.unit + (params.empty() ? "" : " " + params);
  if (proof.primed != 0) text += fmt::format(" after {} primary misses and a link", proof.primed);
  return text;
}

std::string violation_text(const Proof& proof, const Result& result) {
  return fmt::format("{}: {} ({}): {}{}\n", heading(proof), result.property.name,
                     result.property.place, verdict_text(result),
                     result.trace.empty() ? "" : ", run: " + result.trace);
}

std::string table(const std::vector<ProofResult>& results) {
  std::string text;
  for (const ProofResult& proof : results) {
    text += fmt::format("{} ({:.1f} s{})\n", heading(proof.proof), proof.seconds,
                        proof.cached ? ", known" : "");
    std::size_t wide = 0;
    for (const Result& result : proof.results) wide = std::max(wide, result.property.name.size());
    for (const Result& result : proof.results) {
      text += fmt::format("  {:{}}  {:16}  {}\n", result.property.name, wide, result.method,
                          verdict_text(result));
      if (result.verdict != Verdict::kRefuted && result.verdict != Verdict::kUnreached) continue;
      text += fmt::format("    at {}{}\n", result.property.place,
                          result.trace.empty() ? "" : ", run: " + result.trace);
    }
  }
  return text;
}

std::string page(const std::vector<ProofResult>& results, const std::string& earlier) {
  std::string text =
      "# Proofs of the RTL units\n\n"
      "Written by `warpmem formal --page docs/proofs.md`. The properties stand beside the RTL, in\n"
      "`rtl/UNIT/UNIT_formal.svh` and in the `CHECK` lines of the modules.\n\n"
      "- *PDR*: property-directed reachability (`yosys-abc`), all properties of the unit at once;\n"
      "  holds in every cycle of every run, at these parameters.\n"
      "- *induction*: k-induction (`yosys-smtbmc`, z3), as far-reaching.\n"
      "- *bounded*: all runs of that many cycles from reset, and no more.\n"
      "- *search*: the shortest run that reaches a `cover` statement.\n\n"
      "The time is that of all properties of a parameter set, covers included, on one core.\n"
      "Of large sizes the covers may be left out; smaller ones of the unit have them.\n\n"
      "The DAU is proved for any number of sets as well, from properties of one, two and three:\n"
      "`tools/any_size.py`, and why that is enough in `rtl/dau/README.md`.\n";
  std::map<std::string, std::string> sections = parse(earlier);
  std::set<std::string> of_table;
  for (const ProofResult& proof : results) sections[heading(proof.proof)] = section_of(proof);
  for (const Proof& proof : proofs()) {
    text += sections[heading(proof)];
    of_table.insert(heading(proof));
  }
  for (const ProofResult& proof : results)
    if (of_table.count(heading(proof.proof)) == 0) text += sections[heading(proof.proof)];
  return text;
}

nlohmann::json to_json(const ProofResult& proof) {
  nlohmann::json list = nlohmann::json::array();
  for (const Result& result : proof.results) {
    list.push_back({{"property", result.property.name},
                    {"place", result.property.place},
                    {"cover", result.property.cover},
                    {"method", result.method},
                    {"verdict", verdict_text(result)},
                    {"verdict_code", static_cast<int>(result.verdict)},
                    {"cycles", result.cycles},
                    {"trace", result.trace}});
  }
  return {{"unit", proof.proof.unit},
          {"parameters", proof.proof.params},
          {"seconds", proof.seconds},
          {"results", list}};
}

ProofResult from_json(const nlohmann::json& document, const Proof& proof) {
  ProofResult result;
  result.proof = proof;
  result.seconds = document.at("seconds");
  for (const auto& entry : document.at("results")) {
    result.results.push_back({{entry.at("property"), entry.at("place"), entry.at("cover")},
                              static_cast<Verdict>(entry.at("verdict_code").get<int>()),
                              entry.at("method"),
                              entry.at("cycles"),
                              entry.at("trace")});
  }
  return result;
}

}  // namespace warpmem::formal
