// SPDX-License-Identifier: Apache-2.0
#include "sweeps/run_end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/environment_error.hpp"
#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/text.hpp"
#include "files/json_text.hpp"

namespace warpmem::sweeps {

namespace fs = std::filesystem;

namespace {

constexpr int kNotFound = 127;  // the status when a shell or the loader misses something

std::string last_line(const fs::path& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return last;
}

int signal_of(const JobEnd& end) {
  const int signal = end.status - 128;
  return signal > 0 && signal < NSIG ? signal : 0;
}

}  // namespace

bool is_result(const JobEnd& end) {
  if (end.timed_out || end.too_many_bytes != 0) return true;
  if (!end.not_started.empty()) return false;
  const int signal = signal_of(end);
  if (signal == 0) return end.status != kNotFound && end.status != kTryAgain;
  constexpr std::array<int, 7> kOwnFaults = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE,
                                             SIGILL,  SIGTRAP, SIGSYS};
  return std::find(kOwnFaults.begin(), kOwnFaults.end(), signal) != kOwnFaults.end();
}

std::string why_not(const JobEnd& end, const JobLimits& limits, const std::string& status,
                    const fs::path& folder) {
  if (!end.not_started.empty()) return as_line(end.not_started);
  if (end.timed_out) return fmt::format("not finished after {} s", limits.time.count());
  if (end.too_many_bytes != 0) return fmt::format("more than {} MiB of memory", limits.bytes >> 20);
  if (!status.empty() && status != "complete") return as_line(status);
  std::string line = as_line(last_line(folder / "log.txt"));
  // The name of the work folder is another one each time.
  const std::string work = as_line(folder.parent_path().string() + "/");
  for (std::size_t at; (at = line.find(work)) != std::string::npos;) line.erase(at, work.size());
  if (const int signal = signal_of(end); signal != 0)
    return fmt::format("ended by {}{}{}", signal_text(signal), line.empty() ? "" : ": ", line);
  if (end.status != 0)
    return fmt::format("exit status {}{}{}", end.status, line.empty() ? "" : ": ", line);
  return "launched no kernel";
}

ReadRun read_run(const RunIdentity& run, const JobEnd& end, const JobLimits& limits,
                 const fs::path& folder) {
  ReadRun read;
  RunResult& result = read.result;
  result.key = run.key;
  result.seconds = end.seconds;
  result.config = run.config;
  const auto manifest = read_ordered_json(folder / "manifest.json");
  const auto stats = read_ordered_json(folder / "stats.json");
  if (manifest.is_object()) result.manifest = compact_json(manifest);
  const std::string status =
      manifest.is_object() ? manifest.value("status", std::string()) : std::string();
  result.complete = end.status == 0 && status == "complete" && stats.is_object();
  if (!result.complete) {
    result.message = why_not(end, limits, status, folder);
    return read;
  }
  try {
    read.details = read_run_details(folder, stats, run.per_pc, run.series);
    for (const auto& [name, value] : stats["total"]["stats"].items())
      if (value.is_number()) result.stats.emplace_back(name, value.get<double>());
  } catch (const UserError& error) {
    result.complete = false;
    result.message = as_line(error.what());
  }
  return read;
}

fs::path end_record(const fs::path& folder) { return folder / "ended"; }

}  // namespace warpmem::sweeps
