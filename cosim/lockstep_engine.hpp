// SPDX-License-Identifier: Apache-2.0
// The three views of a unit side by side: class, synthesizable SystemC, RTL. All outputs and all
// state that a view shows are compared in every cycle; the first difference ends the run.
//
// A unit brings a Bench:
//   using In, Out, Options (a LockstepOptions), Result (a LockstepResult)
//   Bench(const Options&, bool waves)        builds the views
//   Out eval_class(const In&)  void commit_class(const In&)  void reset_class()
//   systemc(), rtl()                         views with eval, commit, reset; rtl also failure,
//                                            open_waves, write_coverage
//   static kUnit                             the unit's name
//   static kOutputs                          an array of OutputField<Out>
//   std::vector<In> directed()               vectors before the random ones
//   In random()                              inputs of the next cycle
//   static std::string line(In, Out)         a cycle of the history
//   void before_edge(In, Out, Result&)       for the coverage
//   void after_edge(In, Result&, differ)     likewise; calls differ(signal, class, systemc, rtl)
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "cosim/lockstep.hpp"
#include "cosim/unit_recording.hpp"

namespace warpmem::cosim {

template <class Out>
struct OutputField {
  const char* name;
  std::int64_t (*of)(const Out&);
};

/// This is one run from reset: the views, the stimulus, and what has been seen.
template <class Bench>
class LockstepRun {
 public:
  using In = typename Bench::In;
  using Out = typename Bench::Out;
  using Result = typename Bench::Result;

  LockstepRun(const typename Bench::Options& options, bool waves)
      : bench_(options, waves), resets_(options.seed + 1) {
    if (!options.recorded.empty()) {
      recording_.emplace(options.recorded, Bench::kUnit);
      return;
    }
    if (options.directed) directed_ = bench_.directed();
    next_reset_ = directed_.size();
  }

  std::uint64_t directed_cycles() const { return directed_.size(); }
  Bench& bench() { return bench_; }

  /// Returns the cycles that were run; fewer than asked for when there is a difference or the
  /// recording is over.
  std::uint64_t run(std::uint64_t cycles, Result& result) {
    const std::uint64_t start = cycle_;
    const std::uint64_t end = cycle_ + cycles;
    while (cycle_ < end && !result.difference) {
      if (cycle_ == next_reset_) reset(result);
      if (recording_) {
        In in;
        if (!recording_->next(&in)) break;
        step(in, result);
      } else {
        step(cycle_ < directed_.size() ? directed_[cycle_] : bench_.random(), result);
      }
      ++cycle_;
    }
    return cycle_ - start;
  }

 private:
  static constexpr std::uint64_t kHistoryCycles = 20;
  static constexpr std::uint64_t kMostCyclesToReset = 200'000;
  static constexpr std::uint64_t kNever = ~std::uint64_t(0);

  /// Makes a cycle of reset, with the pins as they last were; it is not one of the cycles that are
  /// counted.
  void reset(Result& result) {
    // Resets come often at first, for short runs, then seldom, so that far corners can be reached.
    next_reset_ = recording_ ? kNever : cycle_ + 1 + resets_.below(most_to_reset_);
    most_to_reset_ = std::min(2 * most_to_reset_, kMostCyclesToReset);
    bench_.reset_class();
    bench_.systemc().reset();
    bench_.rtl().reset();
    ++result.resets;
  }

  void step(const In& in, Result& result) {
    const Out out = bench_.eval_class(in);
    const Out of_systemc = bench_.systemc().eval(in);
    const Out of_rtl = bench_.rtl().eval(in);
    history_[cycle_ % kHistoryCycles] = {in, out};
    const auto differ = [&](const std::string& signal, std::int64_t of_class, std::int64_t systemc,
                            std::int64_t rtl) { note(signal, of_class, systemc, rtl, result); };
    if (!(out == of_systemc && out == of_rtl)) {
      for (const OutputField<Out>& f : Bench::kOutputs)
        differ(f.name, f.of(out), f.of(of_systemc), f.of(of_rtl));
      return;
    }
    bench_.before_edge(in, out, result);
    bench_.commit_class(in);
    bench_.systemc().commit(in);
    bench_.rtl().commit(in);
    bench_.after_edge(in, result, differ);
    if (const std::string failure = bench_.rtl().failure(); !failure.empty() && !result.difference)
      result.difference = Difference{cycle_, failure, "", "", "", history()};
  }

