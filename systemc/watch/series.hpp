// SPDX-License-Identifier: Apache-2.0
// Every statistic over time, by intervals of a chosen length, each launch beginning one of its own
// (docs/per-instance.md).
#pragma once

#include <string>
#include <vector>

#include "base/stat_sampler.hpp"
#include "gpu/machine.hpp"
#include "watch/sample_clock.hpp"

namespace warpmem::watch {

class Series : public gpu::LaunchWatch {
 public:
  /// `interval` is in SM cycles. `by_instance`: rates and levels are kept of each instance too.
  /// `machine` must not have run, and must outlive this.
  Series(gpu::Machine& machine, Cycle interval, bool by_instance);

  void account_begins() override { sampler_.begin(); }
  void launch_begins(const std::vector<gpu::Launch>& launches) override;
  void launch_ends(const std::vector<gpu::Launch>& launches,
                   const std::vector<gpu::CtaDispatcher::Run>& runs) override;

  std::string json() const;
  std::string csv() const;

 private:
  struct Interval {
    Cycle begin = 0, end = 0;
    std::size_t launch = 0;  // among launches_
  };
  struct Kernel {
    std::string name;
    std::uint64_t number = 0;
    Cycle begin = 0, end = 0;
  };
  struct Launched {
    std::string names;
    std::uint64_t number = 0;
    std::vector<Kernel> kernels;
  };
  void sample(Cycle now);
  void add_rest();
  bool is_kept_by_instance(const StatSampler::Column& column) const;
  bool is_zero(std::size_t column) const;

  const ClockDomain& clock_;
  Cycle interval_;
  bool by_instance_;
  StatSampler sampler_;
  std::vector<Interval> intervals_;
  std::vector<Launched> launches_;
  Cycle sampled_ = 0;                        // cycle in which the present interval began
  std::vector<std::vector<double>> points_;  // by column
  std::vector<std::vector<std::vector<double>>> instances_;  // by column and instance
  SampleClock sample_clock_;
};

}  // namespace warpmem::watch
