// SPDX-License-Identifier: Apache-2.0
#include "mutation/hand_made.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "base/yaml_source.hpp"
#include "cosim/hardware_unit.hpp"
#include "formal/formal.hpp"
#include "mutation/units.hpp"

namespace warpmem::mutation {

namespace fs = std::filesystem;

namespace {

HandMadeFault read_fault(const fs::path& file) {
  Problems problems;
  const auto document = parse_yaml(read_text(file), file.string(), problems);
  problems.throw_if_any();
  HandMadeFault fault;
  fault.unit = file.parent_path().filename();
  fault.name = file.stem();
  std::map<std::string, std::string*> keys = {
      {"what", &fault.what}, {"file", &fault.file}, {"from", &fault.from}, {"to", &fault.to}};
  for (const YamlMember& member : document->members) {
    const auto key = keys.find(member.key);
    if (key == keys.end() || member.value.kind != YamlNode::Kind::scalar)
      throw UserError(fmt::format("{}:{}: '{}' is not what, file, from or to with a text",
                                  file.string(), member.line, member.key));
    *key->second = member.value.text;
    keys.erase(key);
  }
  if (!keys.empty())
    throw UserError(fmt::format("{}: '{}' is missing", file.string(), keys.begin()->first));
  return fault;
}

/// Makes a copy of the RTL with the fault in it. Throws UserError when the RTL does not have the
/// text once.
void plant(const HandMadeFault& fault, const fs::path& rtl, const fs::path& copy) {
  fs::copy(rtl, copy, fs::copy_options::recursive);
  std::string text = read_text(copy / fault.file);
  const std::size_t at = text.find(fault.from);
  if (fault.from.empty() || at == std::string::npos ||
      text.find(fault.from, at + 1) != std::string::npos)
    throw UserError(fmt::format("fault {}/{}: its text does not stand in {} once", fault.unit,
                                fault.name, fault.file));
  write_text(copy / fault.file, text.replace(at, fault.from.size(), fault.to));
}

/// Returns the name alone of a failed check. Its line and its condition are in the RTL, where the
/// name finds them, and would be stale on the page whenever a line is added.
std::string name_of(const std::string& signal) {
  static const std::string kFailed = "check failed: ";
  const std::size_t at = signal.find(kFailed);
  if (at == std::string::npos) return signal;
  return signal.substr(at, signal.find(':', at + kFailed.size()) - at);
}

/// This runs the unit as `warpmem cosim UNIT` does.
bool lockstep_finds(const HandMadeRequest& request, const fs::path& rtl, HandMadeResult* result) {
  cosim::LockstepOptions options;
  options.cycles = request.cycles;
  options.seed = request.seed;
  options.places = request.places;
  options.places.rtl = rtl;
  const cosim::HardwareUnit& unit = cosim::hardware_unit(result->fault.unit);
  for (const cosim::SizeValues& size : unit.sizes()) {
    if (request.only_size.empty() || request.only_size == unit.text_of(size)) {
      const cosim::LockstepResult run = unit.run(size, options);
      if (run.difference) {
        result->found_by = "cosim";
        result->size = unit.text_of(size);
        result->cycle = run.difference->cycle;
        result->signal = name_of(run.difference->signal);
        return true;
      }
    }
    options.cycles = std::min(request.cycles, cosim::kCornerCycles);
  }
  return false;
}

/// This proves the unit as `warpmem formal UNIT` does, up to the first violation.
void let_formal_find(const HandMadeRequest& request, const fs::path& rtl, HandMadeResult* result) {
  formal::FormalRequest proof;
  proof.units = {result->fault.unit};
  proof.rtl_root = rtl;
  proof.timeout_s = request.timeout_s;
  proof.use_cache = false;
  proof.first_only = true;
  for (const formal::ProofResult& judged : formal::run(proof))
    for (const formal::Result& property : judged.results) {
      if (property.verdict != formal::Verdict::kRefuted) continue;
      result->found_by = "formal";
      result->size = formal::heading(judged.proof);
      result->cycle = property.cycles;
      result->signal = property.property.name;
    }
}

/// Returns the processor time of this process and of the tools that it ran: unlike that of a clock
/// on the wall it is the same beside other work.
double processor_seconds() {
  double seconds = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  }
  return seconds;
}

constexpr const char* kTable =
    "| unit | fault | found by | at | in cycle | by | s |\n|---|---|---|---|---:|---|---:|\n";

/// Returns a text as a cell: a bar of its own would end it.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string row_of(const HandMadeResult& r) {
  return fmt::format("| `{}` | {} | {} | {} | {} | {} | {:.1f} |\n", r.fault.unit, r.fault.what,
                     r.found_by.empty() ? "**nothing**" : r.found_by, r.size, r.cycle,
                     cell(r.signal), r.seconds);
}

}  // namespace

