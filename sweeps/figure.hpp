// SPDX-License-Identifier: Apache-2.0
// The figure of an experiment: each row's published bar beside the measured one; and one of all.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace warpmem::sweeps {

/// Returns an SVG picture of a record (sweeps/record.hpp).
std::string figure_of(const nlohmann::ordered_json& record);

/// Returns an SVG picture of all records: of each row the part of the published effect that was
/// measured, and the verdicts, in colour and in words.
std::string overview_of(const std::vector<nlohmann::ordered_json>& records);

/// Returns a small SVG picture in the colour that stands for a verdict.
std::string colour_of_verdict(const std::string& word);

}  // namespace warpmem::sweeps
