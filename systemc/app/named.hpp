// SPDX-License-Identifier: Apache-2.0
// What `warpmem list` shows goes by its name: machines of configs/ and workloads of the catalogue.
#pragma once

#include <string>
#include <vector>

namespace warpmem::app {

/// Names of the machines in configs/, in alphabetical order.
std::vector<std::string> machine_names();

/// Returns the file that `given` means: itself, if there is such a file or it is no name, else that
/// of the machine of this name. Throws UserError with the nearest name when there is none.
std::string machine_file(const std::string& given);

/// A program with its arguments.
struct NamedProgram {
  std::string file;
  std::vector<std::string> arguments;
};

/// Returns the workload `name` with the arguments of a size (empty: small). Throws UserError with
/// the nearest name when the catalogue has none of this name, or the workload no such size.
NamedProgram workload(const std::string& name, const std::string& size);

}  // namespace warpmem::app
