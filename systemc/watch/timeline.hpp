// SPDX-License-Identifier: Apache-2.0
// A run as a trace for Perfetto's viewer (docs/timeline.md): tracks for the parts of the machine,
// requests as flows through them, and counters over time. The same run gives the same bytes,
// whatever the order in which modules are built and ticked.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/output_file.hpp"
#include "base/stat_sampler.hpp"
#include "gpu/machine.hpp"
#include "watch/canvas.hpp"
#include "watch/kernels.hpp"
#include "watch/memory_tracks.hpp"
#include "watch/request_tracks.hpp"
#include "watch/sample_clock.hpp"
#include "watch/sm_tracks.hpp"

namespace warpmem::watch {

struct TimelineOptions {
  std::string file;
  std::uint64_t sample = 1;   ///< one of so many requests of each SM is drawn; at least 1
  Cycle from = 0;             ///< first and last cycle of the SM clock that are to be seen
  Cycle to = kNever;          ///< kNever: to the end
  std::vector<unsigned> sms;  ///< whose tracks are drawn; empty: all
  Cycle interval = 1000;      ///< SM cycles between the points of a counter
};

class Timeline : public gpu::LaunchWatch {
 public:
  /// `machine` must not have run, and must outlive the timeline. Throws UserError when it has not
  /// all of the SMs, EnvironmentError when the file cannot be written.
  Timeline(gpu::Machine& machine, const TimelineOptions& options);
  ~Timeline() override;

  void account_begins() override { sampler_.begin(); }
  void launch_begins(const std::vector<gpu::Launch>& launches) override;
  void launch_ends(const std::vector<gpu::Launch>& launches,
                   const std::vector<gpu::CtaDispatcher::Run>& runs) override;
  /// Returns whether a cycle of the run so far lies in the window.
  bool sees_run() const { return clock_.now() >= options_.from; }
  /// Writes what there is: the file is there afterwards. Nothing may happen after that.
  void finish();

 private:
  /// A counter of the whole machine, or of one instance.
  struct Counter {
    TrackId track = 0;
    const StatSampler::Column* column = nullptr;
    int instance = -1;  ///< -1: all
  };
  void build_sms(const std::vector<bool>& drawn, RequestTracks::Groups& groups);
  void build_memory(const std::vector<bool>& drawn, RequestTracks::Groups& groups);
  void build_unified_memory();
  void add_counter(TrackId parent, const std::string& path, const std::string& name, int instance);
  void build_counters(const std::vector<bool>& drawn, const RequestTracks::Groups& groups);
  void sample(Cycle now);
  void collect();
  void write_sms();
  void write();

  gpu::Machine& machine_;
  const ClockDomain& clock_;
  TimelineOptions options_;
  OutputFile file_;
  Canvas canvas_;
  Packets of_sms_, of_counters_;
  Kernels kernels_;
  Lanes kernel_lanes_;
  NameId kernel_category_, launch_key_, cycles_key_;
  StatSampler sampler_;
  std::vector<Counter> counters_;
  std::unique_ptr<RequestTracks> requests_;
  std::vector<std::unique_ptr<SmTracks>> sms_;
  std::vector<std::unique_ptr<MissTracks>> misses_;
  std::vector<std::unique_ptr<PortTracks>> ports_;
  std::vector<std::unique_ptr<DramTracks>> channels_;
  std::vector<std::unique_ptr<LinkTracks>> links_;
  std::unique_ptr<FaultTracks> faults_;
  SampleClock sample_clock_;
  Cycle sampled_ = 0;  // cycle of the last point of the counters
  Cycle launch_cycle_ = 0;
  std::string collected_;  // packets in their order, not written yet
};

/// Reads "0-3,8" as numbers of SMs. Throws UserError that begins with `option`.
std::vector<unsigned> parse_sm_list(const std::string& option, const std::string& text);

}  // namespace warpmem::watch
