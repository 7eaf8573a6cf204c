// SPDX-License-Identifier: Apache-2.0
// warpmem run: compile if need be, run on the machine, say what came of it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "app/catalogue.hpp"
#include "app/commands.hpp"
#include "app/configuration.hpp"
#include "app/earlier_results.hpp"
#include "app/environment.hpp"
#include "app/kept_program.hpp"
#include "app/kernel_selection.hpp"
#include "app/named.hpp"
#include "app/observe_options.hpp"
#include "app/own_units.hpp"
#include "app/run_directory.hpp"
#include "app/trace_run.hpp"
#include "app/user_program.hpp"
#include "app/view_comparison.hpp"
#include "app/wave_options.hpp"
#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "cosim/unit_recording.hpp"
#include "cosim/unit_waves.hpp"
#include "files/stats_json.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::app {

namespace {

namespace fs = std::filesystem;

struct RunOptions {
  ConfigurationOptions configuration;
  std::string program;
  std::string named;  ///< the program as the user named it
  std::vector<std::string> arguments;
  std::string size;
  std::string run_dir;
  std::string json;
  std::string kernels, ctas;
  bool functional = false;
  bool forgive_out_of_range = false;
  bool compile_anew = false;
  bool tick_all = false;
  bool table = false;
  bool compare_views = false;
  std::vector<std::string> record_units;
  WaveOptions waves;
  ObserveOptions observe;
  std::vector<std::string> observations;  // lines for parse_observations()
  std::vector<std::string> own_rtl;
};

/// Returns the command that such a run is, but for where its results go.
std::vector<std::string> command_words(const RunOptions& options) {
  std::vector<std::string> words = {"warpmem", "run"};
  const auto add = [&words](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  const auto add_unless_empty = [&add](const char* option, const std::string& value) {
    if (!value.empty()) add(option, value);
  };
  const auto add_all = [&add](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) add(option, value);
  };
  const ObserveOptions& observe = options.observe;
  add_unless_empty("-c", options.configuration.machine);
  add_all("--set", options.configuration.assignments);
  if (options.functional) words.emplace_back("--functional");
  if (options.forgive_out_of_range) words.emplace_back("--forgive-out-of-range");
  if (options.tick_all) words.emplace_back("--tick-all");
  add_unless_empty("--kernels", options.kernels);
  add_unless_empty("--ctas", options.ctas);
  add_all("--rtl", options.own_rtl);
  add_all("--record-unit", options.record_units);
  add_all("--waves", options.waves.waves);
  add_unless_empty("--timeline", observe.timeline);
  add_unless_empty("--sample", observe.sample);
  add_unless_empty("--sm", observe.sms);
  if (options.waves.from) add("--from-cycle", fmt::to_string(*options.waves.from));
  if (options.waves.to) add("--to-cycle", fmt::to_string(*options.waves.to));
  if (observe.per_pc) words.emplace_back("--per-pc");
  if (observe.per_instance) words.emplace_back("--per-instance");
  if (observe.series) words.emplace_back("--series");
  add_unless_empty("--interval", observe.interval);
  words.push_back(options.named);
  if (!options.arguments.empty()) words.emplace_back("--");
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  return words;
}

std::string command_line(const RunOptions& options) {
  std::string text;
  for (const std::string& word : command_words(options))
    text += (text.empty() ? "" : " ") + shell_quoted(word);
  return text;
}

/// Number of launches in the results, where kernels that ran together are one row.
std::size_t launches_in(const nlohmann::json& stats) {
  std::size_t sum = 0;
  for (const auto& row : stats["kernels"])
    sum += row.contains("together") ? row["together"].size() : 1;
  return sum;
}

/// The total of a statistic in stats.csv, whose first line has the names and whose last one the
/// totals; 0 when it is not there.
double total_of(const std::string& csv, std::string_view name) {
  const std::string_view text = csv;
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string_view::npos) return 0;
  std::string_view names = text.substr(0, text.find('\n'));
  std::string_view totals = text.substr(0, end + 1);
  totals.remove_prefix(totals.rfind('\n') + 1);
  const auto take = [](std::string_view& line) {
    const std::size_t comma = std::min(line.find(','), line.size());
    const std::string_view cell = line.substr(0, comma);
    line.remove_prefix(std::min(comma + 1, line.size()));
    return cell;
  };
  while (!names.empty() && !totals.empty()) {
    const std::string_view cell = take(names), value = take(totals);
    if (cell == name) return value.empty() ? 0 : std::stod(std::string(value));
  }
  return 0;
}

