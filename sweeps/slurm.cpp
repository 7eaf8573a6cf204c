// SPDX-License-Identifier: Apache-2.0
#include "sweeps/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/environment_error.hpp"
#include "base/process.hpp"
#include "base/programs.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "files/json_text.hpp"
#include "sweeps/prepared.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostTasks = 100;  // where nobody says how many

/// Slurm's programs are not in tools/packages.txt: only who submits to a cluster needs them.
std::string slurm_program(const std::string& name) {
  if (const fs::path file = program_in_path(name); !file.empty()) return file.string();
  throw EnvironmentError(name + " is not installed: run 'apt-get install slurm-client'");
}

struct Answer {
  int status;
  std::string output, errors;
};

Answer ask(const std::string& program, const std::vector<std::string>& arguments) {
  const WorkFolder work;
  Process process;
  process.argv = {slurm_program(program)};
  process.argv.insert(process.argv.end(), arguments.begin(), arguments.end());
  process.output = work.path() / "output";
  process.log = work.path() / "errors";
  Answer answer{};
  answer.status = run_process(process);
  answer.output = read_text(process.output);
  answer.errors = read_text(process.log);
  while (!answer.errors.empty() && answer.errors.back() == '\n') answer.errors.pop_back();
  return answer;
}

std::string script(const std::vector<std::string>& command, const std::string& rest) {
  std::string text = "#!/bin/sh\n# Written by warpmem sweep --slurm.\nexec";
  for (const std::string& word : command) text += " " + shell_quoted(word);
  return text + rest + "\n";
}

/// Returns a list like "1,4-7" of ascending numbers.
std::string ranges(const std::set<unsigned>& numbers) {
  std::string text;
  for (auto i = numbers.begin(); i != numbers.end();) {
    const unsigned first = *i;
    unsigned last = first;
    while (++i != numbers.end() && *i == last + 1) last = *i;
    text += fmt::format("{}{}", text.empty() ? "" : ",", first);
    if (last != first) text += fmt::format("-{}", last);
  }
  return text;
}

std::string sbatch(const std::vector<std::string>& arguments) {
  const Answer answer = ask("sbatch", arguments);
  if (answer.status != 0)
    throw UserError(fmt::format("sbatch ended with exit status {}: {}", answer.status,
                                answer.errors.empty() ? answer.output : answer.errors));
  // The number may have the cluster's name behind it.
  const std::string job = answer.output.substr(0, answer.output.find_first_of(";\n"));
  if (job.empty() || job.find_first_not_of("0123456789") != std::string::npos)
    throw UserError("sbatch did not say which job it is: " + answer.output);
  return job;
}

class Submitter {
 public:
  Submitter(const Plan& plan, const EngineOptions& engine, const SlurmOptions& options)
      : plan_(plan),
        engine_(engine),
        options_(options),
        output_(fs::absolute(engine.output).string()),
        folder_(shard_folder(output_)),
        before_(submitted_job(output_)) {}

  Submission submit() {
    slurm_program("sbatch");  // before anything is written
    refuse_second();
    fs::create_directories(folder_ / "log");
    const PreparedPlan prepared = prepare_kept(plan_, folder_ / "programs");
    Submission done;
    done.points = prepared.points.size();
    const std::set<unsigned> tasks = missing_tasks(prepared, done);
    done.tasks = tasks.size();
    if (tasks.empty()) return done;
    write_text(folder_ / "worker.sh", worker_script(prepared.hash));
    write_text(folder_ / "merge.sh", script({warpmem(), "sweep", "merge", output_}, ""));
    done.job = sbatch(array_arguments(ranges(tasks)));
    write_job({done.job, "", count_});
    done.merge_job = sbatch(merge_arguments(done.job));
    write_job({done.job, done.merge_job, count_});
    return done;
  }

 private:
  void refuse_second() const {
    const bool begun = fs::exists(output_) || fs::exists(folder_);
    if (begun && !engine_.resume)
      throw UserError(fmt::format("{}: exists; go on with --resume, or give another file",
                                  fs::exists(output_) ? output_ : folder_.string()));
    if (!before_) return;
    if (const std::string state = job_state(*before_); !state.empty())
      throw UserError(
          fmt::format("{}: job {} is not over ({}); wait for it, or end it with scancel", output_,
                      before_->job, state));
  }

  std::set<unsigned> missing_tasks(const PreparedPlan& prepared, Submission& done) {
    std::set<std::string> keys, ended;
    for (const Point& point : prepared.points) keys.insert(point.run);
    std::vector<fs::path> files = shard_files(output_);
    if (has_content(output_)) files.emplace_back(output_);
    for (const fs::path& file : files) {
      const Database database(file.string(), Database::Access::existing);
      if (const std::string plan = database.fact("plan");
          !plan.empty() && plan != prepared.hash && !engine_.new_plan)
        throw UserError(fmt::format("{}: of another plan than {} now; give another file with -o",
                                    file.string(), plan_.file));
      for (const auto& [key, complete] : database.ended())
        if (complete || !engine_.retry_failed) ended.insert(key);
    }
    std::set<std::string> missing;
    for (const std::string& key : keys)
      if (ended.count(key) == 0) missing.insert(key);
    done.runs = keys.size();
    done.missing = missing.size();
    count_ = options_.array_size;
    if (count_ == 0 && before_) count_ = before_->count;
    if (count_ == 0) count_ = static_cast<unsigned>(std::min<std::size_t>(keys.size(), kMostTasks));
    std::set<unsigned> tasks;
    for (unsigned index = 1; index <= count_; ++index)
      if (std::any_of(missing.begin(), missing.end(), [&](const std::string& key) {
            return Shard{index, count_}.owns(key);
          }))
        tasks.insert(index);
    return tasks;
  }

