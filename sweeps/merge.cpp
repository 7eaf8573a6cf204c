// SPDX-License-Identifier: Apache-2.0
#include "sweeps/merge.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "base/environment_error.hpp"
#include "base/errors.hpp"
#include "base/work_folder.hpp"
#include "sweeps/cost_model.hpp"
#include "sweeps/database.hpp"
#include "sweeps/lock.hpp"
#include "sweeps/running_note.hpp"
#include "sweeps/shard.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;

/// Waits until a file, or the names in a folder, are on the disk. Not every file system can do that
/// with a folder.
void flush(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool failed = descriptor < 0 || (fsync(descriptor) != 0 && errno != EINVAL);
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  if (failed)
    throw EnvironmentError(path.string() + ": cannot be written: " + std::strerror(error));
}

/// The databases of a sweep, as long as one looks at them.
class Look {
 public:
  explicit Look(const std::string& output) {
    model_.learn(read_stored_costs(stored_costs_file()));
    if (has_content(output)) take(output, false);
    for (const fs::path& file : shard_files(output)) {
      take(file, true);
      ++state_.shards;
    }
    if (points_.empty() && state_.shards == 0) {
      std::error_code none;
      const char* const why = !fs::exists(output, none)            ? "no such file"
                              : !fs::is_regular_file(output, none) ? "not a regular file"
                                                                   : "has no points yet";
      throw UserError(
          fmt::format("{}: {}, and no shards in {}", output, why, shard_folder(output).string()));
    }
  }

  SweepState state() {
    std::set<std::string> keys;
    for (const Point& point : points_) keys.insert(point.run);
    state_.points = points_.size();
    state_.runs = keys.size();
    for (const std::string& key : keys) {
      const auto found = ended_.find(key);
      if (found == ended_.end()) continue;
      ++(found->second ? state_.complete : state_.failed);
    }
    state_.left = left();
    return state_;
  }

  const std::vector<Point>& points() const { return points_; }
  const std::string& plan() const { return state_.plan; }
  const std::string& file() const { return file_; }
  const std::string& version() const { return version_; }

 private:
  void take(const fs::path& file, bool is_shard) {
    const Database database(file.string(), Database::Access::existing);
    // A shard that has just begun has no plan yet.
    if (const std::string plan = database.fact("plan"); !plan.empty()) {
      if (!state_.plan.empty() && plan != state_.plan)
        throw UserError(fmt::format(
            "{}: of another plan than {}; the sweep, a program of it or warpmem has changed",
            file.string(), of_plan_));
      state_.plan = plan;
      of_plan_ = file.string();
    }
    if (points_.empty()) {
      points_ = database.points();
      file_ = database.fact("file");
      version_ = database.fact("warpmem");
    }
    for (const auto& [key, complete] : database.ended()) {
      bool& known = ended_[key];
      known = known || complete;
      if (is_shard && !executed_.insert(key).second) ++state_.twice;
    }
    model_.learn(database);
    if (is_shard && DatabaseLock::is_held(file.string()))
      state_.workers.push_back(worker(file, database.fact("running")));
  }

  static Worker worker(const fs::path& file, const std::string& running) {
    RunningNote note = running_note(running);
    return {file.filename().string(), std::move(note.host), std::move(note.points)};
  }

  // The configurations of missing runs are not in the files: each counts as an average one.
  std::optional<double> left() const {
    double sum = 0;
    std::set<std::string> seen;
    for (const Point& point : points_) {
      if (ended_.count(point.run) != 0 || !seen.insert(point.run).second) continue;
      const auto seconds = model_.estimate(CostModel::program(point.workload, point.arguments), 0);
      if (!seconds) return std::nullopt;
      sum += *seconds;
    }
    return sum;
  }

  SweepState state_;
  std::vector<Point> points_;
  std::string file_, version_, of_plan_;
  std::map<std::string, bool> ended_;  // key -> complete
  std::set<std::string> executed_;     // by shards
  CostModel model_;
};

}  // namespace

SweepState state_of(const std::string& output) { return Look(output).state(); }

SweepState merge_shards(const std::string& output) {
  const std::vector<fs::path> shards = shard_files(output);
  if (shards.empty())
    throw UserError(fmt::format("no shards in {}", shard_folder(output).string()));
  DatabaseLock lock(output);
  const Look look(output);
  const WorkFolder work(lock.path() + ".merge-");
  const fs::path draft = work.path() / "all.sqlite";
  {
    Database all(draft.string(), Database::Access::draft);
    if (!lock.is_new() && has_content(output)) all.absorb(output);
    for (const fs::path& shard : shards) all.absorb(shard.string());
    all.set_points(look.file(), look.version(), look.points());
    all.set_fact("plan", look.plan());
  }
  flush(draft);
  fs::rename(draft, lock.path());
  lock.keep();
  flush(fs::path(lock.path()).parent_path());
  return state_of(output);
}

}  // namespace warpmem::sweeps
