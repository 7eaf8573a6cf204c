// SPDX-License-Identifier: Apache-2.0
// What the registry keeps behind stats.hpp: entries, their layout in rows of plain numbers, and the
// rows. It is private to stats*.cpp.
//
// A snapshot is a row of 64-bit cells. An entry owns 1 cell (counter, peak), 2 (ratio: both sides),
// bins + 2 (histogram: counts, samples, sum) or none (series, which live over the whole run). Every
// cell combines over instances and launches by addition, except a peak, which takes the maximum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/stats.hpp"

namespace warpmem::stats_detail {

/// Stops the program because statistics were registered wrongly. This is no assert(), since a
/// release build would read the rows out of bounds, and it is far from any hot path.
[[noreturn]] void registration_error(const std::string& what);

enum class Kind : std::uint8_t { counter, peak, ratio, histogram, series };
const char* kind_name(Kind kind);

/// The words of all entries, each of them once: the instances of a path say the same.
class Words {
 public:
  std::string_view keep(std::string_view word);

 private:
  std::deque<std::string> words_;
  std::unordered_set<std::string_view> known_;
};

/// Its words are kept by the registry.
struct Entry {
  Kind kind = Kind::counter;
  std::string_view name;
  std::string_view unit;
  std::string_view doc;
  std::string_view clock;                // clock of a series
  const std::uint64_t* value = nullptr;  // value of a counter or peak, or numerator
  const std::uint64_t* denominator = nullptr;
  std::uint64_t* peak = nullptr;  // the same as `value`, for the reset
  const Histogram* histogram = nullptr;
  const TimeSeries* series = nullptr;

  std::size_t cells() const;
  void read(std::uint64_t* out) const;
};

/// A level or an amount.
struct Probe {
  std::string name;
  std::string unit;
  std::string doc;
  bool grows = false;  // it is an amount
  std::function<std::uint64_t()> read;
};

struct Law {
  std::string name;
  std::function<std::string()> check;
};

/// What one instance registered.
struct Entries {
  std::string path;
  unsigned index = 0;
  const Entries* alike = nullptr;  // another instance of the path, registered before
  bool frozen = false;
  Words* words = nullptr;
  std::string series_clock;  // clock of series that name none
  std::vector<Entry> entries;
  std::vector<Probe> probes;
  std::vector<Law> laws;
  std::vector<std::function<void()>> updates;
  std::vector<std::function<void()>> leave_outs;
  const std::uint64_t* used = nullptr;  // the path is in the results once this is not 0

  void add(Entry entry);
  void add(Probe probe);

 private:
  void check_new(std::string_view name) const;
};

/// All instances of one path, and where their cells lie in a row.
struct Path {
  std::string name;
  std::vector<const Entries*> instances;  // instances by ascending index
  std::vector<std::size_t> offsets;       // first cell of entry i, counted from `base`
  std::size_t cells = 0;                  // cells of one instance
  std::size_t base = 0;                   // first cell in a row of combined instances
  std::size_t instance_base = 0;          // first cell in a row that keeps instances apart

  const std::vector<Entry>& entries() const { return instances.front()->entries; }
  bool used() const {
    return std::any_of(instances.begin(), instances.end(), [](const Entries* instance) {
      return instance->used == nullptr || *instance->used != 0;
    });
  }
};

using Row = std::vector<std::uint64_t>;

struct KernelRow {
  std::string name;
  Row row;
  std::uint64_t launch = 0;  // number among all launches of the program, from 1
  std::vector<KernelRun> together;
  Row instances;  // the same with instances apart; empty unless they are kept
};

/// Everything the output functions read.
struct Account {
  std::vector<Path> paths;         // paths by name, so that the order of construction does not show
  std::vector<KernelRow> kernels;  // rows with instances combined
  Row total;                       // row with instances and kernels combined
  Row instance_total;              // row with kernels combined and instances apart
};

inline double quotient(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0 ? 0.0 : static_cast<double>(numerator) / static_cast<double>(denominator);
}
inline std::string full_name(const Path& path, const Entry& entry) {
  return path.name + "." + std::string(entry.name);
}

std::string to_csv(const Account& account);
std::string to_table(const Account& account);

}  // namespace warpmem::stats_detail

namespace warpmem {

struct StatGroup::Impl : stats_detail::Entries {};

}  // namespace warpmem