// Prints a few lines on standard error; the program's standard output stays its own. It is said
// from the smallest of the files, as reading stats.json takes as long as a small launch.
void summarize(const fs::path& run_dir) {
  const auto manifest = read_totals(run_dir / "manifest.json");
  if (!manifest.is_object()) return;
  const std::string csv = read_text(run_dir / "stats.csv");
  fmt::print(stderr, "warpmem: {} kernel launches, {:.0f} cycles, IPC {:.2f}, L1D hits {:.1f} %\n",
             manifest.value("timed_launches", 0), total_of(csv, "gpu.cycles"),
             total_of(csv, "gpu.ipc"), 100 * total_of(csv, "l1d.hit_rate"));
  fmt::print(stderr,
             "warpmem: simulated {:.0f} warp instructions in {:.2f} s: {:.0f} k/s, {:.0f} kHz\n",
             manifest.value("warp_instructions", 0.0), manifest.value("wall_seconds", 0.0),
             manifest.value("warp_instructions_per_second", 0.0) / 1000,
             manifest.value("kilocycles_per_second", 0.0));
  fmt::print(stderr, "warpmem: results in {}\n", run_dir.string());
}

/// Says that the program was ended by a signal.
void say_signal(const RunOptions& options, const Environment& environment, int signal) {
  std::string kept = "no results were written";
  const auto stats = read_totals(environment.run_dir + "/stats.json");
  if (stats.is_object())
    kept = fmt::format("launches that had finished: {}; their results are in {}",
                       launches_in(stats), environment.run_dir);
  else if (options.functional)
    kept = "--functional writes no results";
  fmt::print(stderr, "warpmem: error: {}: ended by {}; {}\n", options.program, signal_text(signal),
             kept);
}

/// This is what is said and copied once the program has ended.
int finish(const RunOptions& options, const Environment& environment, int status) {
  const std::string results =
      options.functional ? environment.functional_json : environment.run_dir + "/stats.json";
  const bool there = fs::exists(results);
  if (status == 0 && !results.empty() && !there)
    throw UserError(options.program +
                    ": ran without launching a kernel on warpmem (was it built by `warpmem cc`?)");
  if (status == 0 && !options.functional) summarize(environment.run_dir);
  if (options.table && there) fmt::print("{}", read_text(environment.run_dir + "/stats.txt"));
  if (!options.json.empty() && there) write_text(options.json, read_text(results));
  return status;
}

/// Every file that a run is made from.
std::vector<fs::path> inputs_of_run(const RunOptions& options, const Config& config) {
  std::vector<fs::path> inputs(config.files().begin(), config.files().end());
  const auto add = [&inputs](const std::vector<fs::path>& files) {
    inputs.insert(inputs.end(), files.begin(), files.end());
  };
  inputs.emplace_back(options.program);
  if (program::trace::is_trace(options.program))
    add(program::trace::files_of_trace(options.program));
  add(own_rtl_files(options.own_rtl));
  return inputs;
}

/// Those of the run directory, and what options name, replace neither each other nor an input. What
/// options name can be written.
void check_named_outputs(const RunOptions& options, const Config& config,
                         std::vector<fs::path> outputs) {
  std::vector<fs::path> named = {options.json, options.observe.timeline};
  for (const std::string& text : options.record_units)
    named.push_back(cosim::parse_recording(text).file);
  for (const std::string& text : options.waves.waves)
    named.push_back(cosim::parse_waves(text).file);
  outputs.insert(outputs.end(), named.begin(), named.end());
  check_apart(outputs, inputs_of_run(options, config));
  for (const fs::path& file : named)
    if (!file.empty()) check_output(file);
}

/// Throws UserError for what is no program, and for options that it does not have.
void check_program(const RunOptions& options) {
  const bool source = fs::path(options.program).extension() == ".cu";
  if (options.compile_anew && !source)
    throw UserError("--no-cache compiles a .cu file anew; " + options.program + " is none");
  if (program::trace::is_trace(options.program)) {
    if (!options.arguments.empty())
      throw UserError(options.program + ": a trace takes no arguments");
    if (options.forgive_out_of_range)
      throw UserError(options.program +
                      ": --forgive-out-of-range is for programs; a trace holds what was accessed");
  } else if (const std::string why = source ? "" : why_no_program(options.program); !why.empty()) {
    throw UserError(why);
  }
}

