// SPDX-License-Identifier: Apache-2.0
// The three views of a unit side by side: class, synthesizable SystemC, RTL. All outputs and all
// state that a view shows are compared in every cycle; the first difference ends the run.
//
// A unit brings a Bench, which begins with BenchOf<Description>:
//   Bench(const Size&, std::uint64_t seed)
//   static std::string text_of(const Size&)  the size for people: "48 entries"
//   static void check(const Size&, Problems&)  what the limits of the size's fields do not say
//   static Coverage coverage_of(const Size&)   what there is to cover; Coverage has report()
//   Out eval_class(const In&)  void commit_class(const In&)  void reset_class()
//   std::vector<In> directed()               vectors before the random ones
//   In random()                              inputs of the next cycle
//   static std::string line(In, Out)         a cycle of the history
//   void before_edge(In, Out, Coverage&)     what the cycle covers
//   void after_edge(In, Coverage&)           the same with the class's next outputs
//   static void forget_meaningless(Out&)     clears what means nothing beside the other outputs, if
//                                            the class does not know it
// and, if its views show state,
//   void compare_state(State systemc, State rtl, differ)
//                                            calls differ(signal, class, systemc, rtl)
// The RTL of a user stands beside the class alone, and its state is its own. Where the unit has
// choices (kChooses) the class follows those that the RTL makes:
//   In legal(In, bool directed)              the inputs without what the RTL need not know
//   Out follow(In, Out rtl, string* reason)  what the RTL must answer if its choice is legal, else
//                                            what is wrong with it
//   void commit_as(In, Out)                  the edge, with that answer
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/random.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "cosim/lockstep.hpp"
#include "cosim/meaningful_outputs.hpp"
#include "cosim/unit_library.hpp"
#include "cosim/unit_recording.hpp"
#include "cosim/unit_waves.hpp"
#include "cosim/vector_file.hpp"

namespace warpmem::cosim {

/// This is what benches have in common.
template <class Description>
struct BenchOf {
  using Unit = Description;
  using In = typename Unit::In;
  using Out = typename Unit::Out;
  using Size = typename Unit::Size;
  using State = typename Unit::State;
  using Coverage = CoverPoints;
  static constexpr bool kChooses = false;
  static constexpr const char* kClass = "class";  ///< what stands beside SystemC and RTL

  static void check(const Size&, Problems&) {}
  static void forget_meaningless(Out&) {}
  void after_edge(const In&, CoverPoints&) {}
};

/// This is one run from reset: the views, the stimulus, and what has been seen.
template <class Bench>
class LockstepRun {
 public:
  using Unit = typename Bench::Unit;
  using In = typename Bench::In;
  using Out = typename Bench::Out;
  using Size = typename Bench::Size;

  LockstepRun(const Size& size, const LockstepOptions& options, bool waves)
      : size_(size),
        rtl_(View::rtl, size, options.places, waves),
        bench_(size, options.seed),
        coverage_(Bench::coverage_of(size)),
        resets_(options.seed + 1) {
    if (!observed(options)) systemc_.emplace(View::systemc, size, options.places);
    if (!options.recorded.empty()) {
      recording_.emplace(options.recorded);
      recorded_ = options.recorded.string();
      return;
    }
    if (options.directed) directed_ = bench_.directed();
    next_reset_ = directed_.size();
  }

  /// Writes the cycles from now on to `file`, until finish_vectors().
  void write_vectors(const std::filesystem::path& file) { vectors_.emplace(file, size_); }
  void finish_vectors() {
    if (vectors_) vectors_->finish();
  }

  std::uint64_t directed_cycles() const { return directed_.size(); }
  LibraryUnit<Unit>& rtl() { return rtl_; }
  CoverageReport coverage() const { return coverage_.report(); }
  /// Returns whether the RTL is a user's that is compared in what can be seen of it.
  static bool observed(const LockstepOptions& options) {
    return options.places.own.has(Unit::kName) && !options.bit_exact;
  }

