// SPDX-License-Identifier: Apache-2.0
#include "app/environment.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace warpmem::app {

namespace {

std::string variable(const char* name, const std::string& fallback = "") {
  const char* value = std::getenv(name);
  return value != nullptr ? value : fallback;
}

bool flag(const char* name) {
  const std::string value = variable(name, "0");
  if (value != "0" && value != "1")
    throw UserError(std::string(name) + ": " + value + "; allowed: 0, 1");
  return value == "1";
}

std::vector<std::string> variable_lines(const char* name) {
  std::vector<std::string> lines = lines_of(variable(name));
  lines.erase(std::remove(lines.begin(), lines.end(), ""), lines.end());
  return lines;
}

std::string as_lines(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& line : list) text += line + "\n";
  return text;
}

}  // namespace

Environment Environment::read() {
  Environment e;
  e.config = variable("WARPMEM_CONFIG");
  e.assignments = variable_lines("WARPMEM_SET");
  e.unit_recordings = variable_lines("WARPMEM_RECORD_UNITS");
  e.waves = variable_lines("WARPMEM_WAVES");
  e.wave_cycles = variable("WARPMEM_WAVES_CYCLES");
  e.observations = variable_lines("WARPMEM_OBSERVE");
  e.own_rtl = variable_lines("WARPMEM_RTL");
  e.run_dir = variable("WARPMEM_RUN_DIR", e.run_dir);
  const std::string mode = variable("WARPMEM_MODE", "timed");
  if (mode != "timed" && mode != "functional" && mode != "record")
    throw UserError("WARPMEM_MODE: " + mode + " is not a mode; allowed: timed, functional, record");
  e.functional = mode == "functional";
  e.functional_json = variable("WARPMEM_FUNCTIONAL_JSON");
  if (mode == "record") {
    e.record = variable("WARPMEM_TRACE");
    if (e.record.empty())
      throw UserError("WARPMEM_TRACE: not set; WARPMEM_MODE=record needs a file to write to");
  }
  e.kernels = variable("WARPMEM_KERNELS");
  e.ctas = variable("WARPMEM_CTAS");
  if (mode != "timed" && (!e.kernels.empty() || !e.ctas.empty()))
    throw UserError(
        "WARPMEM_KERNELS and WARPMEM_CTAS need a timed run; allowed with them: "
        "WARPMEM_MODE=timed, not " +
        mode);
  e.run_dir_is_new = flag("WARPMEM_RUN_DIR_IS_NEW");
  e.forgive_out_of_range = flag("WARPMEM_FORGIVE_OUT_OF_RANGE");
  e.command = variable("WARPMEM_COMMAND");
  e.progress = variable("WARPMEM_PROGRESS") == "1";
  return e;
}

std::vector<std::string> Environment::variables() const {
  return {"WARPMEM_CONFIG=" + config,
          "WARPMEM_SET=" + as_lines(assignments),
          "WARPMEM_RECORD_UNITS=" + as_lines(unit_recordings),
          "WARPMEM_WAVES=" + as_lines(waves),
          "WARPMEM_WAVES_CYCLES=" + wave_cycles,
          "WARPMEM_OBSERVE=" + as_lines(observations),
          "WARPMEM_RTL=" + as_lines(own_rtl),
          "WARPMEM_RUN_DIR=" + run_dir,
          std::string("WARPMEM_RUN_DIR_IS_NEW=") + (run_dir_is_new ? "1" : "0"),
          std::string("WARPMEM_MODE=") + (!record.empty() ? "record"
                                          : functional    ? "functional"
                                                          : "timed"),
          "WARPMEM_TRACE=" + record,
          "WARPMEM_FUNCTIONAL_JSON=" + functional_json,
          "WARPMEM_KERNELS=" + kernels,
          "WARPMEM_CTAS=" + ctas,
          std::string("WARPMEM_FORGIVE_OUT_OF_RANGE=") + (forgive_out_of_range ? "1" : "0"),
          "WARPMEM_COMMAND=" + command,
          std::string("WARPMEM_PROGRESS=") + (progress ? "1" : "0")};
}

}  // namespace warpmem::app
