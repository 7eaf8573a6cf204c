// SPDX-License-Identifier: Apache-2.0
#include "sweeps/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "app/user_program.hpp"
#include "base/config.hpp"
#include "base/config_text.hpp"
#include "base/nearest.hpp"
#include "base/text.hpp"
#include "base/yaml_source.hpp"
#include "gpu/params.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;

struct Assignment {
  std::string key, value;
  unsigned line;
};

struct AxisPoint {
  std::string label;
  std::vector<Assignment> assignments;
};

struct Axis {
  std::string name;
  std::vector<AxisPoint> points;
};

std::string list_item(const YamlNode& node);

std::string flow(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::list) return yaml_scalar(node.text);
  std::string text;
  for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + list_item(item);
  return "[" + text + "]";
}

std::string list_item(const YamlNode& node) {
  return node.kind == YamlNode::Kind::list ? flow(node) : yaml_item(node.text);
}

/// Returns why no point could run a file; empty: it may be a program, a source or a trace.
std::string why_no_workload(const std::string& path, bool has_arguments) {
  std::error_code none;
  if (!fs::exists(path, none)) return "no such file: " + path;
  if (program::trace::is_trace(path))
    return has_arguments ? path + ": a trace takes no arguments" : "";
  const bool regular = fs::is_regular_file(path, none);
  if (!regular && !fs::is_directory(path, none)) return "not a regular file: " + path;
  const bool source = regular && fs::path(path).extension() == ".cu";
  return source ? "" : app::why_no_program(path);
}

class PlanReader {
 public:
  PlanReader(const std::string& file, const std::vector<app::Workload>& known,
             const std::string& folder, const std::vector<std::string>& others)
      : file_(file), known_(known), folder_(folder), others_(others) {}

  Plan read(const std::string& text) {
    Problems syntax;
    const auto root = parse_yaml(text, file_, syntax);
    for (const std::string& line : syntax.list()) report(line);
    if (root) top(*root);
    keys_of_one_axis();
    if (problems_.empty()) count_points();
    if (problems_.empty()) expand();
    if (!problems_.empty()) throw UserError(text_of_problems());
    return std::move(plan_);
  }

 private:
  void top(const YamlNode& root) {
    plan_.file = file_;
    plan_.files = {file_};
    unique(root);
    for (const YamlMember& m : root.members) {
      if (m.key == "base") {
        base(m);
      } else if (m.key == "set") {
        assignments(m.value, m.line, "", set_);
      } else if (m.key == "axes") {
        if (!map(m, "labelled axes")) continue;
        unique(m.value);
        for (const YamlMember& a : m.value.members) axis(a);
      } else if (m.key == "workloads") {
        workloads(m);
      } else if (m.key == "observe") {
        watched_ =
            read_watched(m, [this](unsigned line, const std::string& what) { fail(line, what); });
      } else if (std::find(others_.begin(), others_.end(), m.key) == others_.end()) {
        std::vector<std::string> allowed = {"base", "set", "axes", "workloads", "observe"};
        allowed.insert(allowed.end(), others_.begin(), others_.end());
        unknown(m, allowed);
      }
    }
    if (runs_.empty() && problems_.empty()) fail(1, "workloads: at least one is needed");
  }

  void base(const YamlMember& m) {
    if (!scalar(m)) return;
    if (m.value.text.empty()) return fail(m.line, "base: the name of a file is needed");
    const std::string path = beside(m.value.text);
    std::error_code none;
    if (!fs::exists(path, none)) return fail(m.line, "base: no such file: " + path);
    // It is read again for every point.
    if (!fs::is_regular_file(path, none)) return fail(m.line, "base: not a regular file: " + path);
    base_ = path;
  }

  void axis(const YamlMember& a) {
    if (!map(a, "points, each a label and a map of keys")) return;
    unique(a.value);
    if (a.value.members.empty()) fail(a.line, a.key + ": an axis needs at least one point");
    axes_.push_back({a.key, {}});
    plan_.axes.push_back(a.key);
    for (const YamlMember& p : a.value.members) {
      axes_.back().points.push_back({p.key, {}});
      assignments(p.value, p.line, "", axes_.back().points.back().assignments);
    }
  }

  void assignments(const YamlNode& node, unsigned line, const std::string& prefix,
                   std::vector<Assignment>& into) {
    if (node.kind == YamlNode::Kind::null) return;
    if (node.kind != YamlNode::Kind::map)
      return fail(line, "a map of configuration keys is needed here");
    std::set<std::string> seen;
    for (const YamlMember& m : node.members) {
      const std::string key = prefix.empty() ? m.key : prefix + "." + m.key;
      // A group may be opened twice by dotted keys, but not by two equal words in one map.
      const bool twice = !seen.insert(m.key).second ||
                         std::any_of(into.begin(), into.end(),
                                     [&](const Assignment& other) { return other.key == key; });
      if (twice) {
        fail(m.line, key + ": given twice");
      } else if (m.value.kind == YamlNode::Kind::map) {
        assignments(m.value, m.line, key, into);
      } else {
        into.push_back({key, flow(m.value), m.line});
      }
    }
  }

