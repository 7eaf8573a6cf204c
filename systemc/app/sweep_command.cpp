// SPDX-License-Identifier: Apache-2.0
// warpmem sweep: many runs from one file into one database, on this machine or in parts on many.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <utility>

#include "app/commands.hpp"
#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"
#include "program/trace/trace.hpp"
#include "sweeps/engine.hpp"
#include "sweeps/merge.hpp"
#include "sweeps/progress.hpp"
#include "sweeps/run_limit_options.hpp"
#include "sweeps/slurm.hpp"

namespace warpmem::app {

namespace {

namespace fs = std::filesystem;
using sweeps::Database;
using sweeps::Outcome;
using sweeps::Plan;
using sweeps::Point;
using sweeps::RunResult;

struct SweepOptions {
  std::string file;
  sweeps::EngineOptions engine;
  sweeps::SlurmOptions slurm;
  sweeps::RunLimitOptions limits;
  std::string shard, programs, json;
  bool dry_run = false, on_slurm = false;
};

struct PartOptions {
  std::string file, json;
};

std::string labels_of(const Point& point) {
  std::string text;
  for (const auto& [axis, label] : point.labels)
    text += (text.empty() ? "" : ", ") + axis + "=" + label;
  return text;
}

double value(const RunResult& result, const std::string& name) {
  for (const auto& [key, number] : result.stats)
    if (key == name) return number;
  return 0;
}

// Wall times are left out: the same sweep prints the same table.
void print_table(const Database& database) {
  fmt::print("{:<28} {:<36} {:>12} {:>8}  {}\n", "workload", "point", "cycles", "IPC", "status");
  for (const Point& point : database.points()) {
    const RunResult r = database.result(point.run);
    const std::string status = r.key.empty() ? "not run" : r.complete ? "complete" : "failed";
    if (r.complete) {
      fmt::print("{:<28} {:<36} {:>12.0f} {:>8.2f}  {}\n", point.workload, labels_of(point),
                 value(r, "gpu.cycles"), value(r, "gpu.ipc"), status);
    } else {
      fmt::print("{:<28} {:<36} {:>12} {:>8}  {}{}{}\n", point.workload, labels_of(point), "-", "-",
                 status, r.message.empty() ? "" : ": ", r.message);
    }
  }
}

void write_json(const Database& database, const std::string& file) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const Point& point : database.points()) {
    const RunResult r = database.result(point.run);
    nlohmann::ordered_json item;
    item["workload"] = point.workload;
    item["arguments"] = point.arguments;
    for (const auto& [axis, label] : point.labels) item["point"][axis] = label;
    item["status"] = r.key.empty() ? "not run" : r.complete ? "complete" : "failed";
    if (!r.message.empty()) item["message"] = r.message;
    for (const auto& [name, number] : r.stats) item["stats"][name] = number;
    out.push_back(std::move(item));
  }
  write_text(file, indented_json(out) + "\n");  // what the database has is UTF-8
}

int print_results(const std::string& output, const std::string& json) {
  const Database database(output, Database::Access::existing);
  print_table(database);
  if (!json.empty()) write_json(database, json);
  return 0;
}

void report_not_run(const Outcome& outcome) {
  if (outcome.not_run.empty()) return;
  for (const std::string& line : outcome.not_run) fmt::print(stderr, "not run: {}\n", line);
  throw UserError(
      fmt::format("{} runs have no result, for reasons of this machine; --resume runs them again",
                  outcome.not_run.size()));
}

