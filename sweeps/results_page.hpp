// SPDX-License-Identifier: Apache-2.0
// docs/results.md: published beside measured. Each experiment leaves its record (sweeps/record.hpp)
// in a small JSON file; the page and its figures are made of all of them, in the order of their
// numbers.
#pragma once

#include <string>
#include <vector>

#include "sweeps/verdict.hpp"

namespace warpmem::sweeps {

/// Returns a table for the terminal, with the verdict.
std::string text_of(const Experiment& experiment, const Verdict& verdict);

/// Throws EnvironmentError when the page, or the records of these experiments, could not be written
/// into the folder. It leaves everything as it is.
void check_page(const std::string& folder, const std::vector<std::string>& ids);

/// Writes FOLDER/results/ID.json. A file may have a "note" of somebody's about its values, which
/// the page shows; it is gone with them. Throws UserError when a file cannot be written.
void write_record(const std::string& folder, const Experiment& experiment, const Verdict& verdict);

/// Judges the values of FOLDER/results/ID.json as the experiment now says, and writes the file
/// anew; a note and a comparison with a reference stay. Throws UserError without such a file.
Verdict judge_again(const std::string& folder, const Experiment& experiment);

/// Writes FOLDER/results.md and the pictures in FOLDER/results/ from all files there. Throws
/// UserError when a file cannot be read or written.
void write_page(const std::string& folder);

}  // namespace warpmem::sweeps
