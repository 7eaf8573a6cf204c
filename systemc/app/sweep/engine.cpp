// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/engine.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cuda_compiler.hpp"
#include "app/environment.hpp"
#include "app/places.hpp"
#include "app/sweep/pool.hpp"
#include "app/trace_run.hpp"
#include "app/version.hpp"
#include "base/errors.hpp"
#include "base/sha256.hpp"
#include "base/text_file.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::app::sweep {

namespace {

namespace fs = std::filesystem;

/// What is executed for a workload.
struct Program {
  std::string path;
  std::string hash;
  bool trace = false;
};

/// A run that the database lacks.
struct Due {
  std::string key;
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
      : plan_(plan), options_(options), work_(fs::absolute(options.output).string() + ".work") {}
  ~Engine() {
    std::error_code ignored;
    fs::remove_all(work_, ignored);
  }

  Outcome run() {
    if (!options_.resume && fs::exists(options_.output))
      throw UserError(options_.output + ": exists; go on with --resume, or give another file");
    fs::remove_all(work_);
    fs::create_directories(work_);
    prepare_programs();
    Database database(options_.output);
    plan_points(database);
    take_over(database);
    total_ = due_.size();
    run_jobs(
        options_.jobs, options_.timeout, [this](Process& job) { return next(job); },
        [&](const JobEnd& end) { finish(end, database); }, [this] { show_progress(); });
    clear_progress();
    outcome_.executed = total_;
    for (const auto& [key, complete] : database.ended())
      if (!complete && keys_.count(key) != 0) ++outcome_.failed;
    return outcome_;
  }

 private:
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
        if (compile_cuda({run.program, "-o", program.path}) != 0)
          throw UserError(run.program + ": cannot be compiled (see above)");
      }
      program.hash = program.trace ? trace_hash(program.path) : sha256_hex(read_text(program.path));
    }
  }

  void plan_points(Database& database) {
    const std::string simulator = sha256_hex(read_text(places().cuda_library));
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
      const auto known = ended.find(point.run);
      const bool wanted = known == ended.end() || (!known->second && options_.retry_failed);
      if (keys_.insert(point.run).second && wanted) {
        if (known != ended.end()) database.forget(point.run);
        due_.push_back({point.run, &run, &program});
      }
      points.push_back(std::move(point));
    }
    database.set_points(plan_.file, kVersion, points);
    outcome_.points = points.size();
    outcome_.runs = keys_.size();
  }

  // The same run in another database is the same result.
  void take_over(Database& database) {
    for (const std::string& path : options_.others) {
      if (due_.empty()) return;
      const Database other(path);
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
      Environment environment;
      environment.config = folder / "resolved.yaml";
      environment.run_dir = folder;
      job.environment = environment.variables();
    }
    job.argv.insert(job.argv.end(), due.planned->arguments.begin(), due.planned->arguments.end());
    job.log = folder / "log.txt";
    return true;
  }

  void finish(const JobEnd& end, Database& database) {
    const Due& due = due_[end.job];
    const fs::path folder = folder_of(end.job);
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
    ++done_;
    if (!result.complete) ++failed_;
  }

  std::string why(const JobEnd& end, const std::string& status, const fs::path& folder) const {
    if (end.timed_out) return fmt::format("not finished after {} s", options_.timeout.count());
    if (!status.empty() && status != "complete") return status;
    const std::string line = last_line(folder / "log.txt");
    if (end.status != 0)
      return fmt::format("exit status {}{}{}", end.status, line.empty() ? "" : ": ", line);
    return "launched no kernel";
  }

  void show_progress() {
    if (isatty(STDERR_FILENO) == 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_progress_) return;
    next_progress_ = now + std::chrono::milliseconds(500);
    std::string left;
    if (done_ != 0) {
      const double seconds = std::chrono::duration<double>(now - begin_).count();
      left = fmt::format(", {:.0f} s left", seconds * static_cast<double>(total_ - done_) /
                                                static_cast<double>(done_));
    }
    fmt::print(stderr, "\r\033[K{}/{} runs, {} failed{}", done_, total_, failed_, left);
    std::fflush(stderr);
    shown_ = true;
  }
  void clear_progress() const {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }

  const Plan& plan_;
  const EngineOptions& options_;
  fs::path work_;
  std::map<std::string, Program> programs_;  // by the plan's path
  std::set<std::string> keys_;
  std::vector<Due> due_;
  std::size_t started_ = 0, done_ = 0, failed_ = 0, total_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_progress_ = begin_;
  bool shown_ = false;
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

}  // namespace warpmem::app::sweep
