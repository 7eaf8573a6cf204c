// SPDX-License-Identifier: Apache-2.0
#include "sweeps/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "app/cuda_compiler.hpp"
#include "app/places.hpp"
#include "app/plugins.hpp"
#include "app/trace_run.hpp"
#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "files/sha256.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;

/// The list has the path of each source and that of its program, each with a null character behind
/// it, since paths may have all others.
std::map<std::string, std::string> read_list(const fs::path& file) {
  std::map<std::string, std::string> made;
  if (file.empty()) return made;
  const std::string text = read_text(file);
  // A plan that has no sources has an empty list.
  if (std::count(text.begin(), text.end(), '\0') % 2 != 0 || (!text.empty() && text.back() != '\0'))
    throw UserError(file.string() + ": not a list of compiled programs, as --slurm makes it");
  std::istringstream in(text);
  std::string source, program;
  while (std::getline(in, source, '\0') && std::getline(in, program, '\0')) made[source] = program;
  return made;
}

void write_list(const PreparedPlan& prepared, const fs::path& file) {
  std::string text;
  for (const auto& [source, program] : prepared.programs)
    if (program.path != source) text += source + '\0' + program.path + '\0';
  write_text(file, text);
}

/// Each source has a place of its own, since two may have the same name.
fs::path place_of(const PreparedPlan& prepared, const std::string& source, const fs::path& folder) {
  const auto found = prepared.programs.find(source);
  const auto number = std::distance(prepared.programs.begin(), found) + 1;
  return folder / std::to_string(number) / fs::path(source).stem();
}

void compile(PreparedPlan& prepared, const std::string& source, const fs::path& folder,
             app::MadePrograms& made) {
  const fs::path file = place_of(prepared, source, folder);
  fs::create_directories(file.parent_path());
  Program& program = prepared.programs.at(source);
  program.path = file.string();
  const std::string dependencies = (file.parent_path() / "dependencies").string();
  const auto began = fs::file_time_type::clock::now();
  if (app::compile_cuda({source, "-o", program.path, "-MD", "-MF", dependencies}) != 0)
    throw UserError(source + ": cannot be compiled (see above)");
  program.hash = sha256_hex(read_text(program.path));
  made.made(source, program.hash, dependencies, began);
}

}  // namespace

std::string run_key(const PlannedRun& run, const std::string& program_hash,
                    const std::string& simulator_hash) {
  Sha256 hash;
  hash.add_field(simulator_hash);
  hash.add_field(run.config);
  hash.add_field(program_hash);
  for (const std::string& argument : run.arguments) hash.add_field(argument);
  // Behind a field that no argument is, so that no two runs have the same fields.
  if (run.watched.any()) hash.add_field(std::string(1, '\0'));
  for (const std::string& line : run.watched.lines()) hash.add_field(line);
  return hash.hex();
}

PreparedPlan prepare(const Plan& plan, const fs::path& folder, const fs::path& list,
                     app::MadePrograms& made) {
  PreparedPlan prepared;
  const std::map<std::string, std::string> there = read_list(list);
  for (const PlannedRun& run : plan.runs) prepared.programs[run.program];
  for (auto& [source, program] : prepared.programs) {
    const auto found = there.find(source);
    if (found != there.end()) {
      program.path = found->second;
    } else if (fs::path(source).extension() == ".cu") {
      program.hash = made.hash_of(source);
      if (program.hash.empty()) compile(prepared, source, folder, made);
      continue;
    } else {
      program.path = source;
      program.trace = program::trace::is_trace(source);
    }
    program.hash =
        program.trace ? app::trace_hash(program.path) : sha256_hex(read_text(program.path));
  }
  set_keys(plan, prepared);
  return prepared;
}

void set_keys(const Plan& plan, PreparedPlan& prepared) {
  prepared.points.clear();
  std::string simulator = sha256_hex(read_text(app::places().cuda_library));
  for (const app::Plugin& plugin : app::load_plugins()) simulator += plugin.hash;
  Sha256 hash;
  for (const PlannedRun& run : plan.runs) {
    Point point;
    point.run = run_key(run, prepared.programs.at(run.program).hash, simulator);
    point.workload = run.workload;
    point.arguments = fmt::format("{}", fmt::join(run.arguments, " "));
    for (std::size_t a = 0; a < plan.axes.size(); ++a)
      point.labels.emplace_back(plan.axes[a], run.points[a]);
    hash.add_field(point.run);
    hash.add_field(name_of(point));
    prepared.points.push_back(std::move(point));
  }
  prepared.hash = hash.hex();
}

bool compile_known(PreparedPlan& prepared, const std::string& source, const fs::path& folder,
                   app::MadePrograms& made) {
  const std::string known = prepared.programs.at(source).hash;
  compile(prepared, source, folder, made);
  return prepared.programs.at(source).hash == known;
}

PreparedPlan prepare_kept(const Plan& plan, const fs::path& folder) {
  fs::create_directories(folder);
  const fs::path known = folder / "made";
  app::MadePrograms made(fs::exists(known) ? read_text(known) : "");
  PreparedPlan prepared = prepare(plan, folder, {}, made);
  bool same = true;
  for (auto& [source, program] : prepared.programs) {
    if (!program.path.empty()) continue;
    const fs::path kept = place_of(prepared, source, folder);
    if (fs::exists(kept) && sha256_hex(read_text(kept)) == program.hash)
      program.path = kept.string();
    else
      same = compile_known(prepared, source, folder, made) && same;
  }
  if (!same) set_keys(plan, prepared);
  write_list(prepared, list_of_programs(folder));
  write_text(known, made.text());
  return prepared;
}

fs::path list_of_programs(const fs::path& folder) { return folder / "list"; }

std::string name_of(const Point& point) {
  std::string text = point.workload;
  for (const auto& [axis, label] : point.labels) text += fmt::format(" {}={}", axis, label);
  return text;
}

}  // namespace warpmem::sweeps