std::vector<HandMadeFault> hand_made_faults(const fs::path& folder, const std::string& unit) {
  if (!unit.empty()) attacked_unit(unit);  // its message names the units
  std::vector<HandMadeFault> faults;
  for (const AttackedUnit& attacked : attacked_units()) {
    if ((!unit.empty() && unit != attacked.name) || !fs::is_directory(folder / attacked.name))
      continue;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder / attacked.name))
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) faults.push_back(read_fault(file));
  }
  return faults;
}

HandMadeResult find(const HandMadeFault& fault, const HandMadeRequest& request) {
  const double start = processor_seconds();
  const WorkFolder work;
  const fs::path rtl = work.path() / "rtl";
  plant(fault, request.places.rtl, rtl);
  HandMadeResult result;
  result.fault = fault;
  if (!lockstep_finds(request, rtl, &result)) let_formal_find(request, rtl, &result);
  result.seconds = processor_seconds() - start;
  return result;
}

std::string hand_made_table(const std::vector<HandMadeResult>& results) {
  std::string text;
  for (const HandMadeResult& r : results)
    text +=
        fmt::format("{:<18} {:<32} {}\n", r.fault.unit, r.fault.name,
                    r.found_by.empty() ? "NOT FOUND"
                                       : fmt::format("{}, {}, cycle {}: {}; {:.1f} s", r.found_by,
                                                     r.size, r.cycle, r.signal, r.seconds));
  return text;
}

std::string hand_made_page(const std::vector<HandMadeResult>& results, const std::string& earlier) {
  std::map<std::string, std::string> rows;
  std::string rest = earlier;
  const std::string title = fmt::format("## {}\n", kHandMadeTitle);
  if (const std::size_t at = earlier.find(title); at != std::string::npos) {
    rest.erase(at);
    std::istringstream lines(earlier.substr(at));
    for (std::string line; std::getline(lines, line);)
      if (line.rfind("| `", 0) == 0) rows[line.substr(3, line.find('`', 3) - 3)] += line + "\n";
  }
  for (const HandMadeResult& r : results) rows[r.fault.unit].clear();
  for (const HandMadeResult& r : results) rows[r.fault.unit] += row_of(r);
  while (rest.size() > 1 && rest.compare(rest.size() - 2, 2, "\n\n") == 0) rest.pop_back();
  std::string text =
      rest + (rest.empty() ? "" : "\n") + title +
      "\n`warpmem mutate --hand-made` puts each into a copy of the RTL (`mutation/faults/`) and "
      "runs\n`warpmem cosim UNIT` and, if that finds nothing, `warpmem formal UNIT` on it, both "
      "without options,\nbut for seed 1. The cycle is that of the difference, or the length of the "
      "run that violates\na property; the seconds are the processor time until it is known, with "
      "all that is built for it.\n\n" +
      kTable;
  for (const AttackedUnit& unit : attacked_units()) text += rows[unit.name];
  return text;
}

}  // namespace warpmem::mutation
