// SPDX-License-Identifier: Apache-2.0
#include "cosim/lockstep.hpp"

#include <fmt/format.h>

#include <utility>

namespace warpmem::cosim {

CoverPoints::CoverPoints(const std::vector<std::string>& names) : possible_(names.size(), true) {
  for (const std::string& name : names) points_.emplace_back(name, 0);
}

CoverageReport CoverPoints::report() const {
  CoverageReport report;
  CoverCounts counts;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const auto& [name, count] = points_[i];
    if (possible_[i]) {
      counts.push_back(points_[i]);
      if (count == 0) report.missing.push_back(name);
    } else if (count != 0) {
      report.impossible.push_back(name);
    }
  }
  report.table = fmt::format("{:<52} {:>10}\n", "covered", "cycles");
  for (const auto& [name, count] : counts)
    report.table += fmt::format("{:<52} {:>10}{}\n", name, count, count == 0 ? "  never" : "");
  report.lists.emplace_back("coverage", std::move(counts));
  return report;
}

std::string LockstepResult::describe() const {
  const double rate = seconds > 0 ? static_cast<double>(cycles) / seconds / 1e6 : 0.0;
  std::string text =
      recorded ? fmt::format("recorded: {} cycles, {:.1f} M cycles/s\n", cycles, rate)
               : fmt::format("seed {}: {} cycles ({} directed), {} resets, {:.1f} M cycles/s\n",
                             seed, cycles, directed_cycles, resets, rate);
  if (difference) {
    text += fmt::format("DIFFERENCE in cycle {}: {}\n", difference->cycle, difference->signal);
    if (!difference->of_class.empty() && difference->of_systemc.empty())
      text += fmt::format("  expected {}, rtl {}\n", difference->of_class, difference->of_rtl);
    if (!difference->reason.empty()) text += fmt::format("  the unit {}\n", difference->reason);
    if (!difference->of_systemc.empty())
      text += fmt::format("  class {}, systemc {}, rtl {}\n", difference->of_class,
                          difference->of_systemc, difference->of_rtl);
    text += "last cycles:\n" + difference->history;
  }
  text += coverage.table;
  if (!code.empty()) text += code.table();
  if (!waves.empty()) text += fmt::format("waveform: {}\n", waves.string());
  return text;
}

}  // namespace warpmem::cosim
