// SPDX-License-Identifier: Apache-2.0
// What an experiment measured, beside what was published.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sweeps/database.hpp"
#include "sweeps/experiment.hpp"

namespace warpmem::sweeps {

/// This is what one workload contributes to a row.
struct WorkloadValue {
  std::string workload;
  double value;      ///< value of the metric; divided by the baseline's where the row is relative
  std::string over;  ///< label of the baseline, where it is a choice of labels
};

struct MeasuredRow {
  std::optional<double> value;        ///< empty: nothing could be measured
  std::string best;                   ///< the label that best_of chose
  std::vector<WorkloadValue> values;  ///< one for each workload that took part
  std::vector<std::string> without;   ///< workloads without a run, or with nothing to divide by
  bool sign = false;                  ///< as published; both within kTie of nothing counts too; of
                                      ///< a mean, which has no direction: near
  bool near = false;                  ///< within 30 % of what was published
};

struct Verdict {
  std::vector<MeasuredRow> rows;
  std::vector<std::string> missing;  ///< input files without which there is no verdict
  /// The runs beside the experiment's reference (sweeps/reference.hpp); null without one.
  nlohmann::ordered_json reference;
  bool order = false;  ///< comparable rows that are clearly ordered in the publication are so here
  bool shape = false;  ///< signs and order are as published
  bool near = false;   ///< shape holds, and each row is near
  bool met(Band band) const { return band == Band::near ? near : shape; }
};

/// Published rows closer than this (in their unit, percent) have no order that counts.
inline constexpr double kTie = 1.5;
/// This part of the published value is how far a `near` row may be off; of a percentage (as:
/// percent) the value is its distance from 100.
inline constexpr double kNear = 0.30;

/// Judges the rows. Throws UserError for labels, workloads or statistics that the sweep does not
/// have.
Verdict judge(const Experiment& experiment, const Database& results);

}  // namespace warpmem::sweeps
