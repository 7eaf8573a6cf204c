// SPDX-License-Identifier: Apache-2.0
#include "synth/synth.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/errors.hpp"
#include "base/process.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "files/json_text.hpp"
#include "files/named_files.hpp"
#include "files/pattern.hpp"
#include "files/unit_sources.hpp"
#include "synth/cache.hpp"
#include "synth/hand_off.hpp"
#include "synth/measured_activity.hpp"
#include "synth/tools.hpp"
#include "synth/unit_parameters.hpp"

namespace warpmem::synth {
namespace {

namespace fs = std::filesystem;

/// The version changes whenever a script or an account does: older cached results are then not
/// used.
constexpr const char* kFlowVersion = "warpmem-synth 7";
constexpr const char* kDefaultLiberty = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";
constexpr double kRelaxedPs = 1e6;
constexpr double kTightPs = 1;
/// Above that many cells (minutes of abc a point) the sweep has only its two ends.
constexpr std::uint64_t kLargeCells = 20'000;

/// Calls `step` with the folder for scripts and logs: the wanted one, or a temporary one, which
/// stays only if the step fails.
template <class Step>
auto in_work_folder(const fs::path& wanted, Step&& step) {
  if (!wanted.empty()) {
    const fs::path folder = fs::absolute(wanted);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw UserError(fmt::format("{}: {}", folder.string(), error.message()));
    return step(folder);
  }
  WorkFolder temporary(temporary_folder() / "warpmem-synth-");
  try {
    return step(temporary.path());
  } catch (...) {
    temporary.keep();
    throw;
  }
}

fs::path liberty_file(const fs::path& wanted) {
  if (!wanted.empty()) {
    if (!fs::is_regular_file(wanted)) {
      throw UserError(fmt::format("{}: no such liberty file", wanted.string()));
    }
    return wanted;
  }
  if (!fs::exists(kDefaultLiberty)) {
    throw UserError(
        fmt::format("{} is missing: run 'apt-get install qflow-tech-osu018', or name "
                    "another library",
                    kDefaultLiberty));
  }
  return kDefaultLiberty;
}

void check_request(const SynthRequest& request) {
  Problems problems;
  static const Pattern kInteger("-?[0-9]+|[0-9]*'s?[bodh][0-9a-fA-F_]+");
  static const Pattern kName("[A-Za-z_][A-Za-z0-9_]*");
  for (const auto& [name, value] : request.params) {
    if (!kName.matches(name)) problems.add("parameter " + name, "not a Verilog name");
    if (!kInteger.matches(value)) {
      problems.add("parameter " + name, fmt::format("'{}' is not an integer", value));
    }
  }
  for (const double target : request.delay_targets_ps) {
    if (!(target >= kTightPs && target <= kRelaxedPs)) {
      problems.add("delay target",
                   fmt::format("{} ps is not in {} to {}", target, kTightPs, kRelaxedPs));
    }
  }
  if (!(request.activity >= 0 && request.activity <= 2)) {
    problems.add("activity",
                 fmt::format("{} is not in 0 to 2 transitions per cycle", request.activity));
  }
  if (request.storage_outside && request.keep_hierarchy) {
    problems.add("storage", "a unit without its storage is flattened: it has no area by module");
  }
  if (request.target_period_ns != 0 && !request.delay_targets_ps.empty())
    problems.add("target period", "delay targets are named, too");
  const double target_ps = 1e3 * request.target_period_ns;
  if (request.target_period_ns != 0 && !(target_ps >= kTightPs && target_ps <= kRelaxedPs)) {
    problems.add("target period", fmt::format("{} ns is not in {} to {}", request.target_period_ns,
                                              1e-3 * kTightPs, 1e-3 * kRelaxedPs));
  }
  problems.throw_if_any();
}

/// Only an array `slot_q` can be left out.
void check_storage(const SynthRequest& request, const UnitSources& sources) {
  if (!request.storage_outside || mentions(sources, "slot_q")) return;
  std::vector<std::string> with_slots;
  for (const auto& unit : list_units(sources.rtl_root)) {
    if (mentions(find_unit(sources.rtl_root, unit), "slot_q")) with_slots.push_back(unit);
  }
  throw UserError(fmt::format(
      "unit {} has no slots (slot_q) that could stand outside; units with slots: {}", request.unit,
      with_slots.empty() ? "none" : fmt::format("{}", fmt::join(with_slots, ", "))));
}

/// Makes the folder, so that one that cannot be there is told of before the work.
void check_netlist_folder(const fs::path& folder) {
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder) || access(folder.c_str(), W_OK) != 0)
    throw UserError(
        fmt::format("{}: not a folder that files can be written into", folder.string()));
}

