// SPDX-License-Identifier: Apache-2.0
// warpmem trace: record a program as a trace, copy one, say what one holds.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/configuration.hpp"
#include "app/environment.hpp"
#include "app/kept_program.hpp"
#include "app/user_program.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "files/json_text.hpp"
#include "program/trace/accelsim_export.hpp"
#include "program/trace/own_format.hpp"
#include "program/trace/summary.hpp"

namespace warpmem::app {

namespace {

namespace fs = std::filesystem;
namespace trace = program::trace;

struct TraceOptions {
  ConfigurationOptions configuration;
  std::string input, output, json;
  std::vector<std::string> arguments;
  std::string format = "accelsim";
  unsigned architecture = 70;
  bool compressed = false;
};

void copy_trace(const std::string& input, const std::string& output) {
  const auto reader = trace::open_trace(input);
  trace::OwnFormatWriter writer(output);
  const bool visible = isatty(STDERR_FILENO) != 0;
  std::uint64_t launches = 0;
  trace::Command command;
  while (reader->next(command)) {
    trace::copy_command(command, writer);
    if (command.kind != trace::Command::Kind::launch) continue;
    ++launches;
    if (visible)
      fmt::print(stderr, "\r\033[K{} launches, {} warp instructions", launches,
                 writer.warp_instructions());
  }
  if (visible) fmt::print(stderr, "\r\033[K");
  for (const std::string& note : reader->notes()) writer.note(note);
  writer.finish();
}

/// Returns a text that is another one once the file has been written.
std::string stamp_of(const std::string& file) {
  struct stat found = {};
  if (stat(file.c_str(), &found) != 0) return "";
  return fmt::format("{} {} {}.{}", found.st_ino, found.st_size, found.st_mtim.tv_sec,
                     found.st_mtim.tv_nsec);
}

int record_program(const TraceOptions& options, const std::string& output) {
  const Configuration checked(options.configuration);
  std::string program = fs::absolute(options.input);
  const WorkFolder work;
  if (fs::path(program).extension() == ".cu") {
    const std::string executable = work.path() / "program";
    if (compile_once(program, executable, false) != 0) return 2;
    program = executable;
  } else if (const std::string why = why_no_program(options.input); !why.empty()) {
    throw UserError(why);
  }
  check_output(output);
  Environment environment;
  environment.config = options.configuration.file();
  environment.assignments = options.configuration.assignments;
  environment.record = output;
  const std::string before = stamp_of(output);
  Process process;
  process.argv = {program};
  process.argv.insert(process.argv.end(), options.arguments.begin(), options.arguments.end());
  process.environment = environment.variables();
  const int status = run_process(process);
  const bool tells = !fs::exists(output) || fs::is_regular_file(output);
  if (status == 0 && tells && stamp_of(output) == before)
    throw UserError(options.input + ": ran without a CUDA call (was it built by `warpmem cc`?)");
  return status;
}

/// Returns the name of the folder or file without what comes after its first dot.
std::string default_name(const std::string& input) {
  fs::path path(input);
  if (!path.has_filename()) path = path.parent_path();
  const std::string name = path.filename();
  return name.substr(0, name.find('.', 1));
}

void check_input(const TraceOptions& options) {
  if (!fs::exists(options.input))
    throw UserError(options.input +
                    ": no such file; give a .cu file, a program built by `warpmem cc` or a trace");
  if (trace::is_trace(options.input) && !options.arguments.empty())
    throw UserError(options.input + ": a trace takes no arguments");
}

std::vector<fs::path> inputs_of_trace_command(const TraceOptions& options) {
  if (trace::is_trace(options.input)) return trace::files_of_trace(options.input);
  std::vector<fs::path> files = options.configuration.files();
  files.emplace_back(options.input);
  return files;
}

int convert(const TraceOptions& options) {
  check_input(options);
  const std::string output = fs::absolute(
      options.output.empty() ? default_name(options.input) + ".wmtrace" : options.output);
  check_apart({output}, inputs_of_trace_command(options));
  if (!trace::is_trace(options.input)) return record_program(options, output);
  copy_trace(options.input, output);
  return 0;
}

int export_trace(const TraceOptions& options) {
  check_input(options);
  std::string input = options.input;
  const WorkFolder work;
  if (!trace::is_trace(input)) {  // its registers are numbered once all of it is known
    input = work.path() / (default_name(options.input) + ".wmtrace");
    if (const int status = record_program(options, input); status != 0) return status;
  }
  trace::AccelsimExport how;
  how.architecture = options.architecture;
  how.compressed = options.compressed;
  if (isatty(STDERR_FILENO) != 0)
    how.each_launch = [](std::uint64_t launches) {
      fmt::print(stderr, "\r\033[K{} launches", launches);
    };
  const std::vector<std::string> notes = trace::export_accelsim(input, options.output, how);
  if (how.each_launch) fmt::print(stderr, "\r\033[K");
  for (const std::string& note : notes) fmt::print(stderr, "warpmem: note: {}\n", as_line(note));
  return 0;
}

nlohmann::ordered_json to_json(const trace::Summary& s) {
  nlohmann::ordered_json out;
  const auto dim = [](program::Dim3 d) { return std::array<std::uint32_t, 3>{d.x, d.y, d.z}; };
  out["kernels"] = nlohmann::ordered_json::array();
  for (const trace::KernelSummary& k : s.kernels)
    out["kernels"].push_back({{"name", k.name},
                              {"grid", dim(k.grid)},
                              {"block", dim(k.block)},
                              {"warp_instructions", k.warp_instructions},
                              {"thread_instructions", k.thread_instructions}});
  out["warp_instructions"] = s.warp_instructions;
  out["thread_instructions"] = s.thread_instructions;
  out["allocated_bytes"] = s.allocated_bytes;
  out["footprint_bytes"] = s.footprint_lines.size() * trace::Summary::kLineBytes;
  for (std::size_t c = 0; c < program::kOpClasses; ++c)
    out["by_class"][trace::name_of(static_cast<program::OpClass>(c))] = s.by_class[c];
  out["by_mnemonic"] = nlohmann::ordered_json::array();
  for (const auto& [key, count] : s.by_mnemonic)
    out["by_mnemonic"].push_back({{"mnemonic", std::get<0>(key)},
                                  {"class", trace::name_of(std::get<1>(key))},
                                  {"space", trace::name_of(std::get<2>(key))},
                                  {"count", count}});
  for (std::size_t n = 1; n < s.degree.size(); ++n)
    if (s.degree[n] != 0) out["lines_an_access"][std::to_string(n)] = s.degree[n];
  out["notes"] = s.notes;
  return out;
}

void print(const trace::Summary& s) {
  for (std::size_t i = 0; i < s.kernels.size(); ++i) {
    const trace::KernelSummary& k = s.kernels[i];
    fmt::print("{} {}: grid {}x{}x{}, block {}x{}x{}, {} warp and {} thread instructions\n", i + 1,
               shown(k.name), k.grid.x, k.grid.y, k.grid.z, k.block.x, k.block.y, k.block.z,
               k.warp_instructions, k.thread_instructions);
  }
  fmt::print("total: {} launches, {} warp and {} thread instructions\n", s.kernels.size(),
             s.warp_instructions, s.thread_instructions);
  fmt::print("memory: {} bytes allocated, {} bytes touched in lines of {}\n", s.allocated_bytes,
             s.footprint_lines.size() * trace::Summary::kLineBytes, trace::Summary::kLineBytes);
  fmt::print("lines a global access:");
  for (std::size_t n = 1; n < s.degree.size(); ++n)
    if (s.degree[n] != 0) fmt::print(" {}: {}", n, s.degree[n]);
  fmt::print("\n{:<32} {:<8} {:<8} {:>14}\n", "mnemonic", "class", "space", "count");
  for (const auto& [key, count] : s.by_mnemonic)
    fmt::print("{:<32} {:<8} {:<8} {:>14}\n", shown(std::get<0>(key)),
               trace::name_of(std::get<1>(key)), trace::name_of(std::get<2>(key)), count);
  for (const std::string& note : s.notes) fmt::print("note: {}\n", as_line(note));
}

void info(const TraceOptions& options) {
  check_apart({options.json}, trace::files_of_trace(options.input));
  const auto reader = trace::open_trace(options.input);
  const trace::Summary summary = trace::summarize(*reader);
  print(summary);
  if (!options.json.empty()) write_text(options.json, json_text(to_json(summary)));
}

}  // namespace

void add_trace(CLI::App& app, int& status) {
  auto options = std::make_shared<TraceOptions>();
  CLI::App* command = app.add_subcommand("trace", "record programs, look into traces");
  command->require_subcommand(1);
  CLI::App* to = command->add_subcommand("convert", "write a trace (.wmtrace)");
  add_configuration_options(*to, options->configuration);
  to->add_option("-o,--out", options->output, "the trace (default: INPUT's name with .wmtrace)");
  to->add_option("INPUT", options->input, "a .cu file, a program built by `warpmem cc`, or a trace")
      ->required();
  to->add_option("ARGS", options->arguments, "the program's arguments, after --");
  to->callback([options, &status] { status = convert(*options); });
  CLI::App* out = command->add_subcommand("export", "write a trace that other simulators read");
  add_configuration_options(*out, options->configuration);
  out->add_option("--format", options->format, "kernelslist.g and a trace of each launch")
      ->check(CLI::IsMember({"accelsim"}))
      ->capture_default_str();
  out->add_option("-o,--out", options->output, "the folder, new or empty")->required();
  out->add_option("--arch", options->architecture, "whose SASS names the trace has: sm_NN")
      ->check(CLI::IsMember({70, 75, 80, 86, 90}))
      ->capture_default_str();
  out->add_flag("--xz", options->compressed, "compress the trace of each launch");
  out->add_option("INPUT", options->input,
                  "a .cu file, a program built by `warpmem cc`, or a trace")
      ->required();
  out->add_option("ARGS", options->arguments, "the program's arguments, after --");
  out->callback([options, &status] { status = export_trace(*options); });
  CLI::App* look = command->add_subcommand("info", "what a trace holds");
  look->add_option("TRACE", options->input,
                   "a folder, kernelslist.g, .traceg, .traceg.xz or .wmtrace")
      ->required();
  look->add_option("--json", options->json, "also write it to FILE");
  look->callback([options] { info(*options); });
}

}  // namespace warpmem::app
