// SPDX-License-Identifier: Apache-2.0
// warpmem sweep: many runs from one file into one database.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/commands.hpp"
#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/text_file.hpp"
#include "sweeps/engine.hpp"

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
  long timeout = 0;
  std::string json;
  bool dry_run = false;
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
      fmt::print("{:<28} {:<36} {:>12} {:>8}  {}: {}\n", point.workload, labels_of(point), "-", "-",
                 status, r.message);
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
  write_text(file, out.dump(2) + "\n");  // what the database has is UTF-8
}

int run(SweepOptions& options) {
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
  options.engine.timeout = std::chrono::seconds(options.timeout);
  if (!options.json.empty()) check_output(options.json);
  const Outcome outcome = sweeps::run_plan(plan, options.engine);
  const Database database(options.engine.output, Database::Access::existing);
  print_table(database);
  if (!options.json.empty()) write_json(database, options.json);
  fmt::print(stderr, "warpmem: {} points, {} runs, {} of them executed now, {} failed; {}\n",
             outcome.points, outcome.runs, outcome.executed - outcome.not_run.size(),
             outcome.failed, options.engine.output);
  if (!outcome.not_run.empty()) {
    for (const std::string& line : outcome.not_run) fmt::print(stderr, "not run: {}\n", line);
    throw UserError(
        fmt::format("{} runs have no result, for reasons of this machine; --resume runs them again",
                    outcome.not_run.size()));
  }
  return outcome.failed == 0 ? 0 : 1;
}

}  // namespace

void add_sweep(CLI::App& app, int& status) {
  auto options = std::make_shared<SweepOptions>();
  options->engine.jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* command = app.add_subcommand("sweep", "run many configurations and workloads");
  command->add_option("FILE", options->file, "the sweep (YAML): base, set, axes, workloads")
      ->required();
  command
      ->add_option("-j,--jobs", options->engine.jobs, "runs at a time (default: one for each core)")
      ->check(CLI::Range(1, 256));
  command->add_option("-o,--out", options->engine.output,
                      "results, one SQLite file (default: NAME.sqlite)");
  command->add_flag("--resume", options->engine.resume,
                    "go on with an existing file: run what it lacks");
  command->add_flag("--retry-failed", options->engine.retry_failed,
                    "with --resume: run again what has failed");
  command->add_flag("--new-plan", options->engine.new_plan,
                    "with --resume: go on although the sweep has changed; its points take the "
                    "place of the file's");
  command->add_option("--timeout", options->timeout, "seconds a run may take (default: no limit)")
      ->check(CLI::Range(1L, 1'000'000L));
  command->add_option("--json", options->json, "also write the results to FILE");
  command->add_flag("--dry-run", options->dry_run, "check the file and list the points");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace warpmem::app
