// SPDX-License-Identifier: Apache-2.0
// What a run writes besides its statistics, as parse_observations() has it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/observe_options.hpp"
#include "app/run_directory.hpp"
#include "watch/instruction_profile.hpp"
#include "watch/series.hpp"
#include "watch/timeline.hpp"

namespace warpmem::app {

class Observation {
 public:
  /// `machine` must not have run, and must outlive this.
  Observation(gpu::Machine& machine, const Observations& wanted);

  /// Returns what the user should know of the timeline of a run that is over; mostly empty.
  std::string note() const;
  /// Writes what there is; nothing may run afterwards. A second call does nothing. `complete`: the
  /// run has come to its end, so that the sums over instructions must be those of the machine;
  /// throws SimulationError unless they are.
  void finish(const RunDirectory& run, bool complete);

 private:
  gpu::Machine& machine_;
  Observations wanted_;
  std::unique_ptr<watch::Timeline> timeline_;
  std::unique_ptr<watch::InstructionProfile> profile_;
  std::unique_ptr<watch::Series> series_;
  bool finished_ = false;
};

}  // namespace warpmem::app
