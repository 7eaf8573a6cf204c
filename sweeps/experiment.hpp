// SPDX-License-Identifier: Apache-2.0
// A published result and how it is measured: the map `experiment` of a sweep file.
//
//   experiment:
//     id: C1                        # letters, digits, - and _: it names files
//     source: DL 6.1
//     title: IPC over the baseline
//     sweep: C1.yaml                # the runs; without it those of this file
//     band: near                    # or shape
//     measure: {metric: gpu.ipc, as: gain, over: {scheme: base}}
//     rows:
//       - {name: DL, point: {scheme: DL}, published: 19.2}
//     reference: {file: FILE, point: {scheme: base}}  # counters of others (docs/correlate.md),
//     shown
//                                   # beside the runs with these labels
//     decisive:                     # makes a `differs` a `refuted`
//       run: sweeps/x.yaml          # a sweep beside this file, or a command of warpmem
//       shows: Why no machine as published can have the published figure.
//     analysis: |
//       Why it differs.
//
// A measure may also stand in a row, where it replaces parts of the common one:
//   metric     a statistic, a list (their sum), or {share: [a, ...], of: [a, b, ...]}: percent
//   as         gain       100 (geometric mean of value / value at `over` - 1)
//              reduction  100 (1 - mean of value / value at `over`)
//              percent    100 x geometric mean of value / value at `over`
//              loss       100 - percent
//              mean       arithmetic mean of the values
//   over       labels of the baseline; axes that it does not name are those of the row's point
//              {AXIS: [a, b, ...]}: for each workload the label with the largest value, as for the
//              best static limit
//   best_of    an axis: its best label counts (the largest result)
//   workloads  names; without it all
// A row has `published: NUMBER`, `published: [LOW, HIGH]`, or `expect: {above: N}` / `{below: N}`.
// With `variant: NAME` it belongs to one value of what the publication leaves open, or to one way
// of reading it. The same published figures stand beside each; rows are compared in order within
// one, and each has a verdict of its own. A row without a variant belongs to all of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpmem::sweeps {

enum class Aggregate : std::uint8_t { gain, reduction, percent, loss, mean };
enum class Band : std::uint8_t { shape, near };

using Labels = std::map<std::string, std::string>;  ///< axis -> label

struct Metric {
  std::vector<std::string> numerator;    ///< statistics, summed
  std::vector<std::string> denominator;  ///< empty: a plain value
};

struct Measure {
  Metric metric;
  Aggregate as = Aggregate::gain;
  Labels over;
  std::string over_axis;                 ///< empty, or the axis of `over` with several labels
  std::vector<std::string> over_labels;  ///< labels of that axis
  std::string best_of;
  std::vector<std::string> workloads;  ///< empty: all

  /// Returns whether the results stand side by side in one figure: the same quantity over the same
  /// baseline.
  bool comparable(const Measure& other) const {
    return as == other.as && over == other.over && over_axis == other.over_axis &&
           over_labels == other.over_labels && metric.numerator == other.metric.numerator &&
           metric.denominator == other.metric.denominator;
  }
};

struct Row {
  std::string name;
  Labels point;
  Measure measure;
  std::string variant;       ///< empty: it belongs to all
  double low = 0, high = 0;  ///< published; equal when it is one number
  std::optional<double> above, below;
  bool has_published() const { return !above && !below; }
};

struct Experiment {
  std::string file;
  std::string sweep;  ///< file with the runs
  std::string id;
  std::string source;
  std::string title;
  Band band = Band::shape;
  std::vector<Row> rows;
  std::string reference;       ///< file with what others counted; empty: none
  Labels reference_point;      ///< labels of the runs that it stands beside
  std::string decisive_run;    ///< what refutes the publication; empty: nothing does
  std::string decisive_shows;  ///< how
  std::string analysis;
};

/// Returns whether a text may be an experiment's id, which names files: letters, digits, - and _.
bool is_experiment_id(const std::string& text);

/// Reads the map. Throws UserError with every problem of it, one a line as "file:line: ...".
Experiment read_experiment(const std::string& file);

}  // namespace warpmem::sweeps
