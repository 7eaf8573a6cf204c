// SPDX-License-Identifier: Apache-2.0
#include "sweeps/explore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "app/catalogue.hpp"
#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/nearest.hpp"
#include "base/output_file.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "base/yaml_source.hpp"
#include "sweeps/database.hpp"
#include "sweeps/prepared.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return parts;
}

std::string short_name(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// What values count: those of one axis count the same. A time in ns and one in cycles have no
/// order.
enum class Counted : std::uint8_t { plain, bytes, hertz, cycles, picoseconds };

std::optional<double> plain_number(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<double> number_of(Counted counted, const std::string& text) {
  if (counted == Counted::plain) return plain_number(text);
  const bool in_ns = text.find("ns") != std::string::npos;
  if (in_ns != (counted == Counted::picoseconds)) return std::nullopt;
  const QuantityKind kind = counted == Counted::bytes   ? QuantityKind::bytes
                            : counted == Counted::hertz ? QuantityKind::hertz
                                                        : QuantityKind::time;
  const Quantity quantity = parse_quantity(kind, text);
  if (quantity.error != QuantityError::none) return std::nullopt;
  return static_cast<double>(quantity.value);
}

/// Returns the values in a unit that they all have. Throws UserError where there is none.
std::vector<double> numbers_of(const ExploredAxis& axis) {
  std::set<std::string> numbers;
  for (const Counted counted :
       {Counted::plain, Counted::bytes, Counted::hertz, Counted::cycles, Counted::picoseconds}) {
    std::vector<double> found;
    for (const std::string& value : axis.values) {
      const std::optional<double> number = number_of(counted, value);
      if (!number) continue;
      numbers.insert(value);
      found.push_back(*number);
    }
    if (found.size() == axis.values.size()) return found;
  }
  for (const std::string& value : axis.values)
    if (numbers.count(value) == 0)
      throw UserError(fmt::format(
          "{}: {} is not a number; allowed: one, with a unit like KiB, MHz or ns or without",
          axis.keys.front(), value));
  throw UserError(
      fmt::format("{}: {}: their units are not of one kind; the values of a knee ascend",
                  axis.keys.front(), fmt::join(axis.values, ", ")));
}

}  // namespace

ExploredAxis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  ExploredAxis axis;
  if (equals != std::string::npos) {
    axis.keys = split(text.substr(0, equals), '+');
    axis.values = split(text.substr(equals + 1), ',');
  }
  const auto empty = [](const std::vector<std::string>& parts) {
    return std::any_of(parts.begin(), parts.end(), [](const auto& p) { return p.empty(); });
  };
  if (axis.keys.empty() || axis.values.size() < 2 || empty(axis.keys) || empty(axis.values))
    throw UserError(fmt::format(
        "{}: allowed: KEY=VALUE,VALUE,... with two values or more, or KEY+KEY=... for keys that "
        "take them together",
        text));
  const std::set<std::string> different(axis.values.begin(), axis.values.end());
  if (different.size() != axis.values.size())
    throw UserError(fmt::format("{}: a value is given twice", text));
  return axis;
}

void check_ascending(const ExploredAxis& axis) {
  const std::vector<double> numbers = numbers_of(axis);
  for (std::size_t v = 1; v < numbers.size(); ++v)
    if (numbers[v] <= numbers[v - 1])
      throw UserError(fmt::format("{}: {} after {}; the values of a knee ascend", axis.keys.front(),
                                  axis.values[v], axis.values[v - 1]));
}

std::string axis_name(const std::vector<ExploredAxis>& axes) {
  return axes.size() == 1 ? fmt::format("{}", fmt::join(axes[0].keys, "+")) : "design";
}

std::vector<ExploredPoint> points_of(const std::vector<ExploredAxis>& axes) {
  std::map<std::string, unsigned> named;
  for (const ExploredAxis& axis : axes) ++named[short_name(axis.keys[0])];
  double all = 1;
  for (const ExploredAxis& axis : axes) all *= static_cast<double>(axis.values.size());
  if (all > kMostPoints)
    throw UserError(fmt::format("{:.0f} designs; allowed: at most {:.0f}", all, kMostPoints));
  std::vector<ExploredPoint> points = {{}};
  for (const ExploredAxis& axis : axes) {
    const std::string& key = axis.keys[0];
    const std::string name = named[short_name(key)] == 1 ? short_name(key) : key;
    std::vector<ExploredPoint> longer;
    for (const ExploredPoint& point : points) {
      for (const std::string& value : axis.values) {
        ExploredPoint next = point;
        if (!next.label.empty()) next.label += ' ';
        next.label += axes.size() == 1 ? value : fmt::format("{}={}", name, value);
        for (const std::string& k : axis.keys) next.assignments.emplace_back(k, value);
        longer.push_back(std::move(next));
      }
    }
    points = std::move(longer);
  }
  return points;
}

