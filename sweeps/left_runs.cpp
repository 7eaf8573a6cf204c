// SPDX-License-Identifier: Apache-2.0
#include "sweeps/left_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

#include "base/end_record.hpp"
#include "base/interrupt.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"

namespace warpmem::sweeps {

namespace fs = std::filesystem;

namespace {

constexpr const char* kIdentity = "run.json";
constexpr std::chrono::milliseconds kPoll(20);
constexpr std::chrono::seconds kQuiet(2);  // wait so long without a word

std::optional<RunIdentity> identity_in(const fs::path& folder) {
  const auto json = read_json(folder / kIdentity);
  if (!json.is_object()) return std::nullopt;
  return RunIdentity{json.value("key", ""), json.value("name", ""), json.value("config", ""),
                     json.value("per_pc", false), json.value("series", false)};
}

// The keeper ends a run when the sweep is killed, and what it could not end holds us up.
void wait_for_end(const RunIdentity& run, const fs::path& folder) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  bool said = false;
  while (lives(end_record(folder))) {
    throw_if_interrupted();
    if (!said && Clock::now() - begin > kQuiet) {
      fmt::print(stderr,
                 "warpmem: {}: processes of this run have survived their sweep, in {}; waiting for "
                 "their end\n",
                 run.name, folder.string());
      said = true;
    }
    std::this_thread::sleep_for(kPoll);
  }
}

/// Returns what is to be stored of a run; nothing when it is to run again.
std::optional<ReadRun> result_in(const RunIdentity& run, const fs::path& folder) {
  const auto ended = read_end(end_record(folder));
  if (!ended) return std::nullopt;
  JobEnd end;
  end.status = ended->status;
  end.seconds = ended->seconds;
  if (!is_result(end)) return std::nullopt;
  ReadRun read = read_run(run, end, {}, folder);
  // Success without whole results may be what a crash of the machine has left of them.
  if (!read.result.complete && end.status == 0) return std::nullopt;
  return read;
}

}  // namespace

void write_identity(const RunIdentity& run, const fs::path& folder) {
  const nlohmann::ordered_json json = {{"key", run.key},
                                       {"name", as_utf8(run.name)},
                                       {"config", as_utf8(run.config)},
                                       {"per_pc", run.per_pc},
                                       {"series", run.series}};
  write_text(folder / kIdentity, compact_json(json) + "\n");
}

std::vector<std::string> take_left_runs(const fs::path& work, Database& database) {
  std::vector<std::string> taken;
  const auto ended = database.ended();
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(work)) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    const auto run = identity_in(folder);
    if (!run) continue;  // a folder of programs, or of a run that had not begun
    auto read = result_in(*run, folder);
    if (!read) {
      wait_for_end(*run, folder);
      read = result_in(*run, folder);  // It may have ended meanwhile.
    }
    if (!read || ended.count(run->key) != 0) continue;
    database.store(read->result, read->details);
    taken.push_back(run->name);
  }
  return taken;
}

}  // namespace warpmem::sweeps
