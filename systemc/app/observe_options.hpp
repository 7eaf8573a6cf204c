// SPDX-License-Identifier: Apache-2.0
// Options of `warpmem run` for what it shows besides the statistics: --timeline with its window,
// SMs and sample, --per-pc, --per-instance, --series. They travel to the program as lines
// "key=value".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli_fwd.hpp"
#include "app/wave_options.hpp"
#include "watch/timeline.hpp"

namespace warpmem::app {

struct ObserveOptions {
  std::string timeline;  ///< a file; empty: none
  std::string sample;    ///< "1/N"; empty: every request
  std::string sms;       ///< "0-3,8"; empty: all
  std::string interval;  ///< SM cycles; empty: kUsualInterval
  bool per_pc = false;
  bool per_instance = false;
  bool series = false;

  bool any() const { return !timeline.empty() || per_pc || per_instance || series; }
};

inline constexpr std::uint64_t kUsualInterval = 1000;

void add_observe_options(CLI::App& command, ObserveOptions& options);

/// Checks the options for a machine of `sms` SMs; `window` is that of the waves, which the timeline
/// shares. Returns the lines. Throws UserError, EnvironmentError when the timeline's file cannot be
/// written.
std::vector<std::string> checked_observations(const ObserveOptions& options,
                                              const WaveOptions& window, unsigned sms);

/// What lines ask for.
struct Observations {
  watch::TimelineOptions timeline;  ///< file empty: none
  std::uint64_t interval = kUsualInterval;
  bool per_pc = false;
  bool per_instance = false;
  bool series = false;
};
/// Throws UserError for a line that checked_observations() does not make.
Observations parse_observations(const std::vector<std::string>& lines);

}  // namespace warpmem::app
