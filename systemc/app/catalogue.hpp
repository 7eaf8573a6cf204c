// SPDX-License-Identifier: Apache-2.0
// workloads/catalogue.yaml: what the workloads are and with which arguments they run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpmem::app {

struct Workload {
  std::string name;
  std::string file;  ///< file name in the folder of workloads
  std::string suite;
  std::string stands_for;           ///< name of the benchmark in its suite
  std::vector<std::string> papers;  ///< papers that use it, keys of docs/references.md
  /// Arguments by the size's name. Of all workloads: tiny (well below a second with the data
  /// check), small (1 to 5 s), medium (10 to 40 s). Of some: published, an input like the
  /// publications', where small is none; up to 3 minutes.
  std::map<std::string, std::string> sizes;
};

/// The names that a size can have, as messages list them.
inline const std::vector<std::string> kSizes = {"tiny", "small", "medium", "published"};

/// Returns the arguments of `workload` at `size`. Throws UserError, which names the sizes that
/// there are, when it has none of this name.
const std::string& arguments(const Workload& workload, const std::string& size);

/// Returns the workloads in the order of the file. Throws UserError when the file cannot be read,
/// lacks an entry or has one that is not known.
std::vector<Workload> read_catalogue(const std::string& path);
/// Returns the workload of this name, or nullopt. Errors of other entries are not looked for.
std::optional<Workload> read_workload(const std::string& path, const std::string& name);

}  // namespace warpmem::app
