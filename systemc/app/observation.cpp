// SPDX-License-Identifier: Apache-2.0
#include "app/observation.hpp"

#include <fmt/format.h>

#include <utility>

#include "files/stats_json.hpp"

namespace warpmem::app {

Observation::Observation(gpu::Machine& machine, const Observations& wanted)
    : machine_(machine), wanted_(wanted) {
  if (wanted.per_instance) machine.stats().keep_instances();
  if (!wanted.timeline.file.empty())
    timeline_ = std::make_unique<watch::Timeline>(machine, wanted.timeline);
  if (wanted.per_pc) profile_ = std::make_unique<watch::InstructionProfile>(machine);
  if (wanted.series)
    series_ = std::make_unique<watch::Series>(machine, wanted.interval, wanted.per_instance);
}

std::string Observation::note() const {
  if (!timeline_ || timeline_->sees_run()) return "";
  return fmt::format("--timeline: no cycle of the run lies in the window from cycle {} on",
                     wanted_.timeline.from);
}

void Observation::finish(const RunDirectory& run, bool complete) {
  if (std::exchange(finished_, true)) return;
  if (timeline_) timeline_->finish();
  if (profile_) {
    run.write("instructions.json", watch::instructions_json(*profile_));
    run.write("instructions.csv", watch::instructions_csv(*profile_));
  }
  if (series_) {
    run.write("series.json", series_->json());
    run.write("series.csv", series_->csv());
  }
  if (wanted_.per_instance) run.write("instances.json", instances_json(machine_.stats()));
  if (profile_ && complete) profile_->check(machine_.stats());
}

}  // namespace warpmem::app
