// SPDX-License-Identifier: Apache-2.0
// warpmem synth: area, timing and power of an RTL unit; of a memory macro; of miss handlers over
// their size.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <map>
#include <memory>

#include "app/commands.hpp"
#include "app/configured_handlers.hpp"
#include "app/own_units.hpp"
#include "app/places.hpp"
#include "app/rtl_parameter.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"
#include "synth/hand_off.hpp"
#include "synth/macro_model.hpp"
#include "synth/scaling.hpp"
#include "synth/synth.hpp"

namespace warpmem::app {

namespace {

struct SynthOptions {
  ConfigurationOptions configuration;
  bool configured = false;
  std::string unit;
  std::vector<std::string> parameters;
  std::string liberty;
  double node_nm = 0;
  std::string json;
  std::string activity_file;
  std::string macro;
  bool scaling = false;
  unsigned check_entries = 0;
  bool no_cache = false;
  bool keep_hierarchy = false;
  bool storage_outside = false;
  double target_period_ns = 0;
  std::string netlist, verilog;
  std::vector<std::string> own_rtl;
};

/// Returns what writes a line before each step, on a terminal.
std::function<void(const std::string&)> progress() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [](const std::string& step) { fmt::print(stderr, "{}\n", step); };
}

std::map<std::string, std::string> parameters_of(const SynthOptions& options) {
  std::map<std::string, std::string> parameters;
  for (const std::string& assignment : options.parameters) {
    const auto [name, value] = rtl_number(assignment);
    parameters[name] = value;
  }
  return parameters;
}

double node_of(const SynthOptions& options) {
  if (options.node_nm > 0) return options.node_nm;
  if (options.liberty.empty()) return 180;
  throw UserError("--node: the feature size of " + options.liberty + " in nm is needed for macros");
}

void write_json(const SynthOptions& options, const nlohmann::json& document) {
  if (!options.json.empty()) write_text(options.json, json_text(document));
}

void estimate_macro(const SynthOptions& options) {
  if (!options.unit.empty()) throw UserError("--macro: a memory, and no UNIT");
  std::map<std::string, std::uint64_t> sizes = {{"WORDS", 0}, {"BITS", 0}, {"PORTS", 1}};
  for (const auto& [name, text] : parameters_of(options)) {
    const auto size = sizes.find(name);
    if (size == sizes.end())
      throw UserError(
          fmt::format("--macro has no parameter '{}'; parameters: BITS, PORTS, WORDS", name));
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, size->second);
    const std::uint64_t most = name == "PORTS" ? 16 : 1u << 24;
    if (error != std::errc() || stop != end || size->second < 1 || size->second > most)
      throw UserError(fmt::format("-p {}={}: an integer from 1 to {} is needed", name, text, most));
  }
  for (const auto& [name, value] : sizes)
    if (value == 0) throw UserError(fmt::format("--macro needs -p {}=...", name));
  const bool cam = options.macro == "cam";
  const synth::Macro macro{cam ? synth::MacroKind::cam : synth::MacroKind::sram, sizes["WORDS"],
                           sizes["BITS"], static_cast<unsigned>(sizes["PORTS"])};
  const synth::MacroProcess process = synth::macro_process(options.liberty, node_of(options));
  const synth::MacroCost cost = synth::cost_of(macro, process);
  fmt::print(
      "{} macro of {} words of {} bits, {} ports, at {:.0f} nm and {:.2f} V (estimated by "
      "docs/synthesis.md, not synthesized)\n"
      "  area    {:.1f} um^2\n  access  {:.3f} ns\n  read    {:.4g} pJ, write {:.4g} pJ{}\n"
      "  leakage {:.4g} uW\n",
      options.macro, macro.words, macro.bits, macro.ports, process.node_nm, process.voltage,
      cost.area_um2, cost.access_ns, cost.read_pj, cost.write_pj,
      cam ? fmt::format(", search {:.4g} pJ", cost.search_pj) : "", 1e-3 * cost.leakage_nw);
  write_json(options, {{"macro", options.macro},
                       {"words", macro.words},
                       {"bits", macro.bits},
                       {"ports", macro.ports},
                       {"node_nm", process.node_nm},
                       {"voltage", process.voltage},
                       {"area_um2", cost.area_um2},
                       {"access_ns", cost.access_ns},
                       {"read_pj", cost.read_pj},
                       {"write_pj", cost.write_pj},
                       {"search_pj", cost.search_pj},
                       {"leakage_nw", cost.leakage_nw},
                       {"estimated", true}});
}