namespace {

/// A line of the sweep file, and which part of the question it says.
struct SweepLine {
  std::string text, asked;
};

std::string trimmed_scalar(const std::string& text) {
  return yaml_scalar(std::string(trimmed(text)));
}

std::vector<SweepLine> sweep_lines(const Question& question) {
  std::vector<SweepLine> lines;
  const auto add = [&lines](std::string text, const std::string& asked) {
    lines.push_back({std::move(text), asked});
  };
  add("# Every point of a question to `warpmem explore`.", "");
  if (!question.machine.empty())
    add(fmt::format("base: {}", yaml_scalar(question.machine)), question.machine);
  if (!question.assignments.empty()) add("set:", "");
  for (const std::string& assignment : question.assignments) {
    const std::string asked = "--set " + shown(assignment);
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      throw UserError(asked + ": is not an assignment; write --set key=value");
    add(fmt::format("  {}: {}", trimmed_scalar(assignment.substr(0, equals)),
                    trimmed_scalar(assignment.substr(equals + 1))),
        asked);
  }
  add("axes:", "");
  add(fmt::format("  {}:", yaml_scalar(axis_name(question.axes))), "");
  for (const ExploredPoint& point : points_of(question.axes)) {
    add(fmt::format("    {}:", yaml_scalar(point.label)), "");
    auto assignment = point.assignments.begin();
    for (const ExploredAxis& axis : question.axes)
      for (const std::string& key : axis.keys) {
        add(fmt::format("      {}: {}", trimmed_scalar(key), trimmed_scalar(assignment->second)),
            fmt::format("{}={}", fmt::join(axis.keys, "+"), fmt::join(axis.values, ",")));
        ++assignment;
      }
  }
  add("workloads:", "");
  for (const std::string& workload : question.workloads) {
    if (fs::exists(workload)) {
      add(fmt::format("  - file: {}", yaml_scalar(fs::absolute(workload).string())), workload);
      continue;
    }
    const std::size_t colon = workload.rfind(':');
    add(fmt::format("  - name: {}", yaml_scalar(workload.substr(0, colon))), workload);
    add(fmt::format("    size: {}",
                    colon == std::string::npos ? "small" : yaml_scalar(workload.substr(colon + 1))),
        workload);
  }
  return lines;
}

/// Returns messages about lines of the sweep file, which nobody has written, as those about what
/// was asked; each once.
std::string as_asked(const std::string& messages, const std::string& file,
                     const std::vector<SweepLine>& lines) {
  std::vector<std::string> said;
  for (std::string message : split(messages, '\n')) {
    const std::string place = file + ":";
    if (message.rfind(place, 0) == 0) {
      message.erase(0, place.size());
      std::size_t line = 0;
      const auto read = std::from_chars(message.data(), message.data() + message.size(), line);
      if (read.ec == std::errc()) message.erase(0, read.ptr - message.data() + 1);
      message = std::string(trimmed(message));
      if (line >= 1 && line <= lines.size() && !lines[line - 1].asked.empty())
        message = lines[line - 1].asked + ": " + message;
    }
    if (std::find(said.begin(), said.end(), message) == said.end()) said.push_back(message);
  }
  return fmt::format("{}", fmt::join(said, "\n"));
}

}  // namespace

QuestionSweep sweep_of(const Question& question, const std::string& file) {
  const std::vector<SweepLine> lines = sweep_lines(question);
  QuestionSweep sweep;
  for (const SweepLine& line : lines) sweep.text += line.text + "\n";
  try {
    sweep.plan = plan_of(sweep.text, file,
                         app::read_catalogue((app::places().workloads / "catalogue.yaml").string()),
                         app::places().workloads.string());
  } catch (const UserError& error) {
    throw UserError(as_asked(error.what(), file, lines));
  }
  return sweep;
}

