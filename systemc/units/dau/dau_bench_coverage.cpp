// SPDX-License-Identifier: Apache-2.0
#include "units/dau/dau_bench_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpmem::cosim {

using mha::DauState;
using mha::kDauStates;

namespace {

std::string name(DauTransition t) {
  return fmt::format("S{} -> S{}", static_cast<unsigned>(t.from), static_cast<unsigned>(t.to));
}

}  // namespace

std::vector<DauTransition> dau_transitions(const mha::DauSize& size) {
  using S = DauState;
  const std::uint32_t ordinary = size.sets - size.reserved;
  const bool several_slots = size.slots > 1;
  const bool links = ordinary >= 1 && size.sets >= 2;        // it needs a head and a set behind it
  const bool links_twice = ordinary >= 2 && size.sets >= 3;  // it needs another ordinary set, too
  std::vector<DauTransition> list;
  const auto add = [&list](bool possible, S from, S to) {
    if (possible) list.push_back({from, to});
  };
  add(several_slots, S::s0, S::s1);
  add(!several_slots, S::s0, S::s2);
  add(several_slots, S::s1, S::s2);
  add(several_slots, S::s1, S::s5);
  add(links, S::s2, S::s3);
  add(true, S::s2, S::s4);
  add(true, S::s2, S::s5);
  add(links, S::s3, S::s5);
  add(links, S::s4, S::s2);
  add(links, S::s4, S::s3);
  add(true, S::s4, S::s5);
  add(true, S::s5, S::s0);
  add(links && several_slots, S::s0, S::s6);
  add(links && !several_slots, S::s0, S::s7);
  add(links && several_slots, S::s6, S::s7);
  add(links && several_slots, S::s6, S::s10);
  add(links_twice, S::s7, S::s8);
  add(links, S::s7, S::s9);
  add(links, S::s7, S::s10);
  add(links_twice, S::s8, S::s10);
  add(links_twice, S::s9, S::s7);
  add(links_twice, S::s9, S::s8);
  add(links, S::s9, S::s10);
  add(links, S::s10, S::s0);
  return list;
}

DauCoverage::DauCoverage(const mha::DauSize& size)
    : size_(size), possible_(dau_transitions(size)) {}

void DauCoverage::add(const DauState* before, const DauState* after) {
  constexpr std::uint32_t kWord = sizeof(std::uint64_t);
  static_assert(sizeof(DauState) == 1);
  std::uint32_t first = 0;
  while (first < size_.sets) {
    // Since few sets change in a cycle, eight are compared at once.
    if (first + kWord <= size_.sets && std::memcmp(before + first, after + first, kWord) == 0) {
      first += kWord;
      continue;
    }
    const std::uint32_t end = std::min(first + kWord, size_.sets);
    for (; first < end; ++first) {
      if (before[first] == after[first]) continue;
      ++taken_[std::min(index(before[first]), kDauStates)]
              [std::min(index(after[first]), kDauStates)];
    }
  }
}

std::uint64_t DauCoverage::entered(DauState state) const {
  std::uint64_t sum = 0;
  for (const auto& row : taken_) sum += row[index(state)];
  return sum;
}

std::vector<std::string> DauCoverage::missing() const {
  std::vector<std::string> list;
  for (const DauTransition t : possible_)
    if (count(t) == 0) list.push_back(name(t));
  return list;
}

std::vector<std::string> DauCoverage::impossible() const {
  std::vector<std::string> list;
  for (unsigned from = 0; from <= kDauStates; ++from) {
    for (unsigned to = 0; to <= kDauStates; ++to) {
      const DauTransition t{static_cast<DauState>(from), static_cast<DauState>(to)};
      const bool known = std::any_of(possible_.begin(), possible_.end(), [&](DauTransition p) {
        return p.from == t.from && p.to == t.to;
      });
      if (!known && taken_[from][to] != 0) list.push_back(name(t));
    }
  }
  return list;
}

CoverageReport DauCoverage::report() const {
  CoverageReport report;
  CoverCounts states, transitions;
  for (unsigned s = 0; s < kDauStates; ++s)
    states.emplace_back(fmt::format("S{}", s), entered(static_cast<DauState>(s)));
  for (const DauTransition t : possible_) transitions.emplace_back(name(t), count(t));
  report.table = "state      entered\n";
  for (const auto& [state, times] : states)
    report.table += fmt::format("{:<3} {:>14}\n", state, times);
  report.table += "transition   taken\n";
  for (const auto& [transition, taken] : transitions)
    report.table += fmt::format("{:<9} {:>8}{}\n", transition, taken, taken == 0 ? "  never" : "");
  report.lists = {{"states", std::move(states)}, {"transitions", std::move(transitions)}};
  report.missing = missing();
  report.impossible = impossible();
  return report;
}

}  // namespace warpmem::cosim