std::string cache_key(const SynthRequest& request, const UnitSources& sources,
                      const std::string& library_text, const SynthResult& result) {
  Sha256 hash;
  for (const auto& field : {std::string(kFlowVersion), result.yosys_version, result.sta_version,
                            sources.unit, library_text, result.library_file}) {
    hash.add_field(field);
  }
  for (const auto& file : sources.files) hash.add_field(file.string());
  hash_with_named_files(hash, sources.rtl_root, sources.paths(), sources.folders());
  for (const auto& [name, value] : request.params) hash.add_field(name + "=" + value);
  if (request.storage_outside) hash.add_field("storage outside 3");
  if (request.target_period_ns != 0)
    hash.add_field(fmt::format("period {}", request.target_period_ns));
  if (!request.activity_file.empty()) {
    hash.add_field("transition density 2");
    hash.add_field(read_text(request.activity_file));
  }
  hash.add_field(fmt::format("{} {} {}", request.activity, request.keep_hierarchy,
                             fmt::join(request.delay_targets_ps, " ")));
  return hash.hex();
}

/// Returns nothing for an entry of the cache in which something is missing: it is made anew.
std::optional<SynthResult> kept_result(const nlohmann::json& document) try {
  return from_json(document);
} catch (const nlohmann::json::exception&) {
  return std::nullopt;
}

/// Writes lib.lib into the work folder, unpacked, and returns its text.
std::string unpack_library(const fs::path& file, const fs::path& work) {
  const fs::path plain = work / "lib.lib";
  if (file.extension() == ".gz") {
    const Process process{{"gzip", "-dc", fs::absolute(file)}, work, work / "gzip.log", plain};
    const int status = run_process(process);
    if (status == 1) throw UserError(fmt::format("{}: not a gzip file", file.string()));
    if (status != 0) throw UserError(fmt::format("{}: {}", file.string(), ending(process, status)));
  } else {
    write_text(plain, read_text(file));
  }
  return read_text(plain);
}

/// This is one netlist of the sweep.
struct Mapped {
  std::size_t index = 0;  ///< of its files
  SweepPoint point;
  NetlistUse use;
  std::vector<PathDelay> paths;
};

class Flow {
 public:
  Flow(const SynthRequest& request, const fs::path& work, const Liberty& library, Yosys yosys,
       const MeasuredActivity& measured)
      : request_(request),
        work_(work),
        library_(library),
        yosys_(std::move(yosys)),
        measured_(measured) {}

  std::vector<Mapped> sweep() {
    say("elaborate and optimise");
    ParameterValues changed;
    if (!request_.params.empty() || !measured_.parameters.empty()) {
      const ParameterValues defaults = yosys_.parameters();
      changed = changed_parameters(request_.unit, request_.params, defaults);
      check_size(measured_, request_.activity_file, request_.params, defaults);
    }
    slots_ = yosys_.prepare(changed, request_.keep_hierarchy, request_.storage_outside);
    std::vector<double> targets = request_.delay_targets_ps;
    if (request_.target_period_ns != 0) targets = {1e3 * request_.target_period_ns};
    const bool chosen = !targets.empty();
    if (!chosen) targets = {kTightPs, kRelaxedPs};
    for (const double target : targets) add(target);
    if (!chosen) {
      const double tight_ps = 1e3 * points_[0].point.period_ns;
      const double relaxed_ps = 1e3 * points_[1].point.period_ns;
      // Less than that is within the noise of abc's heuristics.
      if (relaxed_ps > 1.03 * tight_ps && cells_of(points_[0]) <= kLargeCells) {
        for (const double part : {1.0 / 3, 2.0 / 3}) {
          add(std::round(tight_ps + part * (relaxed_ps - tight_ps)));
        }
      }
    }
    std::sort(points_.begin(), points_.end(), [](const Mapped& a, const Mapped& b) {
      return a.point.target_ps < b.point.target_ps;
    });
    return std::move(points_);
  }

