// SPDX-License-Identifier: Apache-2.0
// The knee of a curve of which each point costs a run: the least value at which a metric is within
// a share of its best. Bisection needs the ends and about log2 of the values between, provided that
// more of the resource never hurts; where the points that ran say otherwise, all of them run.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace warpmem::sweeps {

class KneeSearch {
 public:
  /// `values`: how many there are, ascending, at least 2. `within`: share of the best, 0 < s < 1.
  /// `exhaustive`: all values are to be measured.
  KneeSearch(std::size_t values, double within, bool more_is_better, bool exhaustive = false);

  /// Returns the values, by number, that are to be measured next; empty: the knee is known.
  std::vector<std::size_t> wanted() const;
  /// Sets what was measured at a value. Precondition: result > 0.
  void measured(std::size_t value, double result);
  std::optional<double> result(std::size_t value) const { return results_[value]; }

  /// Returns whether no value that was measured is worse than a smaller one by more than the share.
  bool monotone() const;
  /// Precondition: wanted() is empty.
  std::size_t knee() const;
  /// The value with the best result so far.
  std::size_t best() const;
  /// Result at the value as a share of the best one; more is better whatever the metric.
  double share(std::size_t value) const;
  std::size_t runs() const;

 private:
  double goodness(std::size_t value) const;
  bool suffices(std::size_t value) const { return share(value) >= 1 - within_; }

  std::vector<std::optional<double>> results_;
  double within_;
  bool more_is_better_;
  bool exhaustive_;
};

}  // namespace warpmem::sweeps
