// SPDX-License-Identifier: Apache-2.0
// What programs cost, in a file that comes with warpmem (experiments/costs.json), so that a sweep
// has an order, and `warpmem reproduce --list` a time, before anybody has run anything here:
//
//   [{"workload": "bfs", "arguments": "49152 6", "seconds": 2.4},
//    ...]
//
// A row is a program with its arguments, over configurations. Runs that have happened here count
// beside it (sweeps/cost_model.hpp). `warpmem reproduce --measure-costs` makes the file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmem::sweeps {

struct StoredCost {
  std::string workload, arguments;
  double seconds = 0;  ///< of one core
};

/// Returns the file that comes with this installation.
std::filesystem::path stored_costs_file();

/// Returns the rows of the file; none when there is no such file. Throws UserError that names the
/// file, and the row where there is one, when it is not what warpmem writes.
std::vector<StoredCost> read_stored_costs(const std::filesystem::path& file);

/// Writes the rows, one a line, sorted by workload and arguments.
void write_stored_costs(const std::filesystem::path& file, std::vector<StoredCost> costs);

}  // namespace warpmem::sweeps
