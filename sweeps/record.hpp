// SPDX-License-Identifier: Apache-2.0
// docs/results/ID.json: what an experiment measured, workload by workload, and the verdict. Since
// it holds what each workload contributes, it can be judged again without a run.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sweeps/verdict.hpp"

namespace warpmem::sweeps {

/// Returns texts like "14.3 to 16.4" or "above 5.0", and "14.5 (4)" with the label that best_of
/// chose; "-" when nothing was measured.
std::string published_text(const Row& row);
std::string measured_text(const MeasuredRow& row);

nlohmann::ordered_json record_of(const Experiment& experiment, const Verdict& verdict);

/// Returns whether a document has all that record_of() gives, of an older warpmem too.
bool is_record(const nlohmann::ordered_json& document);

/// Returns the rows of a record, one that is_record(), for judge(). A row of the experiment that
/// the record lacks has no values; workloads that a row names and the record lacks are among its
/// `without`.
std::vector<MeasuredRow> rows_of(const Experiment& experiment,
                                 const nlohmann::ordered_json& record);

}  // namespace warpmem::sweeps