  const Yosys& yosys() const { return yosys_; }
  const std::vector<Macro>& slots() const { return slots_; }

 private:
  void say(const std::string& line) const {
    if (request_.progress) request_.progress(request_.unit + ": " + line);
  }

  void add(double target_ps) {
    const std::size_t index = points_.size();
    say(fmt::format("map {} for {} ps", index + 1, target_ps));
    const double area = yosys_.map(index, target_ps, library_);
    Mapped mapped;
    mapped.index = index;
    const auto netlist = parse_json(read_text(work_ / fmt::format("map{}.json", index)));
    mapped.use =
        account(netlist, request_.unit, library_, request_.activity, measured_.transitions);
    if (!measured_.transitions.empty() && mapped.use.register_bits != 0 &&
        mapped.use.activity.measured_registers == 0) {
      throw UserError(fmt::format("{}: it names no register of {}", request_.activity_file.string(),
                                  request_.unit));
    }
    const double sum = mapped.use.sequential_um2 + mapped.use.combinational_um2;
    if (std::abs(sum - area) > 1e-6 * std::max(sum, area) + 1e-6) {
      throw SimulationError(
          fmt::format("{}: Yosys adds the area up to {}, warpmem to {}", request_.unit, area, sum));
    }
    for (const auto& path : time_netlist(work_, index, request_.unit, library_)) {
      mapped.paths.push_back({path.kind, path.delay_ns, rtl_name(path.start, mapped.use),
                              rtl_name(path.end, mapped.use)});
    }
    std::stable_sort(mapped.paths.begin(), mapped.paths.end(),
                     [](const auto& a, const auto& b) { return a.delay_ns > b.delay_ns; });
    mapped.point = {target_ps, sum, mapped.paths.empty() ? 0 : mapped.paths[0].delay_ns};
    points_.push_back(std::move(mapped));
  }

  static std::uint64_t cells_of(const Mapped& mapped) {
    std::uint64_t count = 0;
    for (const auto& cell : mapped.use.cells) count += cell.count;
    return count;
  }

  /// Turns "g12_/D" into "state_q[3]", since cells have no names of their own after mapping.
  static std::string rtl_name(const std::string& pin, const NetlistUse& use) {
    const auto found = use.register_of.find(pin.substr(0, pin.rfind('/')));
    return found == use.register_of.end() ? pin : found->second;
  }

  const SynthRequest& request_;
  const fs::path& work_;
  const Liberty& library_;
  Yosys yosys_;
  const MeasuredActivity& measured_;
  std::vector<Mapped> points_;
  std::vector<Macro> slots_;
};

/// Returns the memories with their ports: the parameter STORAGE says what these are, and a unit
/// without it has one that writes and one that reads.
std::vector<SlotStorage> storage_of(const std::vector<Macro>& memories,
                                    const std::map<std::string, std::string>& parameters) {
  const auto found = parameters.find("STORAGE");
  const std::string kind = found == parameters.end() ? "0" : found->second;
  std::vector<SlotStorage> slots;
  for (const Macro& memory : memories) {
    slots.push_back({memory, kind == "2"});
    slots.back().memory.ports = kind == "0" ? 2 : 1;
  }
  return slots;
}

