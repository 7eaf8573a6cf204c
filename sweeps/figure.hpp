// SPDX-License-Identifier: Apache-2.0
// The figure of an experiment: each row's published bar beside the measured one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warpmem::sweeps {

/// Returns an SVG picture of a record (sweeps/record.hpp).
std::string figure_of(const nlohmann::ordered_json& record);

/// Returns a small SVG picture in the colour that stands for a verdict.
std::string colour_of_verdict(const std::string& word);

}  // namespace warpmem::sweeps
