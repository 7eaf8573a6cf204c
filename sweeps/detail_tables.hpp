// SPDX-License-Identifier: Apache-2.0
// The tables of the database that came with schema 2: launches, instructions, series and units
// (docs/results-database.md). Statistics of a launch or an instruction are one JSON object, and the
// points of a series one array, which takes far less room than rows that each repeat the run's
// key; views show them as rows.
#pragma once

#include <string>
#include <vector>

#include "sweeps/run_details.hpp"
#include "sweeps/sqlite.hpp"

namespace warpmem::sweeps {

/// Statements that create the tables and views.
const std::vector<std::string>& detail_tables();

/// Inside a transaction; the run has no details yet.
void store_details(Connection& connection, const std::string& run, const RunDetails& details);
void forget_details(Connection& connection, const std::string& run);
RunDetails details_of(Connection& connection, const std::string& run);

/// Takes from the attached database `other` the details of its complete runs that are not here.
void absorb_details(Connection& connection);
/// Returns the first launch, instruction or series that is different in the attached database
/// `other`, for people ("run KEY has another launch 2"); empty when there is none.
std::string differing_detail(Connection& connection);

}  // namespace warpmem::sweeps
