// SPDX-License-Identifier: Apache-2.0
#include "sweeps/engine.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "app/environment.hpp"
#include "app/made_programs.hpp"
#include "base/environment_error.hpp"
#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/progress_line.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "base/version.hpp"
#include "base/work_folder.hpp"
#include "files/json_text.hpp"
#include "sweeps/left_runs.hpp"
#include "sweeps/lock.hpp"
#include "sweeps/prepared.hpp"
#include "sweeps/progress.hpp"
#include "sweeps/run_end.hpp"
#include "sweeps/running_note.hpp"
#include "sweeps/schedule.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;

constexpr const char* kWork = "work";          // the fact that names the work folder
constexpr const char* kPrograms = "programs";  // the fact that has what sources make
constexpr const char* kRunning = "running";    // the fact that has what runs

/// This is a run that the database lacks.
struct Due {
  std::string key;
  std::string name;  ///< the name of its first point
  const PlannedRun* planned;
  const Program* program;
};

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

class Engine {
 public:
  Engine(const Plan& plan, const EngineOptions& options)
      : plan_(plan),
        options_(options),
        lock_(options.output,
              options.shard ? DatabaseLock::Patience::wait : DatabaseLock::Patience::none),
        prefix_(fs::absolute(options.output).string() + ".work-"),
        progress_(options.progress.count() != 0, ProgressLine::Clock::now(), options.progress) {
    if (!lock_.is_new() && !options.resume && !options.shard)
      throw UserError(options.output + ": exists; go on with --resume, or give another file");
  }

  Outcome run() {
    CostModel costs = named_costs();
    Database database(options_.output);
    if (!lock_.is_new()) {
      database.check_integrity();
      take_work_of_killed(database);
    }
    run_in_folder(std::move(costs), database);
    database.set_fact(kWork, "");
    return outcome_;
  }

 private:
  void run_in_folder(CostModel costs, Database& database) {
    const WorkFolder work(prefix_,
                          [&](const fs::path& path) { database.set_fact(kWork, path.filename()); });
    work_ = work.path();
    app::MadePrograms made(database.fact(kPrograms));
    prepared_ = prepare(plan_, work_ / "programs", options_.programs, made);
    for (;;) {
      plan_points(database);
      lock_.keep();
      take_over(database);
      if (make_programs(made)) break;
      set_keys(plan_, prepared_);
    }
    database.set_fact(kPrograms, made.text());
    order(std::move(costs), database);
    run_jobs(
        options_.jobs, options_.limits, [&](Process& job) { return next(job, database); },
        [&](const JobEnd& end) { finish(end, database); },
        [this](const std::vector<RunningJob>& running) { return waiting(running); });
    database.set_fact(kRunning, "");
    throw_if_interrupted();
    progress_.clear();
    outcome_.executed = due_.size();
    for (const auto& [key, complete] : database.ended())
      if (!complete && keys_.count(key) != 0) ++outcome_.failed;
  }

  // A sweep that was killed could not take its folder away. Nobody has the lock now, so that the
  // folder that the database names is nobody's.
  void take_work_of_killed(Database& database) const {
    const std::string name = database.fact(kWork);
    const fs::path folder = fs::path(prefix_).parent_path() / name;
    if (name.rfind(fs::path(prefix_).filename(), 0) != 0 || name.find('/') != std::string::npos)
      return;
    if (fs::is_symlink(folder) || !fs::is_directory(folder)) return;
    for (const std::string& run : take_left_runs(folder, database))
      fmt::print(stderr, "warpmem: ended before the sweep was killed, kept: {}\n", run);
    remove_folder(folder);
  }

  // Points that the database has and the plan has not would be lost.
  void require_same_plan(const Database& database, const std::vector<Point>& points) const {
    if (options_.new_plan) return;
    const auto place = [](const Point& p) { return std::tie(p.workload, p.arguments, p.labels); };
    std::map<decltype(place(points[0])), std::size_t> planned;
    for (std::size_t i = 0; i < points.size(); ++i) planned.emplace(place(points[i]), i);
    const std::vector<Point> before = database.points();
    for (const Point& point : before) {
      const auto found = planned.find(place(point));
      const bool gone = found == planned.end();
      if (!gone && point.run != points[found->second].run) {
        const std::string config = database.result(point.run).config;
        if (config.empty() || config == plan_.runs[found->second].config) continue;
      } else if (!gone) {
        continue;
      }
      throw UserError(fmt::format(
          "{}: holds another plan: of {}, {} {}; give another file, or --new-plan to replace its "
          "points (what has run stays)",
          options_.output, database.fact("file"), name_of(point),
          gone ? "is not in " + as_utf8(plan_.file) : "has another configuration now"));
    }
  }

  // Compiles what is to run and is not there; returns whether all are what they were before.
  bool make_programs(app::MadePrograms& made) {
    bool same = true;
    for (const Due& due : due_)
      if (due.program->path.empty())
        same = compile_known(prepared_, due.planned->program, work_ / "programs", made) && same;
    return same;
  }

  void plan_points(Database& database) {
    due_.clear();
    keys_.clear();
    if (!options_.plan_hash.empty() && options_.plan_hash != prepared_.hash)
      throw UserError(fmt::format(
          "{}: the sweep, a program of it or warpmem has changed since it was submitted; submit it "
          "again with --resume",
          as_utf8(plan_.file)));
    const std::map<std::string, bool> ended = database.ended();
    require_same_plan(database, prepared_.points);
    const std::set<std::string> elsewhere = ended_in_other_shards();
    for (std::size_t i = 0; i < prepared_.points.size(); ++i) {
      const std::string& key = prepared_.points[i].run;
      if (options_.shard && !options_.shard->owns(key)) continue;
      const auto known = ended.find(key);
      const bool wanted = known == ended.end() || (!known->second && options_.retry_failed);
      if (!keys_.insert(key).second || !wanted || elsewhere.count(key) != 0) continue;
      if (known != ended.end()) database.forget(key);
      const PlannedRun& planned = plan_.runs[i];
      due_.push_back(
          {key, name_of(prepared_.points[i]), &planned, &prepared_.programs.at(planned.program)});
    }
    tell_lost(database);
    database.set_points(as_utf8(plan_.file), kVersion, prepared_.points);
    database.set_fact("plan", prepared_.hash);
    outcome_.points = prepared_.points.size();
    outcome_.runs = keys_.size();
  }

  // A shard that was killed without a word had these runs under way.
  void tell_lost(const Database& database) const {
    const std::vector<std::string> names = running_note(database.fact(kRunning)).points;
    for (const Due& due : due_)
      if (std::find(names.begin(), names.end(), as_utf8(due.name)) != names.end())
        fmt::print(stderr, "warpmem: lost when the sweep was killed, runs again: {}\n", due.name);
  }

  // What shards of another number have run, and what is merged already.
  std::set<std::string> ended_in_other_shards() const {
    std::set<std::string> keys;
    if (!options_.shard) return keys;
    for (const std::string& path : options_.others) {
      if (!has_content(path)) continue;
      for (const auto& [key, complete] : Database(path, Database::Access::existing).ended())
        if (complete || !options_.retry_failed) keys.insert(key);
    }
    return keys;
  }

  // The same run in another database is the same result.
  void take_over(Database& database) {
    if (options_.shard) return;
    for (const std::string& path : options_.others) {
      if (due_.empty()) return;
      if (!has_content(path)) continue;
      const Database other(path, Database::Access::existing);
      const std::map<std::string, bool> ended = other.ended();
      const auto known = [&](const Due& due) {
        const auto found = ended.find(due.key);
        if (found == ended.end() || !found->second) return false;
        database.store(other.result(due.key), other.details(due.key));
        return true;
      };
      due_.erase(std::remove_if(due_.begin(), due_.end(), known), due_.end());
    }
  }

  // The user has named these: one that cannot be used is a mistake.
  CostModel named_costs() const {
    CostModel model;
    for (const std::string& path : options_.costs) {
      std::error_code none;
      if (!fs::exists(path, none))
        throw UserError(path + ": no such file; --costs takes the results of a sweep");
      if (!fs::is_regular_file(path, none))
        throw UserError(path + ": not a regular file; --costs takes the results of a sweep");
      if (has_content(path)) model.learn(Database(path, Database::Access::existing));
    }
    return model;
  }

  void order(CostModel model, const Database& database) {
    model.learn(read_stored_costs(stored_costs_file()));
    model.learn(database);
    for (const std::string& path : options_.others)
      if (has_content(path)) model.learn(Database(path, Database::Access::existing));
    schedule_.emplace(std::move(model));
    for (const Due& due : due_) {
      const std::string arguments = fmt::format("{}", fmt::join(due.planned->arguments, " "));
      schedule_->add(CostModel::program(due.planned->workload, arguments),
                     CostModel::config(due.planned->config));
    }
  }

  const Due& due_of(std::size_t job) const { return due_[started_[job]]; }
  fs::path folder_of(std::size_t job) const { return work_ / std::to_string(job); }

  bool next(Process& job, Database& database) {
    if (requested_interrupt() != 0) return false;  // waiting() ends what runs
    const auto chosen = schedule_->next();
    if (!chosen) return false;
    started_.push_back(*chosen);
    const Due& due = due_[*chosen];
    if (options_.shard) tell_running(database);
    const fs::path folder = folder_of(started_.size() - 1);
    fs::create_directories(folder);
    write_text(folder / "resolved.yaml", due.planned->config);
    write_identity(identity(due), folder);
    job = {};
    if (due.program->trace) {
      job.argv = {fs::read_symlink("/proc/self/exe").string(), "run", "-c",
                  (folder / "resolved.yaml").string(),         "-o",  folder.string()};
      const std::vector<std::string> watched = due.planned->watched.options();
      job.argv.insert(job.argv.end(), watched.begin(), watched.end());
      job.argv.push_back(due.program->path);
    } else {
      job.argv = {due.program->path};
      app::Environment environment;
      environment.config = folder / "resolved.yaml";
      environment.run_dir = folder;
      environment.run_dir_is_new = true;
      environment.observations = due.planned->watched.lines();
      job.environment = environment.variables();
    }
    job.environment.push_back(fmt::format("{}=1", kTellApart));
    job.argv.insert(job.argv.end(), due.planned->arguments.begin(), due.planned->arguments.end());
    job.log = folder / "log.txt";
    job.record = end_record(folder);
    return true;
  }

  // For `warpmem sweep status`, from wherever somebody asks.
  void tell_running(Database& database) const {
    RunningNote running{host_name(), {}};
    for (std::size_t job = 0; job < started_.size(); ++job)
      if (ended_.count(job) == 0) running.points.push_back(as_utf8(due_of(job).name));
    database.set_fact(kRunning, to_text(running));
  }

  void finish(const JobEnd& end, Database& database) {
    const Due& due = due_of(end.job);
    const fs::path folder = folder_of(end.job);
    ended_.insert(end.job);
    const bool result_of_point = !end.given_back && is_result(end);
    // A scheduler's signal often reaches the run before it reaches us.
    if (!result_of_point && requested_interrupt() != 0) {
      progress_.clear();
      fmt::print(stderr, "warpmem: given back: {}\n", due.name);
      return;
    }
    schedule_->ended(started_[end.job],
                     result_of_point ? std::optional<double>(end.seconds) : std::nullopt);
    if (!result_of_point) {
      outcome_.not_run.push_back(
          fmt::format("{}: {}", due.name, why_not(end, options_.limits, "", folder)));
      remove_folder(folder);
      return;
    }
    const ReadRun read = read_run(identity(due), end, options_.limits, folder);
    database.store(read.result, read.details);
    remove_folder(folder);
    if (!read.result.complete) ++failed_;
  }

  // What something still holds goes with the work folder.
  static void remove_folder(const fs::path& folder) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  static RunIdentity identity(const Due& due) {
    const Watched& watched = due.planned->watched;
    return {due.key, due.name, due.planned->config, watched.per_pc, watched.series};
  }

  bool waiting(const std::vector<RunningJob>& running) {
    if (requested_interrupt() != 0) return false;
    if (!progress_.due()) return true;
    ProgressState state{due_.size(), ended_.size(), failed_, std::nullopt, {}};
    std::vector<Schedule::Begun> begun;
    for (const RunningJob& job : running) {
      state.running.push_back({due_of(job.job).name, job.seconds, job.bytes});
      begun.push_back({started_[job.job], job.seconds});
    }
    state.left = schedule_->left(begun, options_.jobs);
    progress_.show(progress_text(state));
    return true;
  }

  const Plan& plan_;
  const EngineOptions& options_;
  DatabaseLock lock_;
  const std::string prefix_;  // it belongs to the work folder's path
  fs::path work_;
  PreparedPlan prepared_;
  std::set<std::string> keys_;
  std::vector<Due> due_;
  std::optional<Schedule> schedule_;
  std::vector<std::size_t> started_;  // job -> place in due_
  std::set<std::size_t> ended_;       // jobs
  std::size_t failed_ = 0;
  ProgressLine progress_;
  Outcome outcome_;
};

}  // namespace

Outcome run_plan(const Plan& plan, const EngineOptions& options) {
  const InterruptWatch watch;
  return Engine(plan, options).run();
}

}  // namespace warpmem::sweeps
