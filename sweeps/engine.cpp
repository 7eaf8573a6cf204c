// SPDX-License-Identifier: Apache-2.0
#include "sweeps/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "app/cuda_compiler.hpp"
#include "app/environment.hpp"
#include "app/places.hpp"
#include "app/plugins.hpp"
#include "app/trace_run.hpp"
#include "base/environment_error.hpp"
#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/progress_line.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "base/version.hpp"
#include "base/work_folder.hpp"
#include "files/sha256.hpp"
#include "program/trace/trace.hpp"
#include "sweeps/lock.hpp"
#include "sweeps/pool.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;

constexpr int kNotFound = 127;         // the status when a shell or the loader misses something
constexpr const char* kWork = "work";  // the fact that names the work folder

/// This is what is executed for a workload.
struct Program {
  std::string path;
  std::string hash;
  bool trace = false;
};

/// This is a run that the database lacks.
struct Due {
  std::string key;
  std::string name;  ///< the name of its first point
  const PlannedRun* planned;
  const Program* program;
};

nlohmann::ordered_json read_json(const fs::path& file) {
  std::ifstream in(file);
  return nlohmann::ordered_json::parse(in, nullptr, false);
}

std::string last_line(const fs::path& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return last;
}

class Engine {
 public:
  Engine(const Plan& plan, const EngineOptions& options)
      : plan_(plan),
        options_(options),
        lock_(options.output),
        prefix_(fs::absolute(options.output).string() + ".work-") {
    if (!lock_.is_new() && !options.resume)
      throw UserError(options.output + ": exists; go on with --resume, or give another file");
  }

  Outcome run() {
    Database database(options_.output);
    if (!lock_.is_new()) {
      database.check_integrity();
      remove_work_of_killed(database);
    }
    const WorkFolder work(prefix_);
    work_ = work.path();
    database.set_fact(kWork, work_.filename());
    prepare_programs();
    plan_points(database);
    lock_.keep();
    take_over(database);
    total_ = due_.size();
    run_jobs(
        options_.jobs, options_.timeout, [this](Process& job) { return next(job); },
        [&](const JobEnd& end) { finish(end, database); }, [this] { show_progress(); });
    progress_.clear();
    outcome_.executed = total_;
    for (const auto& [key, complete] : database.ended())
      if (!complete && keys_.count(key) != 0) ++outcome_.failed;
    database.set_fact(kWork, "");
    return outcome_;
  }

