// SPDX-License-Identifier: Apache-2.0
#include "base/stats.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/assert.hpp"
#include "base/stats_detail.hpp"

namespace warpmem {

// ---- Histogram, TimeSeries ---------------------------------------------------------------------

Histogram::Histogram(std::vector<std::uint64_t> bounds)
    : bounds_(std::move(bounds)), counts_(bounds_.size() + 1, 0) {
  assert(std::adjacent_find(bounds_.begin(), bounds_.end(), std::greater_equal<>()) ==
             bounds_.end() &&
         "bounds ascend");
}

void Histogram::add(std::uint64_t value, std::uint64_t times) {
  const std::size_t bin = last_bin_;
  if ((bin != bounds_.size() && value > bounds_[bin]) || (bin != 0 && value <= bounds_[bin - 1]))
    last_bin_ = static_cast<std::size_t>(std::lower_bound(bounds_.begin(), bounds_.end(), value) -
                                         bounds_.begin());
  counts_[last_bin_] += times;
  samples_ += times;
  sum_ += value * times;
}

TimeSeries::TimeSeries(Cycle interval, std::size_t points) : interval_(interval), limit_(points) {
  assert(interval >= 1 && points >= 2 && points % 2 == 0);
}

void TimeSeries::add(Cycle now, double amount) {
  std::size_t point = now / interval_;
  while (point >= limit_) {
    for (std::size_t i = 0; i < values_.size(); i += 2)
      values_[i / 2] = values_[i] + (i + 1 < values_.size() ? values_[i + 1] : 0.0);
    values_.resize((values_.size() + 1) / 2);
    interval_ *= 2;
    point = now / interval_;
  }
  if (point >= values_.size()) values_.resize(point + 1, 0.0);
  values_[point] += amount;
}

void TimeSeries::add_level(Cycle from, Cycle to, double level) {
  while (from < to) {
    const Cycle end = std::min(to, (from / interval_ + 1) * interval_);
    add(from, level * static_cast<double>(end - from));
    from = end;
  }
}

// ---- Entries -----------------------------------------------------------------------------------

namespace stats_detail {

void registration_error(const std::string& what) {
  std::fprintf(stderr, "warpmem: statistics: %s\n", what.c_str());
  std::abort();
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::counter:
      return "counter";
    case Kind::peak:
      return "peak";
    case Kind::ratio:
      return "ratio";
    case Kind::histogram:
      return "histogram";
    case Kind::series:
      return "series";
  }
  return "";
}

std::size_t Entry::cells() const {
  switch (kind) {
    case Kind::counter:
    case Kind::peak:
      return 1;
    case Kind::ratio:
      return 2;
    case Kind::histogram:
      return histogram->counts().size() + 2;
    case Kind::series:
      return 0;
  }
  return 0;
}

void Entry::read(std::uint64_t* out) const {
  switch (kind) {
    case Kind::counter:
    case Kind::peak:
      *out = *value;
      break;
    case Kind::ratio:
      out[0] = *value;
      out[1] = *denominator;
      break;
    case Kind::histogram:
      out = std::copy(histogram->counts().begin(), histogram->counts().end(), out);
      out[0] = histogram->samples();
      out[1] = histogram->sum();
      break;
    case Kind::series:
      break;
  }
}

std::string_view Words::keep(std::string_view word) {
  const auto known = known_.find(word);
  if (known != known_.end()) return *known;
  return *known_.insert(words_.emplace_back(word)).first;
}

void Entries::check_new(std::string_view name) const {
  const auto fail = [&](const char* how) {
    registration_error(path + "." + std::string(name) + " is registered " + how);
  };
  if (frozen) fail("after the first kernel began");
  if (alike != nullptr) return;  // it must have the names of the first: check_same_names()
  for (const Entry& other : entries)
    if (other.name == name) fail("twice");
  for (const Probe& other : probes)
    if (other.name == name) fail("twice");
}

void Entries::add(Entry entry) {
  check_new(entry.name);
  if (alike != nullptr && entries.empty()) entries.reserve(alike->entries.size());
  const bool has_twin = alike != nullptr && entries.size() < alike->entries.size();
  const Entry* const twin = has_twin ? &alike->entries[entries.size()] : nullptr;
  for (const auto word : {&Entry::name, &Entry::unit, &Entry::doc, &Entry::clock}) {
    const bool known = has_twin && entry.*word == twin->*word;  // sooner compared than looked up
    entry.*word = known ? twin->*word : words->keep(entry.*word);
  }
  entries.push_back(entry);
}

void Entries::add(Probe probe) {
  check_new(probe.name);
  probes.push_back(std::move(probe));
}

}  // namespace stats_detail

