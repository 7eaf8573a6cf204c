// SPDX-License-Identifier: Apache-2.0
// Statistics. A component keeps plain counters in a `Stats` struct of its own and registers them
// once, with unit and meaning; the registry takes snapshots per kernel launch, adds up instances,
// and evaluates the conservation laws.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace warpmem {

namespace stats_detail {
struct Account;
struct Entries;
struct Path;
}  // namespace stats_detail

/// Counts of values in bins. The last bin takes everything above the last bound.
class Histogram {
 public:
  /// `bounds` are the inclusive upper bounds of all bins but the last, ascending.
  explicit Histogram(std::vector<std::uint64_t> bounds = {});
  void add(std::uint64_t value, std::uint64_t times = 1);
  const std::vector<std::uint64_t>& bounds() const { return bounds_; }
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  std::uint64_t samples() const { return samples_; }
  std::uint64_t sum() const { return sum_; }

 private:
  friend class StatRegistry;
  std::vector<std::uint64_t> bounds_;
  std::vector<std::uint64_t> counts_;
  std::size_t last_bin_ = 0;  // of the value added last; the next one is often in the same
  std::uint64_t samples_ = 0;
  std::uint64_t sum_ = 0;
};

/// Amounts by interval of simulated time, in bounded memory: when the points run out, neighbours
/// are merged and the interval doubles.
class TimeSeries {
 public:
  /// `interval` is in cycles of the owner's clock; `points` (even, >= 2) is the most that are kept.
  explicit TimeSeries(Cycle interval = 1024, std::size_t points = 512);
  /// Adds `amount` to the interval that contains `now` (non-decreasing between calls).
  void add(Cycle now, double amount);
  /// Adds `level` for each of the cycles [from, to), interval by interval. The series then shows a
  /// level over time, times cycles.
  void add_level(Cycle from, Cycle to, double level);
  Cycle interval() const { return interval_; }
  const std::vector<double>& points() const { return values_; }

 private:
  Cycle interval_;
  std::size_t limit_;
  std::vector<double> values_;
};

/// The statistics of a component. All references must live as long as the simulation.
class StatGroup {
 public:
  void counter(std::string_view name, const std::uint64_t& value, std::string_view unit,
               std::string_view doc);
  /// Registers the largest value seen since the launch began. Instances combine by maximum. The
  /// registry resets `value` to 0 at each launch.
  void peak(std::string_view name, std::uint64_t& value, std::string_view unit,
            std::string_view doc);
  /// Registers numerator / denominator of two counters, which may be registered or not. Instances
  /// and kernels combine by adding both sides. The ratio is 0 when the denominator is 0.
  void ratio(std::string_view name, const std::uint64_t& numerator,
             const std::uint64_t& denominator, std::string_view doc);
  void histogram(std::string_view name, const Histogram& value, std::string_view unit,
                 std::string_view doc);
  /// `clock` names the clock whose cycles the series counts in, for the output.
  void series(std::string_view name, const TimeSeries& value, std::string_view unit,
              std::string_view doc, std::string_view clock = {});
  /// Names the clock of the series that are registered from now on and name none.
  void series_clock(std::string_view clock);
  /// These register what is of interest over time only: how something stands, and how much of it
  /// there has been since the start. It is read when a sample is taken (stat_sampler.hpp), and is
  /// in no account of a launch. Over instances both add up.
  void level(std::string_view name, std::function<std::uint64_t()> read, std::string_view unit,
             std::string_view doc);
  void amount(std::string_view name, std::function<std::uint64_t()> read, std::string_view unit,
              std::string_view doc);
  /// Registers a relation that must hold whenever the machine is drained. `check` returns an empty
  /// string, or the two sides as text ("accesses 10 != hits 4 + misses 5").
  void law(std::string_view name, std::function<std::string()> check);
  /// Registers a function that brings values which are integrated lazily (occupancy × cycles) up to
  /// date before a snapshot is taken. That may be at any time after an instant's ticks, and must
  /// not show in what is counted afterwards.
  void before_snapshot(std::function<void()> update);
  /// Registers a function that takes the time since such values were last brought up to date out
  /// of them: it was before a kernel began.
  void leave_out_time(std::function<void()> leave_out);
  /// Leaves the path out of the results until a launch has ended with `count` other than 0: it is
  /// of a part that most programs do not use. Its laws are evaluated as ever.
  void only_when_used(const std::uint64_t& count);

 private:
  friend class StatRegistry;
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// Checks a == b as a conservation law: returns "" or "<left> <a> != <right> <b>".
std::string expect_equal(std::string_view left, std::uint64_t a, std::string_view right,
                         std::uint64_t b);

/// One of several kernels that ran together, in SM cycles since the launch of the first.
struct KernelRun {
  std::string name;
  std::uint64_t launch = 0;  ///< number among all launches of the program, from 1
  std::uint64_t begin = 0;   ///< its launch latency begins
  std::uint64_t end = 0;     ///< its last CTA has finished
};

/// All statistics of a simulation.
class StatRegistry {
 public:
  StatRegistry();
  ~StatRegistry();

  /// Returns the group of instance `index` of `path` ("l1d", "l2", "dram", "sm", "gpu"). Instances
  /// of one path must register the same names.
  StatGroup& group(std::string_view path, unsigned index = 0);

  /// These begin the account of one kernel launch (nothing may be registered after the first), and
  /// end it and evaluate every law. A law that failed makes them throw SimulationError with a line
  /// for each; the launch is in the results even then. `launch` is its number when some launches
  /// have no account; with 0 it is one more than the accounts before it.
  void begin_kernel(const std::string& name, std::uint64_t launch = 0);
  /// What has happened since begin_kernel() counts, but not the time that it took.
  void leave_out_time();
  /// `together`: the kernels that the account is of, when they are several.
  void end_kernel(std::vector<KernelRun> together = {});

  /// From now on the account keeps what each launch added to each instance, too.
  void keep_instances();
  /// Everything that was accounted for; stats_json() (files/stats_json.hpp) makes a document of it.
  /// It grows by one row a launch (8 bytes for each statistic or histogram bin, whatever the number
  /// of instances).
  const stats_detail::Account& account() const;
  /// Everything that was registered, by path: what only_when_used() leaves out, too.
  std::vector<stats_detail::Path> all_paths() const;
  /// Returns one row for each launch and one for the total, of counters, peaks and ratios only.
  std::string csv() const;
  std::string table() const;  ///< totals, for the terminal

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpmem
