// SPDX-License-Identifier: Apache-2.0
// An experiment's reference: what somebody else counted of the same programs, shown beside.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sweeps/database.hpp"
#include "sweeps/experiment.hpp"

namespace warpmem::sweeps {

/// Throws UserError when the experiment's reference does not exist, or has labels that no point
/// has.
void check_reference(const Experiment& experiment, const std::vector<Point>& points);

/// Compares the runs in `database`, a file, with the experiment's reference, by the program behind
/// `warpmem correlate`; docs/correlate.md says what the JSON has. Throws UserError when they cannot
/// be compared.
nlohmann::ordered_json beside_reference(const Experiment& experiment, const std::string& database);

/// Returns whether a document is such a comparison.
bool is_comparison(const nlohmann::ordered_json& document);

/// Returns a comparison as lines for the terminal, and as a part of a section of docs/results.md.
std::string reference_text(const nlohmann::ordered_json& comparison);
std::string reference_section(const nlohmann::ordered_json& comparison);

}  // namespace warpmem::sweeps
