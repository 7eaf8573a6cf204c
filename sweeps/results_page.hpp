// SPDX-License-Identifier: Apache-2.0
// docs/results.md: published beside measured. Each experiment leaves what it measured in a small
// JSON file; the page is made of all of them, in the order of their numbers.
#pragma once

#include <string>

#include "sweeps/verdict.hpp"

namespace warpmem::sweeps {

/// Returns the verdict in words: "reproduced (near)", "reproduced (shape)", "not reproduced", or
/// "not measured (an input is missing)".
std::string words(const Verdict& verdict);

/// Returns a table for the terminal, with the verdict.
std::string text_of(const Experiment& experiment, const Verdict& verdict);

/// Writes FOLDER/results/ID.json and, from all files there, FOLDER/results.md. A file may have a
/// "note" of somebody's about its values, which the page shows; it is gone with them. Throws
/// UserError when a file cannot be written.
void update_results(const std::string& folder, const Experiment& experiment,
                    const Verdict& verdict);

}  // namespace warpmem::sweeps
