// SPDX-License-Identifier: Apache-2.0
#include "sweeps/knee_search.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace warpmem::sweeps {

KneeSearch::KneeSearch(std::size_t values, double within, bool more_is_better, bool exhaustive)
    : results_(values), within_(within), more_is_better_(more_is_better), exhaustive_(exhaustive) {
  assert(values >= 2 && within > 0 && within < 1);
}

std::vector<std::size_t> KneeSearch::wanted() const {
  const std::size_t last = results_.size() - 1;
  if (!exhaustive_ && !results_[0] && !results_[last]) return {0, last};
  std::vector<std::size_t> missing;
  for (std::size_t v = 0; v <= last; ++v)
    if (!results_[v]) missing.push_back(v);
  if (missing.empty() || exhaustive_ || !results_[0] || !results_[last] || !monotone())
    return missing;
  std::size_t low = 0, high = last;  // too little, enough
  for (std::size_t v = 0; v <= last; ++v) {
    if (!results_[v]) continue;
    if (suffices(v)) {
      high = v;
      break;
    }
    low = v;
  }
  if (high == 0 || low + 1 == high) return {};
  return {(low + high) / 2};
}

void KneeSearch::measured(std::size_t value, double result) {
  assert(result > 0);
  results_[value] = result;
}

double KneeSearch::goodness(std::size_t value) const {
  return more_is_better_ ? *results_[value] : 1 / *results_[value];
}

std::size_t KneeSearch::best() const {
  std::size_t best = results_.size();
  for (std::size_t v = 0; v < results_.size(); ++v)
    if (results_[v] && (best == results_.size() || goodness(v) > goodness(best))) best = v;
  assert(best != results_.size());
  return best;
}

double KneeSearch::share(std::size_t value) const { return goodness(value) / goodness(best()); }

bool KneeSearch::monotone() const {
  double most = 0;  // of smaller values
  for (std::size_t v = 0; v < results_.size(); ++v) {
    if (!results_[v]) continue;
    if (goodness(v) < most * (1 - within_)) return false;
    most = std::max(most, goodness(v));
  }
  return true;
}

std::size_t KneeSearch::knee() const {
  for (std::size_t v = 0; v < results_.size(); ++v)
    if (results_[v] && suffices(v)) return v;
  return results_.size() - 1;
}

std::size_t KneeSearch::runs() const {
  return static_cast<std::size_t>(
      std::count_if(results_.begin(), results_.end(), [](const auto& r) { return r.has_value(); }));
}

}  // namespace warpmem::sweeps
