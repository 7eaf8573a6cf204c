// SPDX-License-Identifier: Apache-2.0
#include "sweeps/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sweeps/hardware.hpp"

namespace warpmem::sweeps {

namespace {

/// A row's published effect, and how a measured one stands to it. An effect is the distance from
/// what no change would give: 100 for a percentage, else 0.
class Claim {
 public:
  explicit Claim(const Row& row)
      : row_(row),
        origin_(row.measure.as == Aggregate::percent ? 100 : 0),
        low_(row.low - origin_),
        high_(row.high - origin_),
        middle_((low_ + high_) / 2) {
    const Metric& metric = row.measure.metric;
    const bool share = !metric.denominator.empty();
    area_ = std::all_of(metric.numerator.begin(), metric.numerator.end(), is_area_or_power);
    tie_ = directed() || share ? kTie : 0;
  }

  /// A quantity by itself (an area, a rate) has no direction that could be right.
  bool directed() const { return row_.measure.as != Aggregate::mean; }
  double effect(double value) const { return value - origin_; }

  bool near(double value) const {
    if (!row_.has_published()) return false;
    if (area_) return value >= (1 - kNearArea) * row_.low && value <= (1 + kNearArea) * row_.high;
    return distance(value) < tie_ || (effect(value) >= low_ - kNear * std::abs(low_) &&
                                      effect(value) <= high_ + kNear * std::abs(high_));
  }

  /// Returns whether the value has the published sign, or the side of the limit that is expected.
  bool agrees(double value) const {
    if (row_.above) return tie_ > 0 ? value >= *row_.above + tie_ : value > *row_.above;
    if (row_.below) return tie_ > 0 ? value <= *row_.below - tie_ : value < *row_.below;
    if (!directed()) return near(value);
    if (distance(value) < kTie) return true;
    if (little() && distance(value) <= kOrdered) return true;
    return std::abs(effect(value)) >= kTie && (effect(value) > 0) == (middle_ > 0);
  }

  /// Returns whether the value is as good as on the limit that is expected.
  bool on_limit(double value) const {
    if (row_.has_published()) return false;
    return std::abs(value - row_.above.value_or(row_.below.value_or(0))) < tie_;
  }

  /// Returns the part of the published effect that is asked for; 0: none is.
  double part() const {
    if (!row_.has_published() || !directed() || little()) return 0;
    return kPart * std::min(std::abs(low_), std::abs(high_));
  }
  bool has_part(double value) const {
    return part() == 0 || (middle_ > 0 ? effect(value) : -effect(value)) >= part();
  }

  /// Returns which of two values is further from what was published or expected.
  bool worse(double a, double b) const {
    const bool upwards = row_.above || (!row_.below && middle_ > 0);
    return upwards ? a < b : a > b;
  }

 private:
  bool little() const { return std::abs(middle_) <= kOrdered; }
  double distance(double value) const {
    return std::max({low_ - effect(value), effect(value) - high_, 0.0});
  }

  const Row& row_;
  const double origin_, low_, high_, middle_;
  bool area_;
  double tie_;  // 0: the unit is not percent
};

void describe(const Row& row, const Claim& claim, MeasuredRow& m) {
  const Aggregate as = row.measure.as;
  std::vector<double> alone;
  for (const WorkloadValue& v : m.values) alone.push_back(combine(as, {v}));
  std::sort(alone.begin(), alone.end());
  const std::size_t half = alone.size() / 2;
  m.median = alone.size() % 2 == 1 ? alone[half] : (alone[half - 1] + alone[half]) / 2;
  m.least = alone.front();
  m.most = alone.back();
  for (const double value : alone) {
    m.gain += claim.effect(value) >= kTie ? 1 : 0;
    m.lose += claim.effect(value) <= -kTie ? 1 : 0;
  }
  if (m.values.size() < 2) return;
  for (std::size_t out = 0; out < m.values.size(); ++out) {
    std::vector<WorkloadValue> others = m.values;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
    const double value = combine(as, others);
    if (!m.left_out || claim.worse(value, m.left_out->value))
      m.left_out = {m.values[out].workload, value};
  }
}

void judge_row(const Row& row, MeasuredRow& m) {
  if (m.values.empty() && !m.bare_mean) {
    m.why = "no run has a result";
    return;
  }
  const Claim claim(row);
  m.value = m.bare_mean ? *m.bare_mean : combine(row.measure.as, m.values);
  if (!m.bare_mean) describe(row, claim, m);
  if (!claim.agrees(*m.value)) {
    m.standing = claim.on_limit(*m.value) ? Standing::weak : Standing::differs;
    m.why = claim.on_limit(*m.value) ? "as good as the limit itself"
            : claim.directed()       ? "not the direction"
                                     : "not near, and a quantity has no direction";
  } else if (claim.near(*m.value)) {
    m.standing = Standing::near;
  } else if (m.bare_mean && claim.has_part(*m.value)) {
    m.why = "the values of each program, which decide between shape and weak, are not stored";
  } else if (!claim.has_part(*m.value) || !claim.has_part(m.median)) {
    m.standing = Standing::weak;
    m.why = fmt::format("{} {:.1f} where a quarter of the published effect is {:.1f}",
                        claim.has_part(*m.value) ? "median" : "measured",
                        claim.effect(claim.has_part(*m.value) ? m.median : *m.value), claim.part());
  } else if (m.left_out && !claim.agrees(m.left_out->value)) {
    m.standing = Standing::weak;
    m.why = fmt::format("without {} it is {:.1f}", m.left_out->workload, m.left_out->value);
  } else {
    m.standing = Standing::shape;
    if (row.has_published()) m.why = "not within the band";
  }
}

/// Some rows of an experiment, and the orders among them.
class Rows {
 public:
  /// With an empty `variant` all rows.
  Rows(const Experiment& experiment, const std::vector<MeasuredRow>& measured,
       const std::string& variant)
      : experiment_(experiment), measured_(measured) {
    for (std::size_t i = 0; i < measured.size(); ++i) {
      const std::string& of = experiment.rows[i].variant;
      if (variant.empty() || of.empty() || of == variant) places_.push_back(i);
    }
    for (const std::size_t a : places_)
      for (const std::size_t b : places_) compare(a, b);
  }

