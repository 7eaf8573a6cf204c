// SPDX-License-Identifier: Apache-2.0
#include "app/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/plugins.hpp"
#include "base/environment_error.hpp"
#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "base/version.hpp"
#include "files/json_text.hpp"

namespace warpmem::app {

namespace {

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

/// Returns the user and system time of this process and of those that it has seen end.
double cpu_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    struct rusage usage = {};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return seconds;
}

/// Returns the most memory that was resident, in bytes. What getrusage() says would count what the
/// process had before it became this program.
std::uint64_t memory_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (std::uint64_t kib = 0; word == "VmHWM:" && status >> kib) return kib * 1024;
  return 0;
}

/// Takes the lock of a directory; returns 0, EWOULDBLOCK when another process has it, or what else
/// went wrong, also before, when the directory could not be opened.
int lock_error(int directory) {
  if (directory >= 0 && flock(directory, LOCK_EX | LOCK_NB) == 0) return 0;
  // Where locks of bytes stand for flock, the exclusive one asks for a file that may be written,
  // which no directory is. So nobody can have it, and all runs would be refused.
  return directory >= 0 && errno == EBADF ? 0 : errno;
}

}  // namespace

const std::vector<std::string>& run_directory_files() {
  static const std::vector<std::string> names = {
      "stats.json",        "manifest.json",    "config.yaml",    "stats.csv",
      "stats.txt",         "functional.json",  "instances.json", "series.json",
      "instructions.json", "instructions.csv", "series.csv"};
  return names;
}

// A lock is dropped with its descriptor, by the end of the process at the latest.
RunDirectory::RunDirectory(std::string path, bool is_new) : path_(std::move(path)) {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) throw UserError(path_ + ": cannot create the run directory: " + error.message());
  if (std::filesystem::equivalent(path_, "/", error))
    throw UserError(path_ + ": the root folder is no run directory; allowed: a folder in it");
  lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int failed = lock_error(lock_);
  const bool taken = failed == EWOULDBLOCK;
  const bool held = is_new && std::filesystem::exists(path_ + "/config.yaml", error);
  if (failed == 0 && !held) return;
  if (lock_ >= 0) close(lock_);
  if (failed != 0 && !taken)
    throw EnvironmentError(path_ + ": cannot lock the run directory: " + std::strerror(failed));
  throw UserError(fmt::format("{}: another process {} results here; allowed: one a run directory",
                              path_, taken ? "writes its" : "of this run has written its"));
}

RunDirectory::~RunDirectory() { close(lock_); }

void RunDirectory::write(const std::string& file, const std::string& text) const {
  write_text(path_ + "/" + file, text);
}

void RunDirectory::write_manifest(const Manifest& m) const {
  nlohmann::ordered_json json;
  json["warpmem"] = kVersion;
  json["status"] = m.status;
  json["command"] = m.command;
  json["arguments"] = m.arguments;
  json["program"] = m.program;
  json["program_hash"] = m.program_hash;
  json["host"] = host_name();
  json["wall_seconds"] = m.wall_seconds;
  json["cpu_seconds"] = cpu_seconds();
  json["memory_bytes"] = memory_bytes();
  json["simulated_seconds"] = m.simulated_seconds;
  json["timed_launches"] = m.launches - m.functional_launches;
  json["warp_instructions"] = m.warp_instructions;
  json["cycles"] = m.cycles;
  if (m.wall_seconds > 0) {
    json["warp_instructions_per_second"] =
        static_cast<double>(m.warp_instructions) / m.wall_seconds;
    json["kilocycles_per_second"] = static_cast<double>(m.cycles) / m.wall_seconds / 1000;
  }
  for (const Plugin& plugin : load_plugins())
    json["plugins"].push_back({{"file", plugin.file}, {"hash", plugin.hash}});
  for (const auto& [file, hash] : m.own_rtl)
    json["own_rtl"].push_back({{"file", file}, {"hash", hash}});
  if (!m.kernels.empty() || !m.ctas.empty()) {
    auto& skipped = json["fast_forward"];
    skipped["kernels"] = m.kernels;
    skipped["ctas"] = m.ctas;
    skipped["launches"] = m.launches;
    skipped["launches_not_timed"] = m.functional_launches;
    skipped["launches_timed_in_part"] = m.partial_launches;
    skipped["warp_instructions_not_timed"] = m.functional_warp_instructions;
  }
  json["notes"] = m.notes;
  write("manifest.json", json_text(json));
}

}  // namespace warpmem::app
