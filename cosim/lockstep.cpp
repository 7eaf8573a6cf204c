// SPDX-License-Identifier: Apache-2.0
#include "cosim/lockstep.hpp"

#include <fmt/format.h>

namespace warpmem::cosim {

CoverPoints::CoverPoints(const std::vector<std::string>& names) : possible_(names.size(), true) {
  for (const std::string& name : names) points_.emplace_back(name, 0);
}

std::vector<std::pair<std::string, std::uint64_t>> CoverPoints::counts() const {
  std::vector<std::pair<std::string, std::uint64_t>> list;
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (possible_[i]) list.push_back(points_[i]);
  return list;
}

std::vector<std::string> CoverPoints::missing() const {
  std::vector<std::string> list;
  for (const auto& [name, count] : counts())
    if (count == 0) list.push_back(name);
  return list;
}

std::vector<std::string> CoverPoints::impossible() const {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (!possible_[i] && points_[i].second != 0) list.push_back(points_[i].first);
  return list;
}

std::string CoverPoints::table() const {
  std::string text = fmt::format("{:<52} {:>10}\n", "covered", "cycles");
  for (const auto& [name, count] : counts())
    text += fmt::format("{:<52} {:>10}{}\n", name, count, count == 0 ? "  never" : "");
  return text;
}

std::string LockstepResult::describe(const std::string& coverage) const {
  const double rate = seconds > 0 ? static_cast<double>(cycles) / seconds / 1e6 : 0.0;
  std::string text =
      recorded ? fmt::format("recorded: {} cycles, {:.1f} M cycles/s\n", cycles, rate)
               : fmt::format("seed {}: {} cycles ({} directed), {} resets, {:.1f} M cycles/s\n",
                             seed, cycles, directed_cycles, resets, rate);
  if (difference) {
    text += fmt::format("DIFFERENCE in cycle {}: {}\n", difference->cycle, difference->signal);
    if (!difference->of_class.empty())
      text += fmt::format("  class {}, systemc {}, rtl {}\n", difference->of_class,
                          difference->of_systemc, difference->of_rtl);
    text += "last cycles:\n" + difference->history;
  }
  text += coverage;
  if (!code.empty()) text += code.table();
  if (!waves.empty()) text += fmt::format("waveform: {}\n", waves.string());
  return text;
}

}  // namespace warpmem::cosim
