// SPDX-License-Identifier: Apache-2.0
// Statistics over time: what an interval of simulated time has added to each counter, the ratios of
// that interval, and how levels stand at its end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/stats.hpp"

namespace warpmem {

class StatSampler {
 public:
  enum class Kind : std::uint8_t {
    counter,  ///< added in the interval
    ratio,    ///< of what the interval added to both sides; NaN: nothing to the lower one
    level,    ///< at the end of the interval
    amount    ///< added in the interval, a second
  };
  struct Column {
    std::string path;  ///< "l1d"
    std::string name;  ///< "hit_rate"
    std::string unit;  ///< of what is shown: "bytes/s" for an amount in bytes
    std::string doc;
    Kind kind = Kind::counter;
    unsigned instances = 1;
    std::size_t first = 0;  ///< its first instance among the values of all columns
  };

  /// Everything must be registered, and `registry` must outlive the sampler.
  explicit StatSampler(const StatRegistry& registry);

  /// One for each counter, ratio, level and amount, by path, of paths without use so far, too.
  const std::vector<Column>& columns() const { return columns_; }
  /// The column of that path and name, or nullptr.
  const Column* find(std::string_view path, std::string_view name) const;

  /// The interval begins. To be called, like end(), when all modules of an instant have ticked.
  void begin();
  /// It ends after `seconds`, above 0, and the next one begins.
  void end(double seconds);
  /// What the last interval that has ended shows, of one instance and of all.
  double value(const Column& column, unsigned instance) const;
  double value(const Column& column) const;

 private:
  struct Sides {
    std::uint64_t above = 0, below = 0;
  };
  double shown(Kind kind, const Sides& sides) const;
  void read(std::vector<Sides>& out) const;

  // The instances of each path. The registry's own list grows when a path is used at last, while
  // the columns stay as they are.
  std::vector<std::vector<const stats_detail::Entries*>> paths_;
  std::vector<Column> columns_;
  // By column and instance: readings at the begin, and what the interval has added since.
  std::vector<Sides> begin_, now_, added_;
  double seconds_ = 1;
};

}  // namespace warpmem