// A shard is done when its own runs are; what else there is shows when all are merged.
int run_shard(const Plan& plan, SweepOptions& options) {
  const std::string whole = options.engine.output;
  options.engine.shard = sweeps::parse_shard(options.shard);
  fs::create_directories(sweeps::shard_folder(whole));
  options.engine.output = sweeps::shard_file(whole, *options.engine.shard).string();
  const std::string alike = fmt::format("-of-{}.sqlite", options.engine.shard->count);
  for (const fs::path& file : sweeps::shard_files(whole)) {
    const std::string name = file.filename();
    const bool same_count = name.size() > alike.size() &&
                            name.compare(name.size() - alike.size(), alike.size(), alike) == 0;
    if (!same_count) options.engine.others.push_back(file.string());
  }
  if (fs::exists(whole) && fs::file_size(whole) != 0) options.engine.others.push_back(whole);
  const Outcome outcome = sweeps::run_plan(plan, options.engine);
  fmt::print("shard {}: {} of {} runs, {} of them executed now, {} failed; {}\n", options.shard,
             outcome.runs, outcome.points, outcome.executed - outcome.not_run.size(),
             outcome.failed, options.engine.output);
  report_not_run(outcome);
  return outcome.failed == 0 ? 0 : 1;
}

int merge(const std::string& output, const std::string& json) {
  const sweeps::SweepState state = sweeps::merge_shards(output);
  print_results(output, json);
  fmt::print(stderr, "warpmem: {} shards, {} points, {} runs, {} failed, {} missing; {}\n",
             state.shards, state.points, state.runs, state.failed, state.missing(), output);
  return state.failed == 0 && state.missing() == 0 ? 0 : 1;
}

int submit(const Plan& plan, const SweepOptions& options) {
  const sweeps::Submission done = sweeps::submit(plan, options.engine, options.slurm);
  if (done.tasks == 0) {
    fmt::print("nothing is missing of {} runs\n", done.runs);
    return merge(options.engine.output, "");
  }
  fmt::print("{} points, {} runs; job {} has {} tasks for the {} that are missing, job {} merges\n",
             done.points, done.runs, done.job, done.tasks, done.missing, done.merge_job);
  fmt::print("warpmem sweep status {}\n", options.engine.output);
  return 0;
}

/// Every file that the runs are made from.
std::vector<fs::path> inputs_of_sweep(const Plan& plan, const SweepOptions& options) {
  std::set<std::string> programs;
  for (const sweeps::PlannedRun& run : plan.runs) programs.insert(run.program);
  std::vector<fs::path> inputs(programs.begin(), programs.end());
  const auto add = [&inputs](const auto& files) {
    inputs.insert(inputs.end(), files.begin(), files.end());
  };
  for (const std::string& program : programs)
    if (program::trace::is_trace(program)) add(program::trace::files_of_trace(program));
  add(plan.files);
  inputs.emplace_back(options.programs);
  return inputs;
}

/// A shard goes on with its results without being told.
void refuse_without_results(const SweepOptions& options) {
  if (options.engine.resume || !options.shard.empty()) return;
  for (const auto& [given, name] : {std::pair(options.engine.retry_failed, "--retry-failed"),
                                    std::pair(options.engine.new_plan, "--new-plan")})
    if (given) throw UserError(fmt::format("{}: only with --resume or --shard", name));
}

int run(SweepOptions& options) {
  if (options.file.empty())
    throw UserError("say which sweep: warpmem sweep FILE, or merge or status; --help has more");
  refuse_without_results(options);
  const Plan plan =
      sweeps::read_plan(options.file, read_catalogue(places().workloads / "catalogue.yaml"),
                        places().workloads.string());
  if (options.dry_run) {
    for (const sweeps::PlannedRun& r : plan.runs) {
      fmt::print("{} {}", r.program, fmt::join(r.arguments, " "));
      for (std::size_t a = 0; a < plan.axes.size(); ++a)
        fmt::print(" {}={}", plan.axes[a], r.points[a]);
      fmt::print("\n");
    }
    fmt::print("{} points\n", plan.runs.size());
    return 0;
  }
  if (options.engine.output.empty())
    options.engine.output = fs::path(options.file).stem().string() + ".sqlite";
  check_apart({options.engine.output, options.json}, inputs_of_sweep(plan, options));
  check_apart({options.json}, {options.engine.costs.begin(), options.engine.costs.end()});
  options.limits.apply(options.engine);
  options.engine.programs = options.programs;
  if (options.on_slurm) return submit(plan, options);
  if (!options.shard.empty()) return run_shard(plan, options);
  if (!options.json.empty()) check_output(options.json);
  const Outcome outcome = sweeps::run_plan(plan, options.engine);
  print_results(options.engine.output, options.json);
  fmt::print(stderr, "warpmem: {} points, {} runs, {} of them executed now, {} failed; {}\n",
             outcome.points, outcome.runs, outcome.executed - outcome.not_run.size(),
             outcome.failed, options.engine.output);
  report_not_run(outcome);
  return outcome.failed == 0 ? 0 : 1;
}

