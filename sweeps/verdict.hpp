// SPDX-License-Identifier: Apache-2.0
// What an experiment measured beside what was published: how much of the published effect is there,
// and not only its sign (docs/decisions.md, Verdicts).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sweeps/experiment.hpp"

namespace warpmem::sweeps {

/// From the best to the worst that a row or an experiment can be; `refuted` is a `differs` with a
/// decisive run, and experiments alone have it.
enum class Standing : std::uint8_t { near, shape, weak, differs, not_measured, refuted };

/// This is what one workload contributes to a row.
struct WorkloadValue {
  std::string workload;
  double value;      ///< value of the metric; divided by the baseline's where the row is relative
  std::string over;  ///< label of the baseline, where it is a choice of labels
};

/// The result of a row when the workload that carries it most is left out.
struct LeftOut {
  std::string workload;
  double value;
};

struct MeasuredRow {
  std::string best;                   ///< the label that best_of chose
  std::vector<WorkloadValue> values;  ///< one for each workload that took part
  std::vector<std::string> without;   ///< workloads without a run, or with nothing to divide by

  /// An old record's mean of workloads whose values it does not have: it gives no median and no
  /// range, and is not enough for a `shape`.
  std::optional<double> bare_mean;
  std::vector<std::string> bare_workloads;

  // What follows from them. Numbers are in the row's unit.
  std::optional<double> value;      ///< empty: nothing could be measured
  double median = 0;                ///< of the workloads
  double least = 0, most = 0;       ///< range over the workloads
  unsigned gain = 0, lose = 0;      ///< workloads above and below nothing by kTie or more
  std::optional<LeftOut> left_out;  ///< with two workloads or more
  Standing standing = Standing::not_measured;
  std::string why;  ///< what keeps the row from a better standing
};

/// How the rows of one variant stand (Row::variant), never `refuted`.
struct VariantStanding {
  std::string name;
  Standing standing = Standing::not_measured;
};

struct Verdict {
  std::vector<MeasuredRow> rows;
  Standing standing = Standing::not_measured;  ///< of all rows
  std::vector<VariantStanding> variants;       ///< in the order of their first rows
  /// Pairs of rows that are clearly ordered in the publication and not, or the other way round,
  /// here; a line each.
  std::vector<std::string> ties, reversed;
  std::vector<std::string> missing;  ///< input files without which there is no verdict
  /// The runs beside the experiment's reference (sweeps/reference.hpp); null without one.
  nlohmann::ordered_json reference;
  bool met(Band band) const {
    return standing == Standing::near || (band == Band::shape && standing == Standing::shape);
  }
};

/// Published rows over one baseline that are closer than this have no order that counts, nor has
/// one this close to its baseline a sign (percentage points).
inline constexpr double kOrdered = 1.5;
/// Numbers closer than this are equal (percentage points).
inline constexpr double kTie = 0.5;
/// This part of the published effect is how far a `near` row may be off; of a percentage (as:
/// percent) the effect is its distance from 100.
inline constexpr double kNear = 0.30;
/// The same for areas and powers, whose ratio counts.
inline constexpr double kNearArea = 0.25;
/// This part of the published effect is the least that is no `weak` one.
inline constexpr double kPart = 0.25;

/// Returns the word: "near", "shape", "weak", "differs", "not measured" or "refuted".
std::string word(Standing standing);

/// Returns the result of a row from what its workloads contribute, of which there is at least one.
double combine(Aggregate as, const std::vector<WorkloadValue>& values);

/// Judges rows that have been measured: one for each row of the experiment, of which `best`,
/// `values` and `without` are given.
Verdict judge(const Experiment& experiment, std::vector<MeasuredRow> rows);

}  // namespace warpmem::sweeps
