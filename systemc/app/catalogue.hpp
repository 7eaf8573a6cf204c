// SPDX-License-Identifier: Apache-2.0
// workloads/catalogue.yaml: what the workloads are and with which arguments they run.
#pragma once

#include <string>
#include <vector>

namespace warpmem::app {

struct Workload {
  std::string name;
  std::string file;  ///< file name in the folder of workloads
  std::string suite;
  std::string stands_for;           ///< name of the benchmark in its suite
  std::vector<std::string> papers;  ///< papers that use it, keys of docs/references.md
  std::string tiny;                 ///< arguments: well below a second with the data check
  std::string small;                ///< arguments: 1 to 5 s
  std::string medium;               ///< arguments: 10 to 40 s
};

/// Returns the workloads in the order of the file. Throws UserError when the file cannot be read,
/// lacks an entry or has one that is not known.
std::vector<Workload> read_catalogue(const std::string& path);

}  // namespace warpmem::app
