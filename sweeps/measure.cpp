// SPDX-License-Identifier: Apache-2.0
#include "sweeps/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/errors.hpp"
#include "base/nearest.hpp"

namespace warpmem::sweeps {

namespace {

using Stats = std::unordered_map<std::string, double>;

class Measurer {
 public:
  Measurer(const Experiment& experiment, const Database& results)
      : experiment_(experiment), points_(results.points()), asked_(points_.size()) {
    for (const Point& point : points_) {
      if (std::find(workloads_.begin(), workloads_.end(), point.workload) == workloads_.end())
        workloads_.push_back(point.workload);
      for (const auto& [axis, label] : point.labels) {
        auto& labels = axes_[axis];
        if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
      }
      const RunResult result = results.result(point.run);
      if (!result.complete || stats_.count(point.run) != 0) continue;
      stats_[point.run] = Stats(result.stats.begin(), result.stats.end());
    }
  }

  std::vector<MeasuredRow> run() {
    std::vector<MeasuredRow> rows;
    for (const Row& row : experiment_.rows) rows.push_back(measure(row));
    return rows;
  }
  /// Returns for each point whether a row has asked for it.
  const std::vector<bool>& asked() const { return asked_; }

 private:
  MeasuredRow measure(const Row& row) {
    check_labels(row.point, row);
    check_labels(row.measure.over, row);
    for (const std::string& label : row.measure.over_labels)
      check_labels({{row.measure.over_axis, label}}, row);
    if (!row.measure.best_of.empty()) check_axis(row.measure.best_of, row);
    check_complete(row);
    if (row.measure.best_of.empty()) return at(row, row.point);
    MeasuredRow best;
    for (const std::string& label : axes_[row.measure.best_of]) {
      Labels point = row.point;
      point[row.measure.best_of] = label;
      MeasuredRow candidate = at(row, point);
      if (candidate.values.empty()) continue;
      const Aggregate as = row.measure.as;
      if (!best.values.empty() && combine(as, candidate.values) <= combine(as, best.values))
        continue;
      best = std::move(candidate);
      best.best = label;
    }
    return best;
  }

  MeasuredRow at(const Row& row, const Labels& where) {
    MeasuredRow result;
    const bool relative = row.measure.as != Aggregate::mean;
    Labels base = where;
    for (const auto& [axis, label] : row.measure.over) base[axis] = label;
    for (const std::string& workload : chosen(row)) {
      const auto value = metric(row, workload, where);
      const auto reference =
          relative ? reference_of(row, workload, base) : std::optional<Reference>({1, ""});
      const bool geometric = relative && row.measure.as != Aggregate::reduction;
      if (value && reference && reference->value > 0 && (!geometric || *value > 0))
        result.values.push_back({workload, *value / reference->value, reference->label});
      else
        result.without.push_back(workload);
    }
    return result;
  }

  struct Reference {
    double value;
    std::string label;  // empty: there is no choice
  };

  // Returns the value at the baseline, the largest one where it is a choice of labels.
  std::optional<Reference> reference_of(const Row& row, const std::string& workload, Labels base) {
    if (row.measure.over_axis.empty()) {
      const auto value = metric(row, workload, base);
      return value ? std::optional<Reference>({*value, ""}) : std::nullopt;
    }
    std::optional<Reference> best;
    bool all = true;
    for (const std::string& label : row.measure.over_labels) {
      base[row.measure.over_axis] = label;
      const auto value = metric(row, workload, base);
      all = all && value;
      if (value && (!best || *value > best->value)) best = {*value, label};
    }
    return all ? best : std::nullopt;  // the best of some workloads only would flatter
  }

  std::vector<std::string> chosen(const Row& row) const {
    for (const std::string& name : row.measure.workloads)
      if (std::find(workloads_.begin(), workloads_.end(), name) == workloads_.end())
        throw UserError(fmt::format("{}: row {}: workload {} is not in the sweep{}",
                                    experiment_.file, row.name, name,
                                    did_you_mean(name, workloads_)));
    return row.measure.workloads.empty() ? workloads_ : row.measure.workloads;
  }

  std::optional<double> metric(const Row& row, const std::string& workload, const Labels& where) {
    const Stats* const stats = find(workload, where);
    if (stats == nullptr) return std::nullopt;
    const Metric& m = row.measure.metric;
    const double top = total(row, *stats, m.numerator);
    if (m.denominator.empty()) return top;
    const double bottom = total(row, *stats, m.denominator);
    if (bottom == 0) return std::nullopt;
    return 100 * top / bottom;
  }

  double total(const Row& row, const Stats& stats, const std::vector<std::string>& names) const {
    double sum = 0;
    for (const std::string& name : names) {
      const auto found = stats.find(name);
      if (found == stats.end()) {
        std::vector<std::string> known;
        for (const auto& [key, value] : stats) known.push_back(key);
        std::sort(known.begin(), known.end());
        throw UserError(fmt::format("{}: row {}: no statistic is called {}{}", experiment_.file,
                                    row.name, name, did_you_mean(name, known)));
      }
      sum += found->second;
    }
    return sum;
  }

  const Stats* find(const std::string& workload, const Labels& where) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point& point = points_[i];
      if (point.workload != workload) continue;
      const bool match =
          std::all_of(point.labels.begin(), point.labels.end(), [&](const auto& label) {
            const auto wanted = where.find(label.first);
            return wanted == where.end() ? axes_.at(label.first).size() == 1
                                         : wanted->second == label.second;
          });
      if (!match) continue;
      asked_[i] = true;
      const auto found = stats_.find(point.run);
      return found == stats_.end() ? nullptr : &found->second;
    }
    return nullptr;
  }

  void check_axis(const std::string& axis, const Row& row) const {
    if (axes_.count(axis) != 0) return;
    std::vector<std::string> names;
    for (const auto& [name, labels] : axes_) names.push_back(name);
    throw UserError(fmt::format("{}: row {}: the sweep has no axis {}{}", experiment_.file,
                                row.name, axis, did_you_mean(axis, names)));
  }
  void check_labels(const Labels& labels, const Row& row) const {
    for (const auto& [axis, label] : labels) {
      check_axis(axis, row);
      const auto& known = axes_.at(axis);
      if (std::find(known.begin(), known.end(), label) == known.end())
        throw UserError(fmt::format("{}: row {}: axis {} has no {}{}", experiment_.file, row.name,
                                    axis, label, did_you_mean(label, known)));
    }
  }

  // A row stands for one label of each axis.
  void check_complete(const Row& row) const {
    for (const auto& [axis, labels] : axes_) {
      if (labels.size() == 1 || row.point.count(axis) != 0 || row.measure.best_of == axis) continue;
      throw UserError(fmt::format("{}: row {}: its point names no label of axis {}; allowed: {}",
                                  experiment_.file, row.name, axis, fmt::join(labels, ", ")));
    }
  }

  const Experiment& experiment_;
  std::vector<Point> points_;
  std::vector<bool> asked_;  // by the place of the point
  std::vector<std::string> workloads_;
  std::map<std::string, std::vector<std::string>> axes_;
  std::unordered_map<std::string, Stats> stats_;  // values by the name of the run
};

}  // namespace

std::vector<MeasuredRow> measure(const Experiment& experiment, const Database& results) {
  return Measurer(experiment, results).run();
}

std::vector<bool> asked_for(const Experiment& experiment, const Database& results) {
  Measurer measurer(experiment, results);
  measurer.run();
  return measurer.asked();
}

}  // namespace warpmem::sweeps