// The database of a sweep, by its own name or by that of the sweep's file.
std::string database_of(const std::string& file) {
  const fs::path path = file;
  const bool is_sweep = path.extension() == ".yaml" || path.extension() == ".yml";
  return is_sweep ? path.stem().string() + ".sqlite" : file;
}

void print_state(const sweeps::SweepState& state) {
  fmt::print("{} points, {} runs: {} complete, {} failed, {} missing\n", state.points, state.runs,
             state.complete, state.failed, state.missing());
  if (state.shards != 0)
    fmt::print("{} shards have begun; {} runs were executed twice\n", state.shards, state.twice);
  if (state.missing() != 0)
    fmt::print("the missing ones take one process {}\n",
               state.left ? "about " + sweeps::duration_text(*state.left)
                          : "a time that nothing says yet");
  for (const sweeps::Worker& worker : state.workers)
    fmt::print(
        "at work: {}{}{}: {}\n", worker.shard, worker.host.empty() ? "" : " on ", worker.host,
        worker.points.empty() ? "begins" : fmt::format("{}", fmt::join(worker.points, ", ")));
}

int status_of(const PartOptions& options) {
  const std::string output = database_of(options.file);
  const auto job = sweeps::submitted_job(output);
  // Before the first task there are no results to look at.
  const bool begun = fs::exists(output) || !sweeps::shard_files(output).empty() || !job;
  const sweeps::SweepState state = begun ? sweeps::state_of(output) : sweeps::SweepState();
  std::string jobs;
  if (job) {
    jobs = sweeps::job_state(*job);
    if (jobs.empty()) jobs = "over";
  }
  if (!options.json.empty()) {
    nlohmann::ordered_json out = {{"points", state.points},       {"runs", state.runs},
                                  {"complete", state.complete},   {"failed", state.failed},
                                  {"missing", state.missing()},   {"shards", state.shards},
                                  {"executed_twice", state.twice}};
    if (state.left) out["seconds_left"] = *state.left;
    out["at_work"] = nlohmann::ordered_json::array();
    for (const sweeps::Worker& worker : state.workers)
      out["at_work"].push_back(
          {{"shard", worker.shard}, {"host", worker.host}, {"points", worker.points}});
    if (job) out["job"] = {{"number", job->job}, {"state", jobs}};
    write_text(options.json, indented_json(out) + "\n");
  }
  if (begun) print_state(state);
  if (job) fmt::print("job {}: {}\n", job->job, jobs);
  return 0;
}

// A part writes what is asked for beside the databases, and never over one.
void check_json(const PartOptions& options) {
  if (options.json.empty()) return;
  const std::string output = database_of(options.file);
  std::vector<fs::path> inputs = sweeps::shard_files(output);
  inputs.insert(inputs.end(), {options.file, output});
  check_apart({options.json}, inputs);
  check_output(options.json);
}

// The sweep's own options stand before the name of the part, and say nothing to it.
void refuse_options_of(const CLI::App& sweep) {
  for (const CLI::Option* option : sweep.get_options())
    if (option->count() != 0)
      throw UserError(
          fmt::format("{}: merge and status have options of their own", option->get_name()));
}

