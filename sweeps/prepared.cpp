// SPDX-License-Identifier: Apache-2.0
#include "sweeps/prepared.hpp"

#include <fmt/format.h>

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
std::map<std::string, std::string> read_made(const fs::path& file) {
  std::map<std::string, std::string> made;
  if (file.empty()) return made;
  std::istringstream in(read_text(file));
  std::string source, program;
  while (std::getline(in, source, '\0') && std::getline(in, program, '\0')) made[source] = program;
  return made;
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

PreparedPlan prepare(const Plan& plan, const fs::path& folder, const fs::path& made) {
  PreparedPlan prepared;
  const std::map<std::string, std::string> there = read_made(made);
  for (const PlannedRun& run : plan.runs) {
    Program& program = prepared.programs[run.program];
    if (!program.path.empty()) continue;
    program.path = run.program;
    program.trace = program::trace::is_trace(run.program);
    if (const auto found = there.find(run.program); found != there.end()) {
      program.path = found->second;
    } else if (fs::path(run.program).extension() == ".cu") {
      const fs::path place = folder / std::to_string(prepared.programs.size());
      fs::create_directories(place);
      program.path = (place / fs::path(run.program).stem()).string();
      if (app::compile_cuda({run.program, "-o", program.path}) != 0)
        throw UserError(run.program + ": cannot be compiled (see above)");
    }
    program.hash =
        program.trace ? app::trace_hash(program.path) : sha256_hex(read_text(program.path));
  }
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
  return prepared;
}

void write_programs(const PreparedPlan& prepared, const fs::path& file) {
  std::string text;
  for (const auto& [source, program] : prepared.programs)
    if (program.path != source) text += source + '\0' + program.path + '\0';
  write_text(file, text);
}

std::string name_of(const Point& point) {
  std::string text = point.workload;
  for (const auto& [axis, label] : point.labels) text += fmt::format(" {}={}", axis, label);
  return text;
}

}  // namespace warpmem::sweeps