  /// Keeps the first difference of a cycle.
  void note(const std::string& signal, std::int64_t of_class, std::int64_t of_systemc,
            std::int64_t of_rtl, Result& result) const {
    if (result.difference || (of_class == of_systemc && of_class == of_rtl)) return;
    result.difference = Difference{cycle_,
                                   signal,
                                   std::to_string(of_class),
                                   std::to_string(of_systemc),
                                   std::to_string(of_rtl),
                                   history()};
  }

  /// Returns the inputs and the class's outputs of the last cycles.
  std::string history() const {
    std::string text;
    const std::uint64_t first = cycle_ < kHistoryCycles ? 0 : cycle_ - kHistoryCycles + 1;
    for (std::uint64_t cycle = first; cycle <= cycle_; ++cycle) {
      const auto& [in, out] = history_[cycle % kHistoryCycles];
      text += fmt::format("{:>10}  {}\n", cycle, Bench::line(in, out));
    }
    return text;
  }

  struct Entry {
    In in;
    Out out;
  };

  Bench bench_;
  std::vector<In> directed_;
  std::optional<UnitRecording<In>> recording_;
  std::array<Entry, kHistoryCycles> history_{};
  std::uint64_t cycle_ = 0;
  Random resets_;
  std::uint64_t most_to_reset_ = 1000;  // cycles to the next reset, at most
  std::uint64_t next_reset_ = 0;
};

/// Runs the first cycles of a run, with RTL that counts.
template <class Bench>
CodeCoverage code_coverage_of(typename Bench::Options options,
                              const typename Bench::Result& fresh) {
  options.places.coverage = true;
  LockstepRun<Bench> counted(options, false);
  typename Bench::Result ignored = fresh;
  const std::uint64_t cycles = counted.run(
      counted.directed_cycles() + std::min(options.cycles, kCodeCoverageCycles), ignored);
  const WorkFolder work;
  const std::filesystem::path data = work.path() / "coverage.dat";
  counted.bench().rtl().write_coverage(data);
  return CodeCoverage(data, options.places.rtl, cycles);
}

/// Runs the views against each other, and once more with a recording where one is asked for.
/// `fresh` is a result without cycles, which is also where the run begins.
template <class Bench>
typename Bench::Result run_lockstep(typename Bench::Options options,
                                    const typename Bench::Result& fresh) {
  constexpr std::uint64_t kWavesBefore = 1000;  // recorded before a difference
  constexpr std::uint64_t kMostWaves = 20'000;  // recorded without one
  typename Bench::Result result = fresh;
  options.places.short_run = options.cycles <= kShortLockstepCycles;
  LockstepRun<Bench> lockstep(options, false);
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t directed = lockstep.directed_cycles();
  result.cycles = lockstep.run(directed + options.cycles, result);
  result.directed_cycles = std::min(directed, result.cycles);
  result.recorded = !options.recorded.empty();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  if (options.code_coverage && !result.difference)
    result.code = code_coverage_of<Bench>(options, fresh);

  const std::filesystem::path& file =
      options.waves.empty() && result.difference ? options.waves_of_difference : options.waves;
  if (file.empty()) return result;
  // The library that writes waveforms unlinks what has their name, a device included.
  const WorkFolder work;
  const std::filesystem::path recorded = work.path() / "waves.fst";
  {
    const std::uint64_t end = result.difference ? result.difference->cycle + 1 : result.cycles;
    options.places.short_run = end <= kShortLockstepCycles;
    LockstepRun<Bench> again(options, true);
    typename Bench::Result ignored = fresh;
    const std::uint64_t first = result.difference && end > kWavesBefore ? end - kWavesBefore : 0;
    again.run(first, ignored);
    again.bench().rtl().open_waves(recorded);
    again.run(std::min(end - first, kMostWaves), ignored);
  }
  write_text(file, read_text(recorded));
  result.waves = file;
  return result;
}

}  // namespace warpmem::cosim