void add_parts(CLI::App& sweep, int& status) {
  const auto part = [&](const char* name, const char* what) {
    auto options = std::make_shared<PartOptions>();
    CLI::App* command = sweep.add_subcommand(name, what);
    command->add_option("FILE", options->file, "the sweep (NAME.yaml), or its results")->required();
    command->add_option("--json", options->json, "also write the results to FILE");
    return std::make_pair(command, options);
  };
  const auto [merges, merge_options] =
      part("merge", "put the shards of a sweep together; exit status 1 while runs are missing");
  merges->callback([options = merge_options, &sweep, &status] {
    refuse_options_of(sweep);
    check_json(*options);
    status = merge(database_of(options->file), options->json);
  });
  const auto [shows, show_options] = part("status", "how far a sweep and its shards are");
  shows->callback([options = show_options, &sweep, &status] {
    refuse_options_of(sweep);
    check_json(*options);
    status = status_of(*options);
  });
}

// Options of a job array.
void add_slurm(CLI::App& command, SweepOptions& options, CLI::Option* slurm) {
  command.add_option("--partition", options.slurm.partition, "with --slurm: the partition")
      ->needs(slurm);
  command
      .add_option("--array-size", options.slurm.array_size,
                  "with --slurm: tasks (default: one a run, 100 at most; again what it was)")
      ->check(CLI::Range(1, 1'000'000))
      ->needs(slurm);
  command.add_option("--time", options.slurm.time, "with --slurm: time limit of a task")
      ->needs(slurm);
  command
      .add_option("--sbatch", options.slurm.options,
                  "with --slurm: a further option of sbatch, like --sbatch=--account=me")
      ->allow_extra_args(false)
      ->needs(slurm);
}

}  // namespace

void add_sweep(CLI::App& app, int& status) {
  auto options = std::make_shared<SweepOptions>();
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* command = app.add_subcommand("sweep", "run many configurations and workloads");
  command->add_option("FILE", options->file,
                      "the sweep (YAML): base, set, axes, observe, workloads");
  CLI::Option* jobs =
      command
          ->add_option("-j,--jobs", options->engine.jobs,
                       "runs at a time (default: one for each core; of a shard, and of a task "
                       "of Slurm: one)")
          ->check(CLI::Range(1, 256));
  command->add_option("-o,--out", options->engine.output,
                      "results, one SQLite file (default: NAME.sqlite)");
  CLI::Option* resume = command->add_flag("--resume", options->engine.resume,
                                          "go on with an existing file: run what it lacks");
  command->add_flag("--retry-failed", options->engine.retry_failed,
                    "with --resume or --shard: run again what has failed");
  command->add_flag("--new-plan", options->engine.new_plan,
                    "with --resume or --shard: go on although the sweep has changed; its points "
                    "take the place of the file's");
  const sweeps::AddedRunLimits limits = sweeps::add_run_limits(*command, options->limits);
  CLI::Option* costs =
      command
          ->add_option("--costs", options->engine.costs,
                       "earlier results, by whose times runs are ordered and the rest of the time "
                       "is estimated")
          ->allow_extra_args(false);
  CLI::Option* json =
      command->add_option("--json", options->json, "also write the results to FILE");
  CLI::Option* dry_run =
      command->add_flag("--dry-run", options->dry_run, "check the file and list the points");
  CLI::Option* shard = command->add_option(
      "--shard", options->shard,
      "INDEX/COUNT: run one of COUNT parts, into a file of its own beside the results; goes on "
      "with what is there");
  command
      ->add_option("--plan", options->engine.plan_hash,
                   "with --shard: refuse any other plan than the one with this hash")
      ->needs(shard);
  command
      ->add_option("--programs", options->programs,
                   "with --shard: a list of compiled programs, as --slurm makes it")
      ->needs(shard);
  CLI::Option* slurm = command->add_flag("--slurm", options->on_slurm,
                                         "submit what is to run as a job array of Slurm");
  add_slurm(*command, *options, slurm);
  dry_run->excludes(json);
  for (CLI::Option* other : {json, dry_run, resume}) shard->excludes(other);
  for (CLI::Option* other : {json, dry_run, shard, costs, limits.progress}) slurm->excludes(other);
  add_parts(*command, status);
  command->callback([=, &status] {
    if (!command->get_subcommands().empty()) return;
    if (jobs->count() == 0) options->engine.jobs = *shard || *slurm ? 1 : cores;
    status = run(*options);
  });
}

}  // namespace warpmem::app
