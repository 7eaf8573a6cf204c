// SPDX-License-Identifier: Apache-2.0
// The tool behind `warpmem report`. It is Python and uses Debian's packages, so it wants Debian's
// interpreter whatever PATH says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/places.hpp"
#include "app/run_directory.hpp"
#include "base/errors.hpp"
#include "base/process.hpp"

namespace warpmem::app {

/// Files that a page is made from: what is named, of run directories the results, and of other
/// folders, which are references, all files.
inline std::vector<std::filesystem::path> inputs_of(const std::vector<std::string>& named) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path path : named) {
    if (path.empty()) continue;
    files.push_back(path);
    for (const std::string& name : run_directory_files()) files.push_back(path / name);
    std::error_code none;
    if (std::filesystem::exists(path / "stats.json", none)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(path, none))
      files.push_back(entry.path());
  }
  return files;
}

/// Runs it with these arguments (tools/report/report.py). Returns 0, or 2 when it has said what is
/// wrong. Throws UserError when it ends otherwise.
inline int run_report_tool(const std::vector<std::string>& arguments) {
  Process process{{"/usr/bin/python3", places().report_tool.string()}};
  process.argv.insert(process.argv.end(), arguments.begin(), arguments.end());
  const int status = run_process(process);
  if (status != 0 && status != 2) throw UserError(ending(process, status));
  return status;
}

}  // namespace warpmem::app