  void workloads(const YamlMember& m) {
    if (m.value.kind != YamlNode::Kind::list)
      return fail(m.line, "workloads: a list of maps with name or file is needed");
    for (const YamlNode& item : m.value.items) workload(item);
  }

  void workload(const YamlNode& item) {
    if (item.kind != YamlNode::Kind::map)
      return fail(item.line,
                  "a workload is a map with name or file, e.g. {name: atax, size: tiny}");
    unique(item);
    std::string name, file, size;
    PlannedRun run;
    bool has_arguments = false, readable = true;
    for (const YamlMember& m : item.members) {
      if (m.key != "name" && m.key != "file" && m.key != "size" && m.key != "args") {
        unknown(m, {"name", "file", "size", "args"});
        readable = false;
      } else if (!scalar(m)) {
        readable = false;
      } else {
        if (m.key == "name") name = m.value.text;
        if (m.key == "file") file = m.value.text;
        if (m.key == "size") size = m.value.text;
        if (m.key == "args") run.arguments = words_of(m.value.text), has_arguments = true;
      }
    }
    if (!readable) return;  // what else is missing would be the same mistake
    if (name.empty() == file.empty()) return fail(item.line, "a workload has either name or file");
    if (!file.empty()) {
      if (!size.empty()) fail(item.line, "size: only workloads of the catalogue have sizes");
      run.program = beside(file);
      run.workload = fs::path(file).stem().string();
      if (const std::string why = why_no_workload(run.program, !run.arguments.empty());
          !why.empty())
        fail(item.line, "file: " + why);
    } else {
      catalogued(item.line, name, size, has_arguments, run);
    }
    runs_.push_back(std::move(run));
    lines_.push_back(item.line);
  }

