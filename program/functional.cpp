// SPDX-License-Identifier: Apache-2.0
#include "program/functional.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "program/cluster_runner.hpp"

namespace warpmem::program {
namespace {

/// Instructions of a cluster without a sign of progress until another one may run beside it, ...
constexpr std::uint64_t kClusterPatience = 32'768;
/// ... and until it is the turn of another one that does.
constexpr std::uint64_t kClusterTurn = 256;
/// Clusters that run beside each other.
constexpr std::size_t kMostClusters = 1024;

/// Runs the clusters of a grid in their order, one after the other as long as none has to wait for
/// what a later one does.
class Schedule {
 public:
  Schedule(Grid& grid, const FunctionalLimits& limits, FunctionalResult& result)
      : grid_(grid), limits_(limits), result_(result) {}

  void run(std::uint64_t next, std::uint64_t end) {
    std::uint64_t progress_at = 0;
    while (next != end || !running_.empty()) {
      if (running_.empty()) add(next++);
      bool progress = false;
      for (auto& runner : running_)
        progress |= runner->run(running_.size() == 1 ? kClusterPatience : kClusterTurn);
      const auto ended = std::stable_partition(running_.begin(), running_.end(),
                                               [](const auto& runner) { return !runner->ended(); });
      std::move(ended, running_.end(), std::back_inserter(spare_));
      running_.erase(ended, running_.end());
      if (progress) {
        progress_at = result_.warp_instructions;
        continue;
      }
      if (result_.warp_instructions - progress_at < kClusterPatience * running_.size()) continue;
      // Twice as many, so that the last one that the others wait for is soon there.
      for (std::size_t more = running_.size();
           more != 0 && next != end && running_.size() < kMostClusters; --more)
        add(next++);
      if (result_.warp_instructions - progress_at >= limits_.without_progress)
        throw UserError("kernel " + grid_.traits().name + ": " +
                        std::to_string(limits_.without_progress) +
                        " warp instructions without a store, a barrier or the end of a warp: it "
                        "waits for what never comes; " +
                        running_.front()->place());
    }
  }

 private:
  void add(std::uint64_t cluster) {
    if (spare_.empty()) {
      running_.push_back(std::make_unique<ClusterRunner>(grid_, limits_.instructions, result_));
    } else {
      running_.push_back(std::move(spare_.back()));
      spare_.pop_back();
    }
    running_.back()->start(cluster);
  }

  Grid& grid_;
  const FunctionalLimits& limits_;
  FunctionalResult& result_;
  std::vector<std::unique_ptr<ClusterRunner>> running_, spare_;
};

}  // namespace

FunctionalResult run_functional(Grid& grid, std::uint64_t first, std::uint64_t count,
                                const FunctionalLimits& limits) {
  FunctionalResult result;
  const std::uint64_t ctas = grid.ctas();
  const std::uint64_t end = first >= ctas ? first : first + std::min(count, ctas - first);
  const std::uint64_t each = grid.traits().cluster.count();
  if (first % each != 0 || end % each != 0)
    throw UserError("kernel " + grid.traits().name + ": CTAs " + std::to_string(first) + " to " +
                    std::to_string(end) + " are no whole clusters of " + std::to_string(each));
  Schedule(grid, limits, result).run(first / each, end / each);
  return result;
}

}  // namespace warpmem::program