 private:
  // A sweep that was killed could not take its folder away. Nobody has the lock now, so that the
  // folder that the database names is nobody's.
  void remove_work_of_killed(const Database& database) const {
    const std::string name = database.fact(kWork);
    const fs::path folder = fs::path(prefix_).parent_path() / name;
    if (name.rfind(fs::path(prefix_).filename(), 0) != 0 || name.find('/') != std::string::npos)
      return;
    std::error_code ignored;
    if (!fs::is_symlink(folder)) fs::remove_all(folder, ignored);
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

  static std::string name_of(const Point& point) {
    std::string text = point.workload;
    for (const auto& [axis, label] : point.labels) text += fmt::format(" {}={}", axis, label);
    return text;
  }

  void prepare_programs() {
    for (const PlannedRun& run : plan_.runs) {
      Program& program = programs_[run.program];
      if (!program.path.empty()) continue;
      program.path = run.program;
      program.trace = program::trace::is_trace(run.program);
      if (fs::path(run.program).extension() == ".cu") {
        const fs::path folder = work_ / "programs" / std::to_string(programs_.size());
        fs::create_directories(folder);
        program.path = (folder / fs::path(run.program).stem()).string();
        if (app::compile_cuda({run.program, "-o", program.path}) != 0)
          throw UserError(run.program + ": cannot be compiled (see above)");
      }
      program.hash =
          program.trace ? app::trace_hash(program.path) : sha256_hex(read_text(program.path));
    }
  }

  void plan_points(Database& database) {
    std::string simulator = sha256_hex(read_text(app::places().cuda_library));
    for (const app::Plugin& plugin : app::load_plugins()) simulator += plugin.hash;
    const std::map<std::string, bool> ended = database.ended();
    std::vector<Point> points;
    for (const PlannedRun& run : plan_.runs) {
      const Program& program = programs_.at(run.program);
      Point point;
      point.run = run_key(run.config, program.hash, run.arguments, simulator);
      point.workload = run.workload;
      point.arguments = fmt::format("{}", fmt::join(run.arguments, " "));
      for (std::size_t a = 0; a < plan_.axes.size(); ++a)
        point.labels.emplace_back(plan_.axes[a], run.points[a]);
      points.push_back(std::move(point));
    }
    require_same_plan(database, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::string& key = points[i].run;
      const auto known = ended.find(key);
      const bool wanted = known == ended.end() || (!known->second && options_.retry_failed);
      if (!keys_.insert(key).second || !wanted) continue;
      if (known != ended.end()) database.forget(key);
      due_.push_back(
          {key, name_of(points[i]), &plan_.runs[i], &programs_.at(plan_.runs[i].program)});
    }
    database.set_points(as_utf8(plan_.file), kVersion, points);
    outcome_.points = points.size();
    outcome_.runs = keys_.size();
  }

  // The same run in another database is the same result.
  void take_over(Database& database) {
    for (const std::string& path : options_.others) {
      if (due_.empty()) return;
      std::error_code none;
      if (fs::file_size(path, none) == 0) continue;  // here another sweep is about to begin
      const Database other(path, Database::Access::existing);
      const std::map<std::string, bool> ended = other.ended();
      const auto known = [&](const Due& due) {
        const auto found = ended.find(due.key);
        if (found == ended.end() || !found->second) return false;
        database.store(other.result(due.key));
        return true;
      };
      due_.erase(std::remove_if(due_.begin(), due_.end(), known), due_.end());
    }
  }

  fs::path folder_of(std::size_t job) const { return work_ / std::to_string(job); }

  bool next(Process& job) {
    if (started_ == due_.size()) return false;
    const Due& due = due_[started_];
    const fs::path folder = folder_of(started_++);
    fs::create_directories(folder);
    write_text(folder / "resolved.yaml", due.planned->config);
    job = {};
    if (due.program->trace) {
      job.argv = {fs::read_symlink("/proc/self/exe").string(),
                  "run",
                  "-c",
                  (folder / "resolved.yaml").string(),
                  "-o",
                  folder.string(),
                  due.program->path};
    } else {
      job.argv = {due.program->path};
      app::Environment environment;
      environment.config = folder / "resolved.yaml";
      environment.run_dir = folder;
      job.environment = environment.variables();
    }
    job.environment.push_back(fmt::format("{}=1", kTellApart));
    job.argv.insert(job.argv.end(), due.planned->arguments.begin(), due.planned->arguments.end());
    job.log = folder / "log.txt";
    return true;
  }

  void finish(const JobEnd& end, Database& database) {
    const Due& due = due_[end.job];
    const fs::path folder = folder_of(end.job);
    ++done_;
    if (!is_result(end)) {
      outcome_.not_run.push_back(fmt::format("{}: {}", due.name, why(end, "", folder)));
      fs::remove_all(folder);
      return;
    }
    RunResult result;
    result.key = due.key;
    result.seconds = end.seconds;
    result.config = due.planned->config;
    const auto manifest = read_json(folder / "manifest.json");
    const auto stats = read_json(folder / "stats.json");
    if (manifest.is_object()) result.manifest = manifest.dump();
    const std::string status =
        manifest.is_object() ? manifest.value("status", std::string()) : std::string();
    result.complete = end.status == 0 && status == "complete" && stats.is_object();
    if (result.complete) {
      for (const auto& [name, value] : stats["total"]["stats"].items())
        if (value.is_number()) result.stats.emplace_back(name, value.get<double>());
    } else {
      result.message = why(end, status, folder);
    }
    database.store(result);
    fs::remove_all(folder);
    if (!result.complete) ++failed_;
  }

  static int signal_of(const JobEnd& end) {
    const int signal = end.status - 128;
    return signal > 0 && signal < NSIG ? signal : 0;
  }

  // What the machine lacked says nothing about the point, and neither does a signal from outside;
  // those are left that a program's own faults cause.
  static bool is_result(const JobEnd& end) {
    if (end.timed_out) return true;
    if (!end.not_started.empty()) return false;
    const int signal = signal_of(end);
    if (signal == 0) return end.status != kNotFound && end.status != kTryAgain;
    constexpr std::array<int, 7> kOwnFaults = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE,
                                               SIGILL,  SIGTRAP, SIGSYS};
    return std::find(kOwnFaults.begin(), kOwnFaults.end(), signal) != kOwnFaults.end();
  }

  std::string why(const JobEnd& end, const std::string& status, const fs::path& folder) const {
    if (!end.not_started.empty()) return as_line(end.not_started);
    if (end.timed_out) return fmt::format("not finished after {} s", options_.timeout.count());
    if (!status.empty() && status != "complete") return as_line(status);
    std::string line = as_line(last_line(folder / "log.txt"));
    // The name of the work folder is another one each time.
    const std::string work = as_line(work_.string() + "/");
    for (std::size_t at; (at = line.find(work)) != std::string::npos;) line.erase(at, work.size());
    if (const int signal = signal_of(end); signal != 0)
      return fmt::format("ended by {}{}{}", signal_text(signal), line.empty() ? "" : ": ", line);
    if (end.status != 0)
      return fmt::format("exit status {}{}{}", end.status, line.empty() ? "" : ": ", line);
    return "launched no kernel";
  }

  void show_progress() {
    if (!progress_.due()) return;
    std::string left;
    if (done_ != 0) {
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
      left = fmt::format(", {:.0f} s left", seconds * static_cast<double>(total_ - done_) /
                                                static_cast<double>(done_));
    }
    progress_.show(fmt::format("{}/{} runs, {} failed{}", done_, total_, failed_, left));
  }

  const Plan& plan_;
  const EngineOptions& options_;
  DatabaseLock lock_;
  const std::string prefix_;  // it belongs to the work folder's path
  fs::path work_;
  std::map<std::string, Program> programs_;  // by the path in the plan
  std::set<std::string> keys_;
  std::vector<Due> due_;
  std::size_t started_ = 0, done_ = 0, failed_ = 0, total_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  ProgressLine progress_{true};
  Outcome outcome_;
};

}  // namespace

std::string run_key(const std::string& config, const std::string& program_hash,
                    const std::vector<std::string>& arguments, const std::string& simulator_hash) {
  Sha256 hash;
  hash.add_field(simulator_hash);
  hash.add_field(config);
  hash.add_field(program_hash);
  for (const std::string& argument : arguments) hash.add_field(argument);
  return hash.hex();
}

Outcome run_plan(const Plan& plan, const EngineOptions& options) {
  return Engine(plan, options).run();
}

}  // namespace warpmem::sweeps