  // Workloads that come twice are told apart by their arguments. With the same ones they are one.
  void name_apart() {
    std::map<std::string, unsigned> times;
    for (const PlannedRun& run : runs_) ++times[run.workload];
    for (PlannedRun& run : runs_) {
      if (times[run.workload] == 1) continue;
      for (const std::string& argument : run.arguments) run.workload += " " + argument;
    }
    std::map<std::string, unsigned> lines;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const auto [first, is_new] = lines.try_emplace(runs_[r].workload, lines_[r]);
      if (!is_new)
        fail(lines_[r], fmt::format("{} is a workload in line {}; allowed: another name or other "
                                    "arguments",
                                    runs_[r].workload, first->second));
    }
  }

  void catalogued(unsigned line, const std::string& name, const std::string& size,
                  bool has_arguments, PlannedRun& run) {
    std::vector<std::string> names;
    const app::Workload* found = nullptr;
    for (const app::Workload& w : known_) {
      names.push_back(w.name);
      if (w.name == name) found = &w;
    }
    if (found == nullptr)
      return fail(line, "unknown workload " + name + did_you_mean(name, names) +
                            " (`warpmem list workloads` names all)");
    run.workload = name;
    run.program = folder_ + "/" + found->file;
    if (has_arguments != size.empty()) return fail(line, name + ": give either size or args");
    if (has_arguments) return;
    try {
      run.arguments = words_of(app::arguments(*found, size));
    } catch (const UserError& error) {
      fail(line, error.what());
    }
  }

  // A point of one axis would undo what a point of another has set, and the labels would lie.
  void keys_of_one_axis() {
    std::map<std::string, std::pair<const Axis*, unsigned>> owners;
    for (const Axis& axis : axes_)
      for (const AxisPoint& point : axis.points)
        for (const Assignment& a : point.assignments) {
          const auto [owner, first] = owners.try_emplace(a.key, &axis, a.line);
          const auto& [other, line] = owner->second;
          if (!first && other != &axis)
            fail(a.line,
                 fmt::format("{}: axis {} sets it, and axis {} in line {}; allowed: one axis",
                             a.key, axis.name, other->name, line));
        }
  }

  void count_points() {
    std::string factors = fmt::format("{} workloads", runs_.size());
    double points = static_cast<double>(runs_.size());
    for (const Axis& axis : axes_) {
      factors += fmt::format(" x {} of {}", axis.points.size(), axis.name);
      points *= static_cast<double>(axis.points.size());
    }
    if (points > kMostPoints)
      report(fmt::format("{}: {} = {:.0f} points; allowed: at most {:.0f}", file_, factors, points,
                         kMostPoints));
  }

  void expand() {
    name_apart();
    std::vector<std::pair<std::vector<std::string>, std::string>> configs;
    std::vector<const AxisPoint*> chosen;
    combine(chosen, configs);
    dead_assignments();
    for (const PlannedRun& w : runs_)
      for (const auto& [points, config] : configs) {
        plan_.runs.push_back(w);
        plan_.runs.back().points = points;
        plan_.runs.back().config = config;
        plan_.runs.back().watched = watched_;
      }
  }

  void combine(std::vector<const AxisPoint*>& chosen,
               std::vector<std::pair<std::vector<std::string>, std::string>>& configs) {
    if (chosen.size() < axes_.size()) {
      for (const AxisPoint& p : axes_[chosen.size()].points) {
        chosen.push_back(&p);
        combine(chosen, configs);
        chosen.pop_back();
      }
      return;
    }
    gpu::MachineParams params;
    Schema schema;
    params.describe(schema);
    Config config(schema);
    if (!base_.empty()) config.load_file(base_);
    if (plan_.files.size() == 1)
      plan_.files.insert(plan_.files.end(), config.files().begin(), config.files().end());
    std::vector<std::string> labels;
    for (const Assignment& a : set_) apply(config, a);
    for (const AxisPoint* p : chosen) {
      labels.push_back(p->label);
      for (const Assignment& a : p->assignments) apply(config, a);
    }
    try {
      config.finish([&](Problems& problems) { params.validate(problems); });
      configs.emplace_back(labels, dump(schema));
      note_effects(chosen, config.notes());
    } catch (const UserError&) {
      for (const std::string& line : config.problems().list()) report(line);
    }
  }

  // A key may have an effect at some points of the other axes only; the points of an axis that has
  // none at all would differ in their labels alone.
  void note_effects(const std::vector<const AxisPoint*>& chosen,
                    const std::vector<std::string>& notes) {
    for (const AxisPoint* p : chosen)
      for (const Assignment& a : p->assignments) {
        const std::string place = fmt::format("{}:{}: {}: ", file_, a.line, a.key);
        const auto note = std::find_if(notes.begin(), notes.end(), [&](const std::string& text) {
          return text.rfind(place, 0) == 0;
        });
        std::string& why = dead_.try_emplace(place, note == notes.end() ? "" : *note).first->second;
        if (note == notes.end()) why.clear();
      }
  }
  void dead_assignments() {
    for (const auto& [place, why] : dead_)
      if (!why.empty()) report(why + ", and does so at no point of the sweep");
  }

  // The text keeps the line numbers of this file, so that the schema's own messages name the place.
  void apply(Config& config, const Assignment& a) const {
    config.load_text(std::string(a.line - 1, '\n') + yaml_scalar(a.key) + ": " + a.value + "\n",
                     file_);
  }

  std::string beside(const std::string& path) const {
    return fs::absolute(fs::path(file_).parent_path() / path).lexically_normal().string();
  }
  bool scalar(const YamlMember& m) {
    if (m.value.kind == YamlNode::Kind::scalar) return true;
    fail(m.line, m.key + ": a text is needed");
    return false;
  }
  bool map(const YamlMember& m, const std::string& of) {
    if (m.value.kind == YamlNode::Kind::map) return true;
    fail(m.line, m.key + ": a map of " + of + " is needed");
    return false;
  }
  void unique(const YamlNode& node) {
    std::set<std::string> seen;
    for (const YamlMember& m : node.members)
      if (!seen.insert(m.key).second) fail(m.line, m.key + ": given twice");
  }
  void unknown(const YamlMember& m, const std::vector<std::string>& allowed) {
    fail(m.line, fmt::format("unknown entry {}; allowed: {}{}", m.key, fmt::join(allowed, ", "),
                             did_you_mean(m.key, allowed)));
  }
  void fail(unsigned line, const std::string& what) {
    report(fmt::format("{}:{}: {}", file_, line, what));
  }
  // The same mistake shows in every run that a point takes part in; it is said once.
  void report(const std::string& line) {
    for (const std::string& known : problems_)
      if (known == line) return;
    problems_.push_back(line);
  }
  std::string text_of_problems() const { return fmt::format("{}", fmt::join(problems_, "\n")); }

  const std::string& file_;
  const std::vector<app::Workload>& known_;
  const std::string& folder_;
  const std::vector<std::string>& others_;
  Plan plan_;
  std::string base_;
  std::vector<Assignment> set_;
  Watched watched_;
  std::vector<Axis> axes_;
  std::vector<PlannedRun> runs_;  // one for each workload; points and config are still empty
  std::vector<unsigned> lines_;   // of these
  std::map<std::string, std::string> dead_;  // what is set, and why that has had no effect so far
  std::vector<std::string> problems_;
};

}  // namespace

Plan read_plan(const std::string& file, const std::vector<app::Workload>& known,
               const std::string& folder, const std::vector<std::string>& others) {
  std::string error;
  const auto text = read_text_file(file, error);
  if (!text) throw UserError(file + ": " + error);
  return plan_of(*text, file, known, folder, others);
}

Plan plan_of(const std::string& text, const std::string& file,
             const std::vector<app::Workload>& known, const std::string& folder,
             const std::vector<std::string>& others) {
  return PlanReader(file, known, folder, others).read(text);
}

}  // namespace warpmem::sweeps
