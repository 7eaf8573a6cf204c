// SPDX-License-Identifier: Apache-2.0
#include "base/stat_sampler.hpp"

#include <limits>

#include "base/stats_detail.hpp"

namespace warpmem {

using stats_detail::Entries;
using stats_detail::Entry;
using stats_detail::Path;
using stats_detail::Probe;

namespace {

bool is_sampled(const Entry& entry) {
  return entry.kind == stats_detail::Kind::counter || entry.kind == stats_detail::Kind::ratio;
}

}  // namespace

StatSampler::StatSampler(const StatRegistry& registry) {
  std::size_t values = 0;
  const auto add = [&](const Path& path, Column column) {
    column.path = path.name;
    column.instances = static_cast<unsigned>(path.instances.size());
    column.first = values;
    values += column.instances;
    columns_.push_back(std::move(column));
  };
  for (const Path& path : registry.all_paths()) {
    paths_.push_back(path.instances);
    for (const Entry& entry : path.entries()) {
      if (!is_sampled(entry)) continue;
      const bool ratio = entry.kind == stats_detail::Kind::ratio;
      add(path, {"", std::string(entry.name), std::string(entry.unit), std::string(entry.doc),
                 ratio ? Kind::ratio : Kind::counter});
    }
    for (const Probe& probe : path.instances.front()->probes)
      add(path, {"", probe.name, probe.grows ? probe.unit + "/s" : probe.unit, probe.doc,
                 probe.grows ? Kind::amount : Kind::level});
  }
  begin_.resize(values);
  now_.resize(values);
  added_.resize(values);
}

const StatSampler::Column* StatSampler::find(std::string_view path, std::string_view name) const {
  for (const Column& column : columns_)
    if (column.path == path && column.name == name) return &column;
  return nullptr;
}

void StatSampler::read(std::vector<Sides>& out) const {
  auto column = columns_.begin();
  for (const std::vector<const Entries*>& instances : paths_) {
    for (const Entries* instance : instances)
      for (const auto& bring_up_to_date : instance->updates) bring_up_to_date();
    const auto first = column;
    for (std::size_t n = 0; n < instances.size(); ++n) {
      column = first;
      const Entries& instance = *instances[n];
      for (const Entry& entry : instance.entries) {
        if (!is_sampled(entry)) continue;
        Sides& sides = out[column++->first + n];
        sides.above = *entry.value;
        sides.below = entry.denominator == nullptr ? 0 : *entry.denominator;
      }
      for (const Probe& probe : instance.probes) out[column++->first + n].above = probe.read();
    }
  }
}

void StatSampler::begin() { read(begin_); }

void StatSampler::end(double seconds) {
  seconds_ = seconds;
  read(now_);
  for (const Column& column : columns_)
    for (std::size_t i = column.first; i < column.first + column.instances; ++i) {
      const bool level = column.kind == Kind::level;
      added_[i].above = now_[i].above - (level ? 0 : begin_[i].above);
      added_[i].below = now_[i].below - begin_[i].below;
    }
  begin_.swap(now_);
}

double StatSampler::shown(Kind kind, const Sides& sides) const {
  const auto above = static_cast<double>(sides.above);
  switch (kind) {
    case Kind::ratio:
      return sides.below == 0 ? std::numeric_limits<double>::quiet_NaN()
                              : above / static_cast<double>(sides.below);
    case Kind::amount:
      return above / seconds_;
    default:
      return above;
  }
}

double StatSampler::value(const Column& column, unsigned instance) const {
  return shown(column.kind, added_[column.first + instance]);
}

double StatSampler::value(const Column& column) const {
  Sides sum;
  for (std::size_t i = column.first; i < column.first + column.instances; ++i) {
    sum.above += added_[i].above;
    sum.below += added_[i].below;
  }
  return shown(column.kind, sum);
}

}  // namespace warpmem
