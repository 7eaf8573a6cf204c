// SPDX-License-Identifier: Apache-2.0
#include "units/mshr_bench.hpp"

namespace warpmem::cosim {

CoverageReport mshr_coverage(const MshrFileCounts& c, const MshrSize& size) {
  CoverCounts list = {{"accepted", c.answers[0]},
                      {"refused, no entry", c.answers[1]},
                      {"refused, no slot", c.answers[2]},
                      {"refused, draining", c.answers[3]},
                      {"requests drained", c.drained}};
  if (size.entries > 1) list.emplace_back("return as the drain before ends", c.back_to_back);
  if (size.dl()) {
    if (size.entries > 1 && size.reserved < size.entries) list.emplace_back("sets linked", c.links);
    if (size.slots == 1) list.emplace_back("last request waits for a release", c.release_waits);
  }
  CoverageReport report;
  for (const auto& [name, count] : list) {
    report.table += fmt::format("{:<52} {:>10}{}\n", name, count, count == 0 ? "  never" : "");
    if (count == 0) report.missing.push_back(name);
  }
  report.lists.emplace_back("coverage", std::move(list));
  return report;
}

std::string mshr_text(const MshrSize& s) {
  if (s.dl())
    return fmt::format("{} sets of {} slots, {} reserved", s.entries, s.slots, s.reserved);
  if (s.sets() > 1)
    return fmt::format("{} sets of {} entries of {} slots", s.sets(), s.ways, s.slots);
  return fmt::format("{} entries of {} slots", s.entries, s.slots);
}

}  // namespace warpmem::cosim