int run_once(RunOptions& options) {
  // Everything wrong with the options is said here, before anything is compiled or elaborated.
  if (options.tick_all) options.configuration.assignments.emplace_back("tick_all=true");
  const Configuration checked(options.configuration);
  static_cast<void>(KernelSelection(options.kernels));
  parse_cta_limit(options.ctas);
  if (options.functional && (!options.kernels.empty() || !options.ctas.empty()))
    throw UserError("--kernels and --ctas need a timed run; leave out --functional");
  if (options.functional && options.tick_all)
    throw UserError("--tick-all needs a timed run; leave out --functional");
  if (options.functional && options.table)
    throw UserError("--table needs a timed run; leave out --functional");
  // These travel to the program as lines.
  for (const auto* texts : {&options.configuration.assignments, &options.record_units,
                            &options.waves.waves, &options.own_rtl, &options.observations})
    for (const std::string& text : *texts)
      if (text.find('\n') != std::string::npos)
        throw UserError(as_line(text) + ": a line break is not allowed here");

  fs::path named = fs::path(options.program).lexically_normal();
  if (!named.has_filename()) named = named.parent_path();  // a folder with a slash at its end
  const std::string stem = named.stem().string();
  Environment environment;
  environment.config = options.configuration.file();
  environment.assignments = options.configuration.assignments;
  environment.run_dir = fs::absolute(options.run_dir.empty() ? "runs/" + stem : options.run_dir);
  environment.run_dir_is_new = true;  // what is there is put aside below
  environment.functional = options.functional;
  environment.forgive_out_of_range = options.forgive_out_of_range;
  environment.kernels = options.kernels;
  environment.ctas = options.ctas;
  environment.unit_recordings = options.record_units;
  environment.waves = options.waves.waves;
  if (!environment.waves.empty()) environment.wave_cycles = wave_cycles(options.waves);
  environment.observations = options.observations;
  for (const std::string& path : options.own_rtl)
    environment.own_rtl.push_back(fs::absolute(path).string());
  environment.command = command_line(options);
  environment.progress = true;
  std::vector<fs::path> own_outputs;
  for (const std::string& name : run_directory_files())
    own_outputs.push_back(fs::path(environment.run_dir) / name);
  check_named_outputs(options, checked.config(), own_outputs);
  if (options.functional && !options.json.empty())
    environment.functional_json = environment.run_dir + "/functional.json";

  std::string program = fs::absolute(options.program);
  std::optional<EarlierResults> earlier;
  {
    const RunDirectory ours(environment.run_dir, false);
    if (fs::path(program).extension() == ".cu") {
      const std::string executable = environment.run_dir + "/" + stem;
      if (compile_once(program, executable, options.compile_anew) != 0)
        return 2;  // the compile driver has said why
      program = executable;
    }
    earlier.emplace(own_outputs);
  }
  if (program::trace::is_trace(options.program)) {
    run_trace(options.program, environment, checked.params().check_data);
    return finish(options, environment, 0);
  }
  std::vector<std::string> words = {program};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  const ProgramEnd end = run_user_program(words, environment.variables());
  if (end.signal != 0) say_signal(options, environment, end.signal);
  return finish(options, environment, end.status);
}

/// Makes the run of a trace in a process of its own, since a process has one machine in its life.
/// Returns its exit status.
int run_trace_apart(const RunOptions& options) {
  std::vector<std::string> words = command_words(options);
  words.front() = fs::read_symlink("/proc/self/exe").string();
  words.insert(words.begin() + 2, {"-o", options.run_dir});
  const ProgramEnd end = run_user_program(words, {});
  if (end.signal != 0)
    fmt::print(stderr, "warpmem: error: {}: ended by {}\n", options.program,
               signal_text(end.signal));
  return end.status;
}

/// Makes a run with each view of all units in use, in folders below the run directory. Returns the
/// exit status: 3 when the statistics differ.
int compare_views(const RunOptions& options) {
  if (options.functional)
    throw UserError("--compare-views needs a timed run; leave out --functional");
  if (!options.record_units.empty() || !options.waves.waves.empty())
    throw UserError("--compare-views makes four runs; leave out --record-unit and --waves");
  if (!options.observe.timeline.empty())
    throw UserError("--compare-views makes four runs; leave out --timeline");
  const Configuration checked(options.configuration);
  check_named_outputs(options, checked.config(), {});
  const std::vector<std::string> keys = view_keys(checked);
  const fs::path root = options.run_dir.empty()
                            ? "runs/" + fs::path(options.program).stem().string()
                            : options.run_dir;
  std::vector<ViewRun> runs;
  for (const char* const view : kViewNames) {
    RunOptions one = options;
    one.json.clear();
    one.table = false;
    one.run_dir = (root / view).string();
    for (const std::string& key : keys)
      one.configuration.assignments.push_back(fmt::format("{}={}", key, view));
    const bool trace = program::trace::is_trace(options.program);
    if (const int status = trace ? run_trace_apart(one) : run_once(one); status != 0) return status;
    runs.push_back(read_view_run(view, one.run_dir));
  }
  fmt::print(stderr, "{}", view_table(keys, runs));
  if (!options.json.empty() && identical(runs)) write_text(options.json, runs.front().statistics);
  return identical(runs) ? 0 : 3;
}