  static std::string warpmem() { return fs::read_symlink("/proc/self/exe").string(); }

  std::string worker_script(const std::string& hash) const {
    std::vector<std::string> command = {warpmem(), "sweep", fs::absolute(plan_.file).string(), "-o",
                                        output_,   "-j",    std::to_string(engine_.jobs)};
    command.insert(command.end(),
                   {"--plan", hash, "--programs", list_of_programs(folder_ / "programs").string()});
    if (engine_.limits.time.count() != 0)
      command.insert(command.end(), {"--timeout", std::to_string(engine_.limits.time.count())});
    if (engine_.limits.bytes != 0)
      command.insert(command.end(), {"--max-memory", std::to_string(engine_.limits.bytes >> 20)});
    if (engine_.retry_failed) command.emplace_back("--retry-failed");
    if (engine_.new_plan) command.emplace_back("--new-plan");
    return script(command, fmt::format(" --shard \"$SLURM_ARRAY_TASK_ID/{}\"", count_));
  }

  std::vector<std::string> common(const std::string& log) const {
    std::vector<std::string> arguments = {
        "--parsable", "--output=" + (folder_ / "log" / log).string(), "--open-mode=append"};
    if (!options_.partition.empty()) arguments.push_back("--partition=" + options_.partition);
    arguments.insert(arguments.end(), options_.options.begin(), options_.options.end());
    return arguments;
  }

  std::vector<std::string> array_arguments(const std::string& tasks) const {
    std::vector<std::string> arguments = common("%a.txt");
    arguments.insert(arguments.end(), {"--array=" + tasks, "--requeue", "--ntasks=1",
                                       fmt::format("--cpus-per-task={}", engine_.jobs),
                                       "--job-name=" + fs::path(output_).stem().string()});
    if (!options_.time.empty()) arguments.push_back("--time=" + options_.time);
    if (engine_.limits.bytes != 0)  // and 200 MiB for the sweep itself
      arguments.push_back(
          fmt::format("--mem={}M", (engine_.limits.bytes >> 20) * engine_.jobs + 200));
    arguments.push_back((folder_ / "worker.sh").string());
    return arguments;
  }

  std::vector<std::string> merge_arguments(const std::string& job) const {
    std::vector<std::string> arguments = common("merge.txt");
    arguments.insert(arguments.end(), {"--dependency=afterany:" + job, "--requeue", "--ntasks=1",
                                       "--job-name=" + fs::path(output_).stem().string() + "-merge",
                                       (folder_ / "merge.sh").string()});
    return arguments;
  }

  void write_job(const SubmittedJob& job) const {
    const nlohmann::ordered_json json = {
        {"job", job.job}, {"merge_job", job.merge_job}, {"count", job.count}};
    write_text(folder_ / "job.json", compact_json(json) + "\n");
  }

  const Plan& plan_;
  const EngineOptions& engine_;
  const SlurmOptions& options_;
  const std::string output_;
  const fs::path folder_;
  const std::optional<SubmittedJob> before_;
  unsigned count_ = 0;
};

}  // namespace

Submission submit(const Plan& plan, const EngineOptions& engine, const SlurmOptions& options) {
  return Submitter(plan, engine, options).submit();
}

std::optional<SubmittedJob> submitted_job(const std::string& output) {
  const fs::path file = shard_folder(output) / "job.json";
  if (!fs::exists(file)) return std::nullopt;
  const auto json = try_json(read_text(file));
  if (!json.is_object()) throw UserError(file.string() + ": not what warpmem wrote");
  return SubmittedJob{json.value("job", ""), json.value("merge_job", ""), json.value("count", 0u)};
}

std::string job_state(const SubmittedJob& job) {
  const Answer answer = ask("squeue", {"-h", "-r", "-o", "%T %r", "-j", job.job});
  if (answer.status != 0) {
    // Slurm forgets jobs some minutes after their end.
    if (answer.errors.find("Invalid job id") != std::string::npos) return "";
    throw UserError(
        fmt::format("squeue ended with exit status {}: {}", answer.status, answer.errors));
  }
  std::map<std::string, unsigned> states;
  std::istringstream lines(answer.output);
  std::string state, reason;
  while (lines >> state && std::getline(lines >> std::ws, reason)) {
    // Somebody must release what is held; other reasons come and go.
    const bool held =
        reason.find("held") != std::string::npos || reason.find("Held") != std::string::npos;
    ++states[held ? fmt::format("{} ({})", state, reason) : state];
  }
  std::vector<std::string> parts;
  for (const auto& [text, times] : states) parts.push_back(fmt::format("{} {}", times, text));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace warpmem::sweeps
