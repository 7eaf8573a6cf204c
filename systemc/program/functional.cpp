// SPDX-License-Identifier: Apache-2.0
#include "program/functional.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/errors.hpp"

namespace warpmem::program {
namespace {

enum class WarpState : std::uint8_t { running, at_barrier, finished };

class CtaRunner {
 public:
  CtaRunner(Grid& grid, std::uint64_t limit, FunctionalResult& result)
      : grid_(grid), limit_(limit), result_(result), state_(grid.traits().warps_per_cta) {}

  void run(std::uint64_t index) {
    const auto cta = grid_.start_cta(index, SmView{});
    std::fill(state_.begin(), state_.end(), WarpState::running);
    bool left = true;
    while (left) {
      left = false;
      for (unsigned warp = 0; warp < state_.size(); ++warp)
        if (state_[warp] == WarpState::running) run_to_barrier(*cta, warp);
      // Every warp that is left now waits: the barrier opens. Warps that have exited count as
      // arrived, as on the hardware.
      for (auto& state : state_) {
        if (state != WarpState::at_barrier) continue;
        state = WarpState::running;
        left = true;
      }
    }
  }

 private:
  void run_to_barrier(Cta& cta, unsigned warp) {
    while (cta.next(warp) != nullptr) {
      if (result_.warp_instructions == limit_)
        throw UserError("kernel " + grid_.traits().name + ": no end after " +
                        std::to_string(limit_) + " warp instructions");
      const Issue& issue = cta.execute(warp);
      ++result_.warp_instructions;
      result_.thread_instructions += static_cast<unsigned>(__builtin_popcount(issue.lanes));
      if (issue.exited) break;
      if (issue.inst->op_class == OpClass::barrier && issue.lanes != 0) {
        state_[warp] = WarpState::at_barrier;
        return;
      }
    }
    state_[warp] = WarpState::finished;
  }

  Grid& grid_;
  std::uint64_t limit_;
  FunctionalResult& result_;
  std::vector<WarpState> state_;
};

}  // namespace

FunctionalResult run_functional(Grid& grid, std::uint64_t first, std::uint64_t count,
                                std::uint64_t instruction_limit) {
  FunctionalResult result;
  CtaRunner runner(grid, instruction_limit, result);
  const std::uint64_t ctas = grid.ctas();
  const std::uint64_t end = first >= ctas ? first : first + std::min(count, ctas - first);
  for (std::uint64_t index = first; index < end; ++index) runner.run(index);
  return result;
}

}  // namespace warpmem::program