  const std::vector<std::string>& ties() const { return ties_; }
  const std::vector<std::string>& reversed() const { return reversed_; }

  /// Returns how they stand when nothing refutes the publication.
  Standing standing() const {
    if (any(Standing::differs) || !reversed_.empty()) return Standing::differs;
    if (any(Standing::not_measured)) return Standing::not_measured;
    if (any(Standing::weak)) return Standing::weak;
    // Rows that are all within the band may be as good as equal among each other.
    bool all_near = any(Standing::near);
    for (const std::size_t i : places_)
      if (experiment_.rows[i].has_published() && measured_[i].standing != Standing::near)
        all_near = false;
    if (all_near) return Standing::near;
    return ties_.empty() ? Standing::shape : Standing::weak;
  }

 private:
  void compare(std::size_t a, std::size_t b) {
    const Row& first = experiment_.rows[a];
    const Row& second = experiment_.rows[b];
    if (!first.has_published() || !second.has_published()) return;
    if (first.variant != second.variant) return;
    if (!first.measure.comparable(second.measure)) return;
    if (!measured_[a].value || !measured_[b].value) return;
    if ((first.low + first.high - second.low - second.high) / 2 <= kOrdered) return;
    const double gap = *measured_[a].value - *measured_[b].value;
    if (gap >= kTie) return;
    (gap > -kTie ? ties_ : reversed_).push_back(fmt::format("{} over {}", first.name, second.name));
  }
  bool any(Standing standing) const {
    return std::any_of(places_.begin(), places_.end(),
                       [&](std::size_t i) { return measured_[i].standing == standing; });
  }

  const Experiment& experiment_;
  const std::vector<MeasuredRow>& measured_;
  std::vector<std::size_t> places_;
  std::vector<std::string> ties_, reversed_;
};

std::vector<std::string> variants_of(const Experiment& experiment) {
  std::vector<std::string> names;
  for (const Row& row : experiment.rows)
    if (!row.variant.empty() && std::find(names.begin(), names.end(), row.variant) == names.end())
      names.push_back(row.variant);
  return names;
}

}  // namespace

std::string word(Standing standing) {
  switch (standing) {
    case Standing::near:
      return "near";
    case Standing::shape:
      return "shape";
    case Standing::weak:
      return "weak";
    case Standing::differs:
      return "differs";
    case Standing::not_measured:
      return "not measured";
    case Standing::refuted:
      return "refuted";
  }
  return "";
}

double combine(Aggregate as, const std::vector<WorkloadValue>& values) {
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

Verdict judge(const Experiment& experiment, std::vector<MeasuredRow> rows) {
  Verdict verdict;
  verdict.rows = std::move(rows);
  for (std::size_t i = 0; i < verdict.rows.size(); ++i)
    judge_row(experiment.rows[i], verdict.rows[i]);
  const Rows all(experiment, verdict.rows, "");
  verdict.ties = all.ties();
  verdict.reversed = all.reversed();
  verdict.standing = all.standing();
  if (verdict.standing == Standing::differs && !experiment.decisive_run.empty())
    verdict.standing = Standing::refuted;
  for (const std::string& name : variants_of(experiment))
    verdict.variants.push_back({name, Rows(experiment, verdict.rows, name).standing()});
  return verdict;
}

}  // namespace warpmem::sweeps
