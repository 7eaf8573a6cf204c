// SPDX-License-Identifier: Apache-2.0
// Questions to a design space: where the knee of a curve is, and which designs no other beats in
// both a metric and cost. A question becomes a sweep (explore.yaml), of which only the runs happen
// that the answer needs.
//
// In the folder: explore.yaml, a sweep file of all points; explore.sqlite, the runs; programs/.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sweeps/engine.hpp"
#include "sweeps/knee_search.hpp"
#include "sweeps/plan.hpp"

namespace warpmem::sweeps {

/// Values that one or several keys of the configuration take together.
struct ExploredAxis {
  std::vector<std::string> keys;
  std::vector<std::string> values;
};

/// Reads KEY[+KEY...]=VALUE,VALUE,... Throws UserError for another form, or a value given twice.
ExploredAxis parse_axis(const std::string& text);
/// Throws UserError unless the values are ascending numbers, with units of one kind (size,
/// frequency, cycles, nanoseconds) or none.
void check_ascending(const ExploredAxis& axis);

struct Question {
  std::string machine;                   ///< absolute path of a configuration; empty: defaults
  std::vector<std::string> assignments;  ///< KEY=VALUE, of every run
  std::vector<ExploredAxis> axes;
  std::vector<std::string> workloads;  ///< NAME[:SIZE] of the catalogue (small), or a file
  std::string metric = "gpu.ipc";
  bool more_is_better = true;
};

/// A point of the product of the axes.
struct ExploredPoint {
  std::string label;  ///< "kind=dl entries=32", or the value where there is one axis
  std::vector<std::pair<std::string, std::string>> assignments;
};

/// All of them; the last axis varies fastest.
std::vector<ExploredPoint> points_of(const std::vector<ExploredAxis>& axes);

/// The sweep file that has them all, on one axis, and what it asks for.
struct QuestionSweep {
  std::string text;
  Plan plan;
};
/// Returns it, to be written as `file`. Throws UserError for every mistake of the question, said of
/// what was asked.
QuestionSweep sweep_of(const Question& question, const std::string& file);
/// The name of that axis.
std::string axis_name(const std::vector<ExploredAxis>& axes);

/// The runs of a question. Where is what: run [workload * points + point] of plan().
class Exploration {
 public:
  /// Writes the sweep file into `folder`, and compiles the programs. Throws UserError for every
  /// mistake of the question, and when the folder has results and `options.resume` is not set.
  Exploration(const Question& question, const std::filesystem::path& folder, EngineOptions options);

  const std::vector<ExploredPoint>& points() const { return points_; }
  const std::vector<std::string>& workloads() const { return workloads_; }
  std::string database() const { return options_.output; }
  std::size_t executed() const { return executed_; }  ///< runs, this time

  /// Runs what is not there yet of these (workload, point). Throws UserError when one fails, or has
  /// no such statistic or none above 0.
  void measure(const std::vector<std::pair<std::size_t, std::size_t>>& wanted);
  /// The metric there. Precondition: it was measured.
  double value(std::size_t workload, std::size_t point) const;

  /// Looks for the knee of each workload, all in one round after the other.
  std::vector<KneeSearch> knees(double within, bool exhaustive);
  /// Measures everything; returns each point's geometric mean over the workloads of the metric over
  /// that of point 0, with more being better.
  std::vector<double> means();

 private:
  Question question_;
  EngineOptions options_;
  Plan plan_;
  std::vector<ExploredPoint> points_;
  std::vector<std::string> workloads_;
  std::vector<double> values_;  ///< 0: not measured
  std::size_t executed_ = 0;
};

/// Returns the numbers of the designs (cost, value) that no other beats in both, by cost.
std::vector<std::size_t> pareto_front(const std::vector<std::pair<double, double>>& designs);

}  // namespace warpmem::sweeps