/// Units that are recorded need pins. Their statistics are those of the class.
void give_pins(RunOptions& options) {
  const Configuration configuration(options.configuration);
  const std::vector<std::string> keys = view_keys(configuration);
  for (std::string& text : options.record_units) {
    const cosim::RecordingRequest request = cosim::parse_recording(text);
    std::set<std::string> units;
    for (const std::string& key : keys) {
      units.insert(unit_of(configuration, key));
      if (unit_of(configuration, key) != request.unit) continue;
      if (configuration.config().schema().find(key)->get() == "class")
        options.configuration.assignments.push_back(key + "=core");
    }
    if (units.count(request.unit) == 0)
      throw UserError(fmt::format("--record-unit: this configuration has no {}; it has {}",
                                  request.unit, fmt::join(units, ", ")));
    text = fmt::format("{}:{}={}", request.unit, request.instance,
                       fs::absolute(request.file).string());
  }
}

/// A workload of the catalogue may stand for its file, and a size for its arguments.
void find_program(RunOptions& options) {
  options.named = options.program;
  if (fs::exists(options.program)) {
    if (!options.size.empty())
      throw UserError("--size chooses the arguments of a workload of `warpmem list workloads`; " +
                      options.program + " is a file");
    return;
  }
  const NamedProgram found = workload(options.program, options.size);
  if (!options.size.empty() && !options.arguments.empty())
    throw UserError("--size: the arguments after -- say the size");
  options.program = found.file;
  if (!options.arguments.empty()) return;
  options.arguments = found.arguments;
  fmt::print(stderr, "warpmem: {}, size {}: {}\n", options.named,
             options.size.empty() ? "small" : options.size, fmt::join(found.arguments, " "));
}

int run(RunOptions& options) {
  if (!options.own_rtl.empty()) {
    if (options.functional) throw UserError("--rtl brings units of a timed run");
    checked_own_rtl(options.own_rtl,
                    units_in_rtl(Configuration(options.configuration), options.compare_views));
  }
  if (!options.record_units.empty()) {
    if (options.functional) throw UserError("--record-unit records units of a timed run");
    give_pins(options);
  }
  if (options.functional && !options.waves.waves.empty())
    throw UserError("--waves records units of a timed run");
  if (options.functional && options.observe.any())
    throw UserError(
        "--timeline, --per-pc, --per-instance and --series show a timed run; nothing is timed with "
        "--functional");
  options.observations = checked_observations(
      options.observe, options.waves, Configuration(options.configuration).params().sm_count);
  const bool shared = !options.observe.timeline.empty();
  for (std::string& assignment : checked_waves(options.waves, options.configuration, shared))
    options.configuration.assignments.push_back(std::move(assignment));
  find_program(options);  // what is wrong with the configuration has been said
  check_program(options);
  return options.compare_views ? compare_views(options) : run_once(options);
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "run a CUDA program or a trace on the machine");
  add_configuration_options(*command, options->configuration);
  command
      ->add_option("--size", options->size,
                   "arguments of a workload that goes by its name (default: small)")
      ->check(CLI::IsMember(kSizes));
  command->add_option("-o,--out", options->run_dir, "run directory (default: runs/PROGRAM)");
  command->add_option("--json", options->json,
                      "also copy the statistics to FILE; with --functional, what was counted");
  command->add_option("--kernels", options->kernels,
                      "time these launches, execute the others: 3-5,7,name=KERNEL");
  command->add_option("--ctas", options->ctas,
                      "time the first N CTAs of each timed launch, execute the others");
  command->add_flag("--functional", options->functional, "execute kernels without timing");
  command->add_flag("--forgive-out-of-range", options->forgive_out_of_range,
                    "loads of a kernel outside every allocation read 0, stores there are dropped; "
                    "a note counts them and names the first");
  command->add_flag("--no-cache", options->compile_anew,
                    "compile a .cu file even if its program is kept from an earlier run");
  command->add_flag("--tick-all", options->tick_all,
                    "tick every module at every clock edge; slower, same statistics");
  command->add_flag("--table", options->table, "print all statistics as a table");
  command
      ->add_option("--record-unit", options->record_units,
                   "record the inputs of one instance of a hardware unit, for `cosim --recorded`; "
                   "may be repeated (dau=dau.rec, dau:28=dau-of-l2.rec)")
      ->type_name("UNIT[:INSTANCE]=FILE")
      ->allow_extra_args(false);
  add_wave_options(*command, options->waves);
  add_observe_options(*command, options->observe);
  add_own_rtl(*command, options->own_rtl);
  command->add_flag("--compare-views", options->compare_views,
                    "run with the class, the SystemC and the RTL of all hardware units in use: the "
                    "statistics must be the same bytes; print the slowdown");
  command
      ->add_option("PROGRAM", options->program,
                   "a .cu file, a program built by `warpmem cc`, a trace, or a name of "
                   "`warpmem list workloads`")
      ->required();
  command->add_option("ARGS", options->arguments, "the program's arguments, after --");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace warpmem::app