  /// Writes the cycles from now on to a waveform, which outlives this object.
  void write_waves(WaveFile& file) {
    waves_ = &file;
    cycle_signal_ = file.number("cycle", 64);
    in_signals_.emplace(file, "in", size_);
    const auto add = [&](const char* view, bool state) {
      file.begin_scope(view);
      view_signals_.emplace_back(file, size_, state);
      file.end_scope();
    };
    add("class", false);
    if (systemc_) add("systemc", systemc_->shows_state());
    add("rtl", rtl_.shows_state());
  }
  /// Makes `cycles` more whatever the views answer. Nothing is compared.
  void go_on(std::uint64_t cycles) {
    for (const std::uint64_t end = cycle_ + cycles; cycle_ < end; ++cycle_) {
      In in;
      if (!recording_) {
        in = cycle_ < directed_.size() ? directed_[cycle_] : bench_.random();
      } else if (!recording_->next(&in)) {
        return;
      }
      const Out out = bench_.eval_class(in);
      show(in, out);
      bench_.commit_class(in);
      if (systemc_) systemc_->commit(in);
      rtl_.commit(in);
    }
  }

  /// Returns the cycles that were run; fewer than asked for when there is a difference or the
  /// recording is over.
  std::uint64_t run(std::uint64_t cycles, LockstepResult& result) {
    const std::uint64_t start = cycle_;
    const std::uint64_t end = cycle_ + cycles;
    while (cycle_ < end && !result.difference) {
      if (cycle_ == next_reset_) reset(result);
      if (recording_) {
        In in;
        if (!recording_->next(&in)) {
          if (cycle_ == 0) throw UserError(recorded_ + ": no cycle is recorded there to compare");
          break;
        }
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
  static constexpr Femtoseconds kWaveCycle = 1'000'000;  // lockstep has no clock: 1 ns a cycle
  static constexpr std::uint64_t kMostCyclesToReset = 200'000;
  static constexpr std::uint64_t kNever = ~std::uint64_t(0);

  /// Makes a cycle of reset, with the pins as they last were; it is not one of the cycles that are
  /// counted.
  void reset(LockstepResult& result) {
    // Resets come often at first, for short runs, then seldom, so that far corners can be reached.
    next_reset_ = recording_ ? kNever : cycle_ + 1 + resets_.below(most_to_reset_);
    most_to_reset_ = std::min(2 * most_to_reset_, kMostCyclesToReset);
    bench_.reset_class();
    if (vectors_) vectors_->reset();
    if (systemc_) systemc_->reset();
    rtl_.reset();
    ++result.resets;
  }

  void step(const In& in, LockstepResult& result) {
    if (systemc_) {
      compare(in, result);
    } else {
      observe(in, result);
    }
    if (const std::string failure = rtl_.failure(); !failure.empty() && !result.difference)
      result.difference = Difference{cycle_, failure, "", "", "", history()};
  }

  /// This is what a waveform shows of a view.
  struct ViewSignals {
    ViewSignals(WaveFile& file, const Size& size, bool with_state) : out(file, "out", size) {
      if (with_state) state.emplace(file, size);
    }
    PortSignals<Out> out;
    std::optional<StateSignals<typename Unit::State, Size>> state;
  };

  /// Puts a cycle before its edge into the waveform.
  void show(const In& in, const Out& of_class) {
    if (waves_ == nullptr) return;
    waves_->set(cycle_signal_, cycle_);
    in_signals_->set(in, size_);
    view_signals_.front().out.set(of_class, size_);
    const auto put = [&](ViewSignals& signals, const LibraryUnit<Unit>& view) {
      signals.out.set(view.eval(in), size_);
      if (signals.state) signals.state->set(view.state(), size_);
    };
    if (systemc_) put(view_signals_[1], *systemc_);
    put(view_signals_.back(), rtl_);
    waves_->at(cycle_ * kWaveCycle);
  }

  /// Makes a cycle of all views.
  void compare(const In& in, LockstepResult& result) {
    const Out out = bench_.eval_class(in);
    show(in, out);
    Out of_systemc = systemc_->eval(in);
    Out of_rtl = rtl_.eval(in);
    Bench::forget_meaningless(of_systemc);
    Bench::forget_meaningless(of_rtl);
    history_[cycle_ % kHistoryCycles] = {in, out};
    const auto differ = [&](const std::string& signal, std::int64_t of_class, std::int64_t systemc,
                            std::int64_t rtl) { note(signal, of_class, systemc, rtl, result); };
    if (!(out == of_systemc && out == of_rtl)) {
      const auto differ_in = [&](const char* name, auto field, unsigned, const char* = nullptr) {
        differ(name, number(out.*field), number(of_systemc.*field), number(of_rtl.*field));
      };
      Out::fields(differ_in, Unit::kSizes[0]);
      return;
    }
    if (vectors_) vectors_->add(in, out);
    bench_.before_edge(in, out, coverage_);
    bench_.commit_class(in);
    systemc_->commit(in);
    rtl_.commit(in);
    if constexpr (!std::is_same_v<typename Unit::State, units::NoState>)
      if (rtl_.shows_state()) bench_.compare_state(systemc_->state(), rtl_.state(), differ);
    bench_.after_edge(in, coverage_);
  }

  /// Makes a cycle of the class and a user's RTL.
  void observe(const In& asked, LockstepResult& result) {
    In in = asked;
    if constexpr (Bench::kChooses) {
      in = bench_.legal(asked, cycle_ < directed_.size());
      if (recording_ && in != asked)
        throw UserError(
            fmt::format("cycle {} of the recording follows choices that this RTL does not make; "
                        "record it in a run with --rtl",
                        cycle_));
    }
    const Out of_rtl = rtl_.eval(in);
    std::string reason;
    Out out;
    if constexpr (Bench::kChooses) {
      out = bench_.follow(in, of_rtl, &reason);
    } else {
      out = bench_.eval_class(in);
    }
    history_[cycle_ % kHistoryCycles] = {in, of_rtl};
    show(in, out);
    const Out seen = where_meaningful<Unit>(out, of_rtl);
    if (out != seen) {
      const auto differ = [&](const char* name, auto field, unsigned, const char* = nullptr) {
        if (result.difference || out.*field == seen.*field) return;
        result.difference = Difference{cycle_,
                                       name,
                                       std::to_string(number(out.*field)),
                                       "",
                                       std::to_string(number(seen.*field)),
                                       history(),
                                       reason};
      };
      Out::fields(differ, Unit::kSizes[0]);
      return;
    }
    if (vectors_) vectors_->add(in, out);
    bench_.before_edge(in, out, coverage_);
    if constexpr (Bench::kChooses) {
      bench_.commit_as(in, out);
    } else {
      bench_.commit_class(in);
    }
    rtl_.commit(in);
    bench_.after_edge(in, coverage_);
  }

  template <class Value>
  static std::int64_t number(Value value) {
    return static_cast<std::int64_t>(value);
  }

  /// Keeps the first difference of a cycle.
  void note(const std::string& signal, std::int64_t of_class, std::int64_t of_systemc,
            std::int64_t of_rtl, LockstepResult& result) const {
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

  Size size_;
  std::optional<LibraryUnit<Unit>> systemc_;  // none beside a user's RTL that is observed
  LibraryUnit<Unit> rtl_;
  Bench bench_;
  typename Bench::Coverage coverage_;
  std::vector<In> directed_;
  std::optional<UnitRecording<Unit>> recording_;
  std::string recorded_;  // its file
  std::optional<VectorFile<Unit>> vectors_;
  std::array<Entry, kHistoryCycles> history_{};
  std::uint64_t cycle_ = 0;
  Random resets_;
  WaveFile* waves_ = nullptr;
  unsigned cycle_signal_ = 0;
  std::optional<PortSignals<In>> in_signals_;
  std::vector<ViewSignals> view_signals_;  // class, SystemC if it is there, RTL
  std::uint64_t most_to_reset_ = 1000;     // cycles to the next reset, at most
  std::uint64_t next_reset_ = 0;
};

/// Runs the first cycles of a run, with RTL that counts.
template <class Bench>
CodeCoverage code_coverage_of(const typename Bench::Size& size, LockstepOptions options) {
  options.places.coverage = true;
  LockstepRun<Bench> counted(size, options, false);
  LockstepResult ignored(options.seed);
  const std::uint64_t cycles = counted.run(
      counted.directed_cycles() + std::min(options.cycles, kCodeCoverageCycles), ignored);
  const WorkFolder work;
  const std::filesystem::path data = work.path() / "coverage.dat";
  counted.rtl().write_coverage(data);
  return CodeCoverage(data, options.places.rtl, cycles);
}

/// Runs up to a difference once more, and writes a waveform of all views around it. With a user's
/// RTL that has choices it ends there: nobody could say what the class should follow.
template <class Bench>
void write_difference(const typename Bench::Size& size, LockstepOptions options,
                      LockstepResult& result) {
  constexpr std::uint64_t kAround = 200;
  const std::uint64_t at = result.difference->cycle;
  const std::uint64_t first = at > kAround ? at - kAround : 0;
  options.places.short_run = at + kAround <= kShortLockstepCycles;
  WaveFile file(options.waves_of_difference);
  LockstepRun<Bench> again(size, options, false);
  LockstepResult ignored(options.seed);
  again.run(first, ignored);
  again.write_waves(file);
  again.run(at - first, ignored);
  if (Bench::kChooses && LockstepRun<Bench>::observed(options)) {
    again.run(1, ignored);
  } else {
    again.go_on(kAround + 1);
  }
  file.finish();
  result.waves = options.waves_of_difference;
}

/// Runs the views against each other, and once more with a recording where one is asked for.
template <class Bench>
LockstepResult run_lockstep(const typename Bench::Size& size, LockstepOptions options) {
  constexpr std::uint64_t kWavesBefore = 1000;  // recorded before a difference
  constexpr std::uint64_t kMostWaves = 20'000;  // recorded without one
  LockstepResult result(options.seed);
  options.places.short_run = options.cycles <= kShortLockstepCycles;
  LockstepRun<Bench> lockstep(size, options, false);
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t directed = lockstep.directed_cycles();
  if (!options.vectors.empty()) lockstep.write_vectors(options.vectors);
  result.cycles = lockstep.run(directed + options.cycles, result);
  result.directed_cycles = std::min(directed, result.cycles);
  result.recorded = !options.recorded.empty();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.coverage = lockstep.coverage();
  if (!result.difference) lockstep.finish_vectors();

  if (options.code_coverage && !result.difference)
    result.code = code_coverage_of<Bench>(size, options);

  if (result.difference && !options.waves_of_difference.empty()) {
    write_difference<Bench>(size, options, result);
  }
  if (options.waves.empty()) return result;
  // The library that writes waveforms unlinks what has their name, a device included.
  const WorkFolder work;
  const std::filesystem::path recorded = work.path() / "waves.fst";
  {
    const std::uint64_t end = result.difference ? result.difference->cycle + 1 : result.cycles;
    options.places.short_run = end <= kShortLockstepCycles;
    LockstepRun<Bench> again(size, options, true);
    LockstepResult ignored(options.seed);
    const std::uint64_t first = result.difference && end > kWavesBefore ? end - kWavesBefore : 0;
    again.run(first, ignored);
    again.rtl().open_waves(recorded);
    again.run(std::min(end - first, kMostWaves), ignored);
  }
  write_text(options.waves, read_text(recorded));
  result.waves = options.waves;
  return result;
}

}  // namespace warpmem::cosim