synth::MissHandlerOptions handler_options(const SynthOptions& options) {
  synth::MissHandlerOptions handler;
  handler.rtl_root = places().rtl;
  handler.liberty = options.liberty;
  handler.node_nm = node_of(options);
  handler.progress = progress();
  return handler;
}

void synthesize_configured(const SynthOptions& options) {
  if (!options.unit.empty() || !options.parameters.empty())
    throw UserError("--configured: the machine says which units and sizes; no UNIT and no -p");
  const synth::MissHandlerOptions how = handler_options(options);
  const std::vector<ConfiguredHandler> handlers =
      configured_handlers(Configuration(options.configuration));
  std::vector<synth::MissHandlerCost> costs;
  for (const ConfiguredHandler& handler : handlers)
    costs.push_back(synth::cost_of(handler.design, how));
  fmt::print("{}", table(handlers, costs));
  write_json(options, to_json(handlers, costs, how));
}

void scale(const SynthOptions& options) {
  std::vector<std::string> kinds;
  if (!options.unit.empty()) kinds.push_back(options.unit);
  if (!options.parameters.empty())
    throw UserError("--scaling: sizes are fixed; -p has no meaning here");
  const synth::MissHandlerOptions handler = handler_options(options);
  const synth::Scaling scaling = synth::scaling(kinds, options.check_entries, handler);
  fmt::print("{}", synth::table(scaling));
  write_json(options, synth::to_json(scaling));
}

void check_synth_outputs(const SynthOptions& options) {
  std::vector<std::filesystem::path> inputs = own_rtl_files(options.own_rtl);
  const std::vector<std::filesystem::path> machine = options.configuration.files();
  inputs.insert(inputs.end(), machine.begin(), machine.end());
  inputs.insert(inputs.end(), {options.liberty, options.activity_file});
  std::vector<std::filesystem::path> outputs = {options.json, options.verilog};
  if (!options.netlist.empty())
    for (const char* const end : {".v", "_cells.v", ".sdc", ".sdf"})
      outputs.push_back(std::filesystem::path(options.netlist) / (options.unit + end));
  check_apart(outputs, inputs);
  for (const std::string& file : {options.json, options.verilog})
    if (!file.empty()) check_output(file);
}

void synthesize(const SynthOptions& options) {
  if (options.unit.empty()) throw UserError("UNIT: name one; `warpmem list units` lists them");
  if (options.node_nm > 0 && !options.storage_outside)
    throw UserError(
        "--node: the feature size is for memory macros, and this unit is synthesized with its "
        "storage; allowed with --storage-outside, --macro, --scaling and --configured");
  synth::SynthRequest request;
  request.unit = options.unit;
  request.params = parameters_of(options);
  if (options.own_rtl.empty()) check_rtl_limits(options.unit, request.params);
  request.rtl_root = places().rtl;
  request.own = checked_own_rtl(options.own_rtl, options.unit);
  request.liberty = options.liberty;
  request.activity_file = options.activity_file;
  request.use_cache = !options.no_cache;
  request.keep_hierarchy = options.keep_hierarchy;
  request.storage_outside = options.storage_outside;
  request.target_period_ns = options.target_period_ns;
  request.netlist_dir = options.netlist;
  request.progress = progress();
  if (!options.verilog.empty()) return synth::export_verilog(request, options.verilog);
  const synth::SynthResult result = synth::run(request);
  const bool known = options.node_nm > 0 || options.liberty.empty();  // else no macro is estimated
  const double node_nm = known ? node_of(options) : 0;
  fmt::print("{}", synth::table(result, node_nm));
  write_json(options, synth::to_json(result, node_nm));
}

}  // namespace

