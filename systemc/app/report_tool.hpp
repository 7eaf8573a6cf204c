// SPDX-License-Identifier: Apache-2.0
// The tool behind `warpmem report`. It is Python and uses Debian's packages, so it wants Debian's
// interpreter whatever PATH says.
#pragma once

#include <string>
#include <vector>

#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/process.hpp"

namespace warpmem::app {

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