Exploration::Exploration(const Question& question, const fs::path& folder, EngineOptions options)
    : question_(question), options_(std::move(options)), points_(points_of(question.axes)) {
  options_.output = (folder / "explore.sqlite").string();
  if (fs::exists(options_.output) && !options_.resume)
    throw UserError(folder.string() + ": has results; go on with --resume, or give another folder");
  const std::string file = (folder / "explore.yaml").string();
  QuestionSweep sweep = sweep_of(question_, file);
  fs::create_directories(folder);
  write_text(file, sweep.text);
  plan_ = std::move(sweep.plan);
  for (std::size_t run = 0; run < plan_.runs.size(); run += points_.size())
    workloads_.push_back(plan_.runs[run].workload);
  options_.programs = list_of_programs(folder / "programs");
  prepare_kept(plan_, folder / "programs");
  options_.resume = options_.new_plan = true;
  values_.assign(plan_.runs.size(), 0);
}

void Exploration::measure(const std::vector<std::pair<std::size_t, std::size_t>>& wanted) {
  const bool first = std::all_of(values_.begin(), values_.end(), [](double v) { return v == 0; });
  // One run shows whether the statistic is there, before hours of them.
  if (first && wanted.size() > 1) measure({wanted.front()});
  std::set<std::size_t> runs;
  for (const auto& [workload, point] : wanted) runs.insert(workload * points_.size() + point);
  for (std::size_t run = 0; run < values_.size(); ++run)
    if (values_[run] != 0) runs.insert(run);  // so that the database has all points in the end
  Plan part = plan_;
  part.runs.clear();
  for (const std::size_t run : runs) part.runs.push_back(plan_.runs[run]);
  const Outcome outcome = run_plan(part, options_);
  executed_ += outcome.executed - outcome.not_run.size();
  if (!outcome.not_run.empty()) throw UserError("not run: " + outcome.not_run.front());
  const Database database(options_.output, Database::Access::existing);
  const std::vector<Point> points = database.points();
  std::size_t place = 0;
  for (const std::size_t run : runs) {
    const Point& point = points[place++];
    const RunResult result = database.result(point.run);
    if (!result.complete)
      throw UserError(fmt::format("{}: failed: {}", name_of(point), result.message));
    std::vector<std::string> names;
    for (const auto& [name, number] : result.stats) {
      names.push_back(name);
      if (name == question_.metric) values_[run] = number;
    }
    if (std::find(names.begin(), names.end(), question_.metric) == names.end())
      throw UserError(fmt::format("no statistic is called {}{}", question_.metric,
                                  did_you_mean(question_.metric, names)));
    if (values_[run] <= 0)
      throw UserError(fmt::format("{}: {} is {}; a share of it says nothing", name_of(point),
                                  question_.metric, values_[run]));
  }
}

double Exploration::value(std::size_t workload, std::size_t point) const {
  return values_[workload * points_.size() + point];
}

std::vector<KneeSearch> Exploration::knees(double within, bool exhaustive) {
  std::vector<KneeSearch> searches(
      workloads_.size(), KneeSearch(points_.size(), within, question_.more_is_better, exhaustive));
  for (;;) {
    std::vector<std::pair<std::size_t, std::size_t>> wanted;
    for (std::size_t w = 0; w < searches.size(); ++w)
      for (const std::size_t point : searches[w].wanted()) wanted.emplace_back(w, point);
    if (wanted.empty()) return searches;
    measure(wanted);
    for (const auto& [w, point] : wanted) searches[w].measured(point, value(w, point));
  }
}

std::vector<double> Exploration::means() {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t w = 0; w < workloads_.size(); ++w)
    for (std::size_t p = 0; p < points_.size(); ++p) all.emplace_back(w, p);
  measure(all);
  std::vector<double> means;
  for (std::size_t p = 0; p < points_.size(); ++p) {
    double logs = 0;
    for (std::size_t w = 0; w < workloads_.size(); ++w) logs += std::log(value(w, p) / value(w, 0));
    logs /= static_cast<double>(workloads_.size());
    means.push_back(std::exp(question_.more_is_better ? logs : -logs));
  }
  return means;
}

std::vector<std::size_t> pareto_front(const std::vector<std::pair<double, double>>& designs) {
  std::vector<std::size_t> order(designs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return designs[a].first != designs[b].first ? designs[a].first < designs[b].first
                                                : designs[a].second > designs[b].second;
  });
  std::vector<std::size_t> front;
  for (const std::size_t design : order)
    if (front.empty() || designs[design].second > designs[front.back()].second ||
        designs[design] == designs[front.back()])
      front.push_back(design);
  return front;
}

}  // namespace warpmem::sweeps
