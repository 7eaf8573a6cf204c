// SPDX-License-Identifier: Apache-2.0
#include "sweeps/schedule.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace warpmem::sweeps {

void Schedule::add(const std::string& program, std::size_t config) {
  runs_.push_back({program, config});
}

std::optional<std::size_t> Schedule::next() {
  // While a program's first run is under way, its others wait for what it tells.
  std::set<std::string> under_way;
  for (const Run& run : runs_)
    if (run.begun && !run.ended) under_way.insert(run.program);
  std::optional<std::size_t> best;
  double longest = -1;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    if (run.begun) continue;
    const auto known = model_.estimate(run.program, run.config);
    const double seconds = known                               ? *known
                           : under_way.count(run.program) != 0 ? 0
                                                               : std::numeric_limits<double>::max();
    if (seconds <= longest) continue;
    best = i;
    longest = seconds;
  }
  if (best) runs_[*best].begun = true;
  return best;
}

void Schedule::ended(std::size_t run, std::optional<double> seconds) {
  runs_[run].ended = true;
  if (!seconds) return;
  model_.learn(runs_[run].program, runs_[run].config, *seconds);
  ended_seconds_ += *seconds;
  ++ended_;
}

std::optional<double> Schedule::left(const std::vector<Begun>& running, unsigned jobs) const {
  double sum = 0, longest = 0;
  std::size_t known = 0, unknown = 0;
  const auto take = [&](const Run& run, double passed) {
    const auto whole = model_.estimate(run.program, run.config);
    if (!whole) {
      ++unknown;
      return;
    }
    ++known;
    const double seconds = std::max(*whole - passed, 0.0);
    sum += seconds;
    longest = std::max(longest, seconds);
  };
  for (const Run& run : runs_)
    if (!run.begun) take(run, 0);
  for (const Begun& begun : running) take(runs_[begun.run], begun.seconds);
  // Those of which nothing is known count as the mean of the others, or of what has ended.
  if (unknown != 0 && known + ended_ == 0) return std::nullopt;
  if (unknown != 0)
    sum +=
        static_cast<double>(unknown) * (known != 0 ? sum / static_cast<double>(known)
                                                   : ended_seconds_ / static_cast<double>(ended_));
  return std::max(sum / jobs, longest);
}

}  // namespace warpmem::sweeps
