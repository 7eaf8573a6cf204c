// SPDX-License-Identifier: Apache-2.0
#include "sweeps/cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace warpmem::sweeps {

namespace {

constexpr double kShortest = 1e-3;  // seconds
constexpr int kPasses = 4;          // of a fit that converges fast
constexpr double kNews = 1.05;      // so many times the samples are worth a new fit

template <class Name>
std::size_t index(std::map<Name, std::size_t>& known, const Name& name) {
  return known.emplace(name, known.size()).first->second;
}

}  // namespace

void CostModel::learn(const Database& earlier) {
  earlier.visit_costs([this](const RunCost& run) {
    learn(program(run.workload, run.arguments), config(run.config), run.seconds);
  });
}

void CostModel::learn(const std::vector<StoredCost>& stored) {
  for (const StoredCost& cost : stored)
    learn(program(cost.workload, cost.arguments), config("stored"), cost.seconds);
}

std::string CostModel::bare_name(const std::string& workload, const std::string& arguments) {
  const std::string tail = " " + arguments;
  const std::size_t bare = workload.size() - std::min(workload.size(), tail.size());
  return !arguments.empty() && workload.compare(bare, std::string::npos, tail) == 0
             ? workload.substr(0, bare)
             : workload;
}

void CostModel::learn(const std::string& program, std::size_t config, double seconds) {
  samples_.push_back(
      {index(programs_, program), index(configs_, config), std::log(std::max(seconds, kShortest))});
}

void CostModel::fit() const {
  const bool new_name =
      of_program_.size() != programs_.size() || of_config_.size() != configs_.size();
  if (!new_name && static_cast<double>(samples_.size()) < kNews * static_cast<double>(fitted_))
    return;
  fitted_ = samples_.size();
  of_program_.assign(programs_.size(), 0);
  of_config_.assign(configs_.size(), 0);
  // One is the mean of what the other leaves, in turn.
  const auto means = [this](std::vector<double>& of, const std::vector<double>& other,
                            std::size_t Sample::*mine, std::size_t Sample::*others) {
    std::vector<double> sums(of.size()), counts(of.size());
    for (const Sample& s : samples_) {
      sums[s.*mine] += s.log_seconds - other[s.*others];
      counts[s.*mine] += 1;
    }
    for (std::size_t i = 0; i < of.size(); ++i) of[i] = sums[i] / counts[i];
  };
  for (int pass = 0; pass < kPasses; ++pass) {
    means(of_program_, of_config_, &Sample::program, &Sample::config);
    means(of_config_, of_program_, &Sample::config, &Sample::program);
  }
  // An unknown configuration is an average one.
  double mean = 0;
  for (const double c : of_config_) mean += c / static_cast<double>(of_config_.size());
  for (double& c : of_config_) c -= mean;
  for (double& p : of_program_) p += mean;
}

std::optional<double> CostModel::estimate(const std::string& program, std::size_t config) const {
  const auto p = programs_.find(program);
  if (p == programs_.end()) return std::nullopt;
  fit();
  const auto c = configs_.find(config);
  return std::exp(of_program_[p->second] + (c == configs_.end() ? 0 : of_config_[c->second]));
}

}  // namespace warpmem::sweeps