void add_synth(CLI::App& app, int&) {
  auto options = std::make_shared<SynthOptions>();
  CLI::App* command = app.add_subcommand("synth", "area, timing and power of an RTL unit");
  command->add_option("UNIT", options->unit,
                      "unit (see `warpmem list units`); with --scaling a miss handler: "
                      "conventional, set_assoc, dl, tsma, htsma (default: all)");
  command
      ->add_option("-p,--param", options->parameters, "RTL parameter, NAME=VALUE; may be repeated")
      ->allow_extra_args(false);
  CLI::Option* own = add_own_rtl(*command, options->own_rtl);
  command->add_option("--lib", options->liberty,
                      "standard-cell library, .lib or .lib.gz (default: osu018 of Debian)");
  command
      ->add_option("--node", options->node_nm,
                   "feature size of --lib in nm, for macros (osu018: 180)")
      ->check(CLI::Range(1.0, 1000.0));
  CLI::Option* json = command->add_option("--json", options->json, "also write the result to FILE");
  CLI::Option* activity =
      command
          ->add_option("--activity", options->activity_file,
                       "transitions measured by `warpmem cosim UNIT --toggles FILE`, for the power "
                       "(default: every net 0.1 a cycle)")
          ->check(CLI::ExistingFile);
  command->add_flag("--no-cache", options->no_cache, "synthesize even if the result is known");
  CLI::Option* hierarchy =
      command->add_flag("--keep-hierarchy", options->keep_hierarchy, "area by module");
  CLI::Option* storage = command->add_flag("--storage-outside", options->storage_outside,
                                           "leave the slots out, as where they are a memory macro");
  CLI::Option* period =
      command
          ->add_option(
              "--target-period", options->target_period_ns,
              "map for a clock of so many ns and tell the slack (default: a sweep of delay "
              "targets)")
          ->type_name("NS")
          ->check(CLI::Range(0.001, 1000.0));
  CLI::Option* netlist =
      command
          ->add_option("--netlist", options->netlist,
                       "also write the netlist, a simulation model of its cells, SDC and SDF into "
                       "FOLDER")
          ->type_name("FOLDER");
  CLI::Option* verilog =
      command
          ->add_option("--export-verilog", options->verilog,
                       "only write the unit at its parameters to FILE as Verilog-2005")
          ->type_name("FILE");
  CLI::Option* macro =
      command
          ->add_option(
              "--macro", options->macro,
              "estimate a memory instead of a unit: sram or cam, of -p WORDS= BITS= PORTS=")
          ->check(CLI::IsMember({"sram", "cam"}));
  CLI::Option* scaling =
      command->add_flag("--scaling", options->scaling, "whole miss handlers of 8 to 256 entries");
  command
      ->add_option("--check", options->check_entries,
                   "with --scaling: also synthesize this size, above 32, and compare it with the "
                   "law of the large ones")
      ->check(CLI::Range(33, 256))
      ->needs(scaling);
  CLI::Option* configured =
      command->add_flag("--configured", options->configured,
                        "the miss handlers of L1D and L2 as a machine (-c, --set) has them");
  add_configuration_options(*command, options->configuration);
  for (const char* of_a_machine : {"--config", "--set"})
    command->get_option(of_a_machine)->needs(configured);
  macro->excludes(scaling)->excludes(configured);
  scaling->excludes(configured);
  for (CLI::Option* of_a_unit : {period, netlist, verilog, activity, hierarchy, storage})
    of_a_unit->excludes(configured);
  for (CLI::Option* of_a_unit : {period, netlist, verilog})
    of_a_unit->excludes(macro)->excludes(scaling);
  for (CLI::Option* of_a_result : {json, activity, hierarchy, storage, period, netlist})
    verilog->excludes(of_a_result);
  own->excludes(macro)->excludes(scaling)->excludes(configured);
  command->callback([options] {
    check_synth_outputs(*options);
    if (!options->macro.empty()) return estimate_macro(*options);
    if (options->scaling) return scale(*options);
    if (options->configured) return synthesize_configured(*options);
    synthesize(*options);
  });
}

}  // namespace warpmem::app
