// SPDX-License-Identifier: Apache-2.0
#include "watch/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "files/json_text.hpp"

namespace warpmem::watch {

namespace {

using Json = nlohmann::ordered_json;
using Kind = StatSampler::Kind;

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::counter:
      return "counter";
    case Kind::ratio:
      return "ratio";
    case Kind::level:
      return "level";
    case Kind::amount:
      return "rate";
  }
  return "";
}

std::string full_name(const StatSampler::Column& column) { return column.path + "." + column.name; }

/// A ratio of nothing to nothing is null.
Json json_of(const std::vector<double>& points) {
  Json list = Json::array();
  for (const double point : points) {
    if (std::isnan(point))
      list.push_back(nullptr);
    else if (point == std::floor(point) && std::abs(point) < 1e15)
      list.push_back(static_cast<std::int64_t>(point));
    else
      list.push_back(point);
  }
  return list;
}

}  // namespace

Series::Series(gpu::Machine& machine, Cycle interval, bool by_instance)
    : clock_(machine.memory().cpu_clock()),
      interval_(interval),
      by_instance_(by_instance),
      sampler_(machine.stats()),
      points_(sampler_.columns().size()),
      instances_(sampler_.columns().size()),
      sample_clock_("series", machine.memory().cpu_clock(), interval,
                    [this](Cycle now) { sample(now); }) {
  for (std::size_t c = 0; c < instances_.size(); ++c)
    if (is_kept_by_instance(sampler_.columns()[c]))
      instances_[c].resize(sampler_.columns()[c].instances);
  machine.watch(*this);
}

bool Series::is_kept_by_instance(const StatSampler::Column& column) const {
  return by_instance_ && column.kind != Kind::counter && column.instances > 1;
}

void Series::launch_begins(const std::vector<gpu::Launch>& launches) {
  Launched launched;
  launched.number = launches.front().number;
  for (const gpu::Launch& launch : launches) {
    const std::string& name = launch.grid->traits().name;
    launched.names += (launched.names.empty() ? "" : " + ") + name;
    launched.kernels.push_back({name, launch.number, 0, 0});
  }
  launches_.push_back(std::move(launched));
  sampled_ = clock_.next_cycle();
  sample_clock_.begin();
}

void Series::launch_ends(const std::vector<gpu::Launch>&,
                         const std::vector<gpu::CtaDispatcher::Run>& runs) {
  const auto first = std::find_if(intervals_.begin(), intervals_.end(), [this](const Interval& i) {
    return i.launch + 1 == launches_.size();
  });
  const Cycle begin = first == intervals_.end() ? sampled_ : first->begin;
  sample_clock_.end();
  add_rest();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    launches_.back().kernels[i].begin = begin + runs[i].begin;
    launches_.back().kernels[i].end = begin + runs[i].end;
  }
}

void Series::sample(Cycle now) {
  if (now <= sampled_) return;
  sampler_.end(static_cast<double>(now - sampled_) / static_cast<double>(clock_.hertz()));
  intervals_.push_back({sampled_, now, launches_.size() - 1});
  sampled_ = now;
  for (std::size_t c = 0; c < points_.size(); ++c) {
    const StatSampler::Column& column = sampler_.columns()[c];
    points_[c].push_back(sampler_.value(column));
    for (unsigned i = 0; i < instances_[c].size(); ++i)
      instances_[c][i].push_back(sampler_.value(column, i));
  }
}

// What is counted at the end of a launch, when its last interval may be over, belongs to that.
void Series::add_rest() {
  sampler_.end(1.0);
  for (std::size_t c = 0; c < points_.size(); ++c) {
    const StatSampler::Column& column = sampler_.columns()[c];
    if (column.kind == Kind::counter) points_[c].back() += sampler_.value(column);
  }
}

bool Series::is_zero(std::size_t column) const {
  return std::all_of(points_[column].begin(), points_[column].end(),
                     [](double point) { return point == 0 || std::isnan(point); });
}

std::string Series::json() const {
  Json document = Json::object();
  document["interval"] = interval_;
  document["clock"] = "sm";
  document["hertz"] = clock_.hertz();
  Json kernels = Json::array();
  for (const Launched& launched : launches_)
    for (const Kernel& kernel : launched.kernels)
      kernels.push_back({{"name", kernel.name},
                         {"launch", kernel.number},
                         {"begin", kernel.begin},
                         {"end", kernel.end}});
  document["kernels"] = std::move(kernels);
  Json begins = Json::array(), ends = Json::array(), launches = Json::array();
  for (const Interval& interval : intervals_) {
    begins.push_back(interval.begin);
    ends.push_back(interval.end);
    launches.push_back(launches_[interval.launch].number);
  }
  document["begin"] = std::move(begins);
  document["end"] = std::move(ends);
  document["launch"] = std::move(launches);
  Json series = Json::object(), zero = Json::array();
  for (std::size_t c = 0; c < points_.size(); ++c) {
    const StatSampler::Column& column = sampler_.columns()[c];
    if (is_zero(c)) {
      zero.push_back(full_name(column));
      continue;
    }
    Json one = {{"kind", name_of(column.kind)},
                {"unit", column.unit},
                {"doc", column.doc},
                {"points", json_of(points_[c])}};
    for (unsigned i = 0; i < instances_[c].size(); ++i)
      one["instances"].push_back(json_of(instances_[c][i]));
    series[full_name(column)] = std::move(one);
  }
  document["series"] = std::move(series);
  document["zero"] = std::move(zero);
  return indented_json(document, 1) + "\n";
}

std::string Series::csv() const {
  std::string out = "begin,end,launch";
  for (std::size_t c = 0; c < points_.size(); ++c)
    if (!is_zero(c)) out += "," + full_name(sampler_.columns()[c]);
  out += '\n';
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    const Interval& interval = intervals_[i];
    out += fmt::format("{},{},{}", interval.begin, interval.end, launches_[interval.launch].number);
    for (std::size_t c = 0; c < points_.size(); ++c) {
      if (is_zero(c)) continue;
      const double point = points_[c][i];
      out += std::isnan(point) ? "," : fmt::format(",{}", point);
    }
    out += '\n';
  }
  return out;
}

}  // namespace warpmem::watch