SynthResult run_in(const SynthRequest& request, const UnitSources& sources, const fs::path& work) {
  const fs::path file = liberty_file(request.liberty);
  const MeasuredActivity measured = read_activity(request.activity_file, request.unit);
  SynthResult result;
  result.yosys_version = Yosys::version(work);
  result.sta_version = sta_version(work);
  result.library_file = file.filename();
  result.rtl = rtl_digest(sources);
  const Cache cache(request.cache_dir);
  const std::string key = cache_key(request, sources, read_text(file), result);
  if (request.use_cache && request.netlist_dir.empty()) {
    if (const auto document = cache.find(key))
      if (auto known = kept_result(*document)) return std::move(*known);
  }

  const std::string library_text = unpack_library(file, work);
  const Liberty library = Liberty::parse(library_text, file.string());
  write_text(work / "lib.lib", library.without_special_cells(library_text));
  Flow flow(request, work, library, Yosys(work, sources), measured);
  auto points = flow.sweep();

  result.unit = request.unit;
  result.library = library.name();
  result.library_voltage = library.voltage();
  result.driving_cell = library.driving_cell().name;
  result.driving_cell_leakage_nw = library.driving_cell().leakage_nw;
  result.output_load_pf = library.output_load_pf();
  result.transition_ns = library.typical_transition_ns();
  result.activity = request.activity;
  result.target_period_ns = request.target_period_ns;
  result.activity_from = measured.from;
  result.has_leakage = library.has_leakage();
  result.has_energy = library.has_energy();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto cost = [&](std::size_t p) {
      return points[p].point.area_um2 * points[p].point.period_ns;
    };
    if (cost(i) < cost(result.chosen)) result.chosen = i;
    result.sweep.push_back(points[i].point);
  }
  Mapped& best = points[result.chosen];
  result.parameters = best.use.parameters;
  result.slots = storage_of(flow.slots(), result.parameters);
  result.period_ns = best.point.period_ns;
  if (!request.netlist_dir.empty()) {
    const double period =
        request.target_period_ns != 0 ? request.target_period_ns : result.period_ns;
    write_netlist(flow.yosys(), work, best.index, request.unit, library, period,
                  request.netlist_dir);
  }
  result.paths = std::move(best.paths);
  result.netlist = std::move(best.use);
  result.netlist.register_of.clear();
  if (request.use_cache) cache.store(key, to_json(result));
  return result;
}

}  // namespace

double SynthResult::dynamic_mw() const {
  const auto& e = netlist.energy;
  // One pJ a cycle times one MHz is a microwatt.
  return (e.switching_pj + e.internal_pj + e.clock_internal_pj) * fmax_mhz() * 1e-3;
}

namespace {

UnitSources sources_of(const SynthRequest& request) {
  return find_unit(request.rtl_root.empty() ? fs::path(WARPMEM_RTL_DIR) : request.rtl_root,
                   request.unit, request.own);
}

}  // namespace

SynthResult run(const SynthRequest& request) {
  check_request(request);
  const UnitSources sources = sources_of(request);
  check_storage(request, sources);
  check_netlist_folder(request.netlist_dir);
  return in_work_folder(request.work_dir,
                        [&](const fs::path& work) { return run_in(request, sources, work); });
}

void export_verilog(const SynthRequest& request, const fs::path& file) {
  check_request(request);
  const UnitSources sources = sources_of(request);
  in_work_folder(request.work_dir, [&](const fs::path& work) {
    const Yosys yosys(work, sources);
    const bool sized = !request.params.empty();
    write_text(file, yosys.plain_verilog(sized ? changed_parameters(request.unit, request.params,
                                                                    yosys.parameters())
                                               : ParameterValues()));
  });
}

MacroProcess macro_process(const fs::path& liberty, double node_nm) {
  const fs::path file = liberty_file(liberty);
  const WorkFolder work;
  const Liberty library = Liberty::parse(unpack_library(file, work.path()), file.string());
  return {node_nm, library.voltage(), library.driving_cell().leakage_nw};
}

}  // namespace warpmem::synth
