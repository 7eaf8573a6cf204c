// SPDX-License-Identifier: Apache-2.0
#include "sweeps/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/errors.hpp"
#include "base/nearest.hpp"

namespace warpmem::sweeps {

namespace {

using Stats = std::unordered_map<std::string, double>;

class Judge {
 public:
  Judge(const Experiment& experiment, const Database& results)
      : experiment_(experiment), points_(results.points()) {
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

  Verdict run() {
    Verdict verdict;
    for (const Row& row : experiment_.rows) verdict.rows.push_back(measure(row));
    verdict.order = in_order(verdict);
    verdict.shape = verdict.order;
    verdict.near = true;
    for (const MeasuredRow& row : verdict.rows) {
      verdict.shape = verdict.shape && row.sign;
      verdict.near = verdict.near && row.near;
    }
    verdict.near = verdict.near && verdict.shape;
    return verdict;
  }

 private:
  MeasuredRow measure(const Row& row) {
    check_labels(row.point, row);
    check_labels(row.measure.over, row);
    for (const std::string& label : row.measure.over_labels)
      check_labels({{row.measure.over_axis, label}}, row);
    MeasuredRow result;
    if (row.measure.best_of.empty()) {
      result = at(row, row.point);
    } else {
      check_axis(row.measure.best_of, row);
      for (const std::string& label : axes_[row.measure.best_of]) {
        Labels point = row.point;
        point[row.measure.best_of] = label;
        MeasuredRow candidate = at(row, point);
        if (!candidate.value || (result.value && *candidate.value <= *result.value)) continue;
        result = std::move(candidate);
        result.best = label;
      }
    }
    if (!result.value) return result;
    if (row.above || row.below) {
      const double v = *result.value;
      result.sign = row.above ? v > *row.above : v < *row.below;
      result.near = result.sign;
      return result;
    }
    // A percentage says how far from 100 it is.
    const double origin = row.measure.as == Aggregate::percent ? 100 : 0;
    const double v = *result.value - origin, low = row.low - origin, high = row.high - origin;
    const bool both_nothing = std::abs(v) <= kTie && std::abs(low + high) / 2 <= kTie;
    result.near = v >= low - kNear * std::abs(low) && v <= high + kNear * std::abs(high);
    // A quantity by itself (an area, a rate) has no direction that could be right.
    const bool directed = row.measure.as != Aggregate::mean;
    result.sign = directed ? (v >= 0) == (low + high >= 0) || both_nothing : result.near;
    return result;
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
    if (!result.values.empty()) result.value = combine(row.measure.as, result.values);
    return result;
  }

  struct Reference {
    double value;
    std::string label;  // empty: there is no choice
  };

  // Returns the value at the baseline, the largest one where it is a choice of labels.
  std::optional<Reference> reference_of(const Row& row, const std::string& workload,
                                        Labels base) const {
    if (row.measure.over_axis.empty()) {
      const auto value = metric(row, workload, base);
      return value ? std::optional<Reference>({*value, ""}) : std::nullopt;
    }
    std::optional<Reference> best;
    for (const std::string& label : row.measure.over_labels) {
      base[row.measure.over_axis] = label;
      const auto value = metric(row, workload, base);
      if (!value) return std::nullopt;  // the best of some workloads only would flatter
      if (!best || *value > best->value) best = {*value, label};
    }
    return best;
  }

  static double combine(Aggregate as, const std::vector<WorkloadValue>& values) {
    double sum = 0, logs = 0;
    for (const WorkloadValue& v : values) {
      sum += v.value;
      logs += v.value > 0 ? std::log(v.value) : 0;
    }
    const double mean = sum / static_cast<double>(values.size());
    const double geometric = std::exp(logs / static_cast<double>(values.size()));
    switch (as) {
      case Aggregate::gain:
        return 100 * (geometric - 1);
      case Aggregate::reduction:
        return 100 * (1 - mean);
      case Aggregate::percent:
        return 100 * geometric;
      case Aggregate::loss:
        return 100 * (1 - geometric);
      case Aggregate::mean:
        return mean;
    }
    return 0;
  }

  std::vector<std::string> chosen(const Row& row) const {
    for (const std::string& name : row.measure.workloads)
      if (std::find(workloads_.begin(), workloads_.end(), name) == workloads_.end())
        throw UserError(fmt::format("{}: row {}: workload {} is not in the sweep{}",
                                    experiment_.file, row.name, name,
                                    did_you_mean(name, workloads_)));
    return row.measure.workloads.empty() ? workloads_ : row.measure.workloads;
  }

  std::optional<double> metric(const Row& row, const std::string& workload,
                               const Labels& where) const {
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

  const Stats* find(const std::string& workload, const Labels& where) const {
    for (const Point& point : points_) {
      if (point.workload != workload) continue;
      const bool match =
          std::all_of(point.labels.begin(), point.labels.end(), [&](const auto& label) {
            const auto wanted = where.find(label.first);
            return wanted == where.end() ? axes_.at(label.first).size() == 1
                                         : wanted->second == label.second;
          });
      if (!match) continue;
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

  bool in_order(const Verdict& verdict) const {
    for (std::size_t a = 0; a < verdict.rows.size(); ++a)
      for (std::size_t b = 0; b < verdict.rows.size(); ++b) {
        const Row& first = experiment_.rows[a];
        const Row& second = experiment_.rows[b];
        if (!first.has_published() || !second.has_published()) continue;
        if (!first.measure.comparable(second.measure)) continue;
        if (!verdict.rows[a].value || !verdict.rows[b].value) continue;
        const double gap = (first.low + first.high - second.low - second.high) / 2;
        if (gap > kTie && *verdict.rows[a].value <= *verdict.rows[b].value) return false;
      }
    return true;
  }

  const Experiment& experiment_;
  std::vector<Point> points_;
  std::vector<std::string> workloads_;
  std::map<std::string, std::vector<std::string>> axes_;
  std::unordered_map<std::string, Stats> stats_;  // values by the name of the run
};

}  // namespace

Verdict judge(const Experiment& experiment, const Database& results) {
  return Judge(experiment, results).run();
}

}  // namespace warpmem::sweeps
