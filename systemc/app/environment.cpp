// SPDX-License-Identifier: Apache-2.0
#include "app/environment.hpp"

#include <cstdlib>
#include <sstream>

#include "base/errors.hpp"

namespace warpmem::app {

namespace {

std::string variable(const char* name, const std::string& fallback = "") {
  const char* value = std::getenv(name);
  return value != nullptr ? value : fallback;
}

}  // namespace

Environment Environment::read() {
  Environment e;
  e.config = variable("WARPMEM_CONFIG");
  std::istringstream lines(variable("WARPMEM_SET"));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) e.assignments.push_back(line);
  e.run_dir = variable("WARPMEM_RUN_DIR", e.run_dir);
  const std::string mode = variable("WARPMEM_MODE", "timed");
  if (mode != "timed" && mode != "functional" && mode != "record")
    throw UserError("WARPMEM_MODE: " + mode + " is not a mode; allowed: timed, functional, record");
  e.functional = mode == "functional";
  if (mode == "record") {
    e.record = variable("WARPMEM_TRACE");
    if (e.record.empty())
      throw UserError("WARPMEM_TRACE: not set; WARPMEM_MODE=record needs a file to write to");
  }
  e.kernels = variable("WARPMEM_KERNELS");
  e.ctas = variable("WARPMEM_CTAS");
  if (mode != "timed" && (!e.kernels.empty() || !e.ctas.empty()))
    throw UserError(
        "WARPMEM_KERNELS and WARPMEM_CTAS choose what is timed; nothing is with "
        "WARPMEM_MODE=" +
        mode);
  e.command = variable("WARPMEM_COMMAND");
  e.progress = variable("WARPMEM_PROGRESS") == "1";
  return e;
}

std::vector<std::string> Environment::variables() const {
  std::string set;
  for (const std::string& assignment : assignments) set += assignment + "\n";
  return {"WARPMEM_CONFIG=" + config,
          "WARPMEM_SET=" + set,
          "WARPMEM_RUN_DIR=" + run_dir,
          std::string("WARPMEM_MODE=") + (!record.empty() ? "record"
                                          : functional    ? "functional"
                                                          : "timed"),
          "WARPMEM_TRACE=" + record,
          "WARPMEM_KERNELS=" + kernels,
          "WARPMEM_CTAS=" + ctas,
          "WARPMEM_COMMAND=" + command,
          std::string("WARPMEM_PROGRESS=") + (progress ? "1" : "0")};
}

}  // namespace warpmem::app
