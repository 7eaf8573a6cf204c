// SPDX-License-Identifier: Apache-2.0
// The order of runs: the one that will take longest comes first, so that no long one is left alone
// at the end; and how long all of them will take.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweeps/cost_model.hpp"

namespace warpmem::sweeps {

class Schedule {
 public:
  explicit Schedule(CostModel model) : model_(std::move(model)) {}

  /// Adds a run; runs are numbered in this order, from 0.
  void add(const std::string& program, std::size_t config);
  std::size_t size() const { return runs_.size(); }

  /// Returns the next run, which counts as begun: one of a program that nothing is known of, else
  /// the longest; of equal ones the first. Nothing when all have begun.
  std::optional<std::size_t> next();
  /// To be called when a run has ended; `seconds` is empty when they say nothing of such runs.
  void ended(std::size_t run, std::optional<double> seconds);

  /// A run that has begun, and for how long it has run.
  struct Begun {
    std::size_t run;
    double seconds;
  };
  /// Returns the seconds that are left with so many runs at a time; nothing while no run's time is
  /// known.
  std::optional<double> left(const std::vector<Begun>& running, unsigned jobs) const;

 private:
  struct Run {
    std::string program;
    std::size_t config;
    bool begun = false, ended = false;
  };

  CostModel model_;
  std::vector<Run> runs_;
  double ended_seconds_ = 0;  // of so many runs
  std::size_t ended_ = 0;
};

}  // namespace warpmem::sweeps