// ---- StatGroup ---------------------------------------------------------------------------------

using stats_detail::Entry;
using stats_detail::Kind;

namespace {
Entry make_entry(Kind kind, std::string_view name, std::string_view unit, std::string_view doc) {
  Entry entry;
  entry.kind = kind;
  entry.name = name;
  entry.unit = unit;
  entry.doc = doc;
  return entry;
}
}  // namespace

void StatGroup::counter(std::string_view name, const std::uint64_t& value, std::string_view unit,
                        std::string_view doc) {
  Entry entry = make_entry(Kind::counter, name, unit, doc);
  entry.value = &value;
  impl_->add(std::move(entry));
}

void StatGroup::peak(std::string_view name, std::uint64_t& value, std::string_view unit,
                     std::string_view doc) {
  Entry entry = make_entry(Kind::peak, name, unit, doc);
  entry.value = entry.peak = &value;
  impl_->add(std::move(entry));
}

void StatGroup::ratio(std::string_view name, const std::uint64_t& numerator,
                      const std::uint64_t& denominator, std::string_view doc) {
  Entry entry = make_entry(Kind::ratio, name, "", doc);
  entry.value = &numerator;
  entry.denominator = &denominator;
  impl_->add(std::move(entry));
}

void StatGroup::histogram(std::string_view name, const Histogram& value, std::string_view unit,
                          std::string_view doc) {
  Entry entry = make_entry(Kind::histogram, name, unit, doc);
  entry.histogram = &value;
  impl_->add(std::move(entry));
}

void StatGroup::series(std::string_view name, const TimeSeries& value, std::string_view unit,
                       std::string_view doc, std::string_view clock) {
  Entry entry = make_entry(Kind::series, name, unit, doc);
  entry.clock = clock.empty() ? std::string_view(impl_->series_clock) : clock;
  entry.series = &value;
  impl_->add(std::move(entry));
}

void StatGroup::series_clock(std::string_view clock) { impl_->series_clock = clock; }

void StatGroup::level(std::string_view name, std::function<std::uint64_t()> read,
                      std::string_view unit, std::string_view doc) {
  impl_->add(stats_detail::Probe{std::string(name), std::string(unit), std::string(doc), false,
                                 std::move(read)});
}

void StatGroup::amount(std::string_view name, std::function<std::uint64_t()> read,
                       std::string_view unit, std::string_view doc) {
  impl_->add(stats_detail::Probe{std::string(name), std::string(unit), std::string(doc), true,
                                 std::move(read)});
}

void StatGroup::law(std::string_view name, std::function<std::string()> check) {
  impl_->laws.push_back({std::string(name), std::move(check)});
}

void StatGroup::before_snapshot(std::function<void()> update) {
  impl_->updates.push_back(std::move(update));
}

void StatGroup::leave_out_time(std::function<void()> leave_out) {
  impl_->leave_outs.push_back(std::move(leave_out));
}

void StatGroup::only_when_used(const std::uint64_t& count) { impl_->used = &count; }

std::string expect_equal(std::string_view left, std::uint64_t a, std::string_view right,
                         std::uint64_t b) {
  if (a == b) return "";
  return std::string(left) + " " + std::to_string(a) + " != " + std::string(right) + " " +
         std::to_string(b);
}

}  // namespace warpmem
