// SPDX-License-Identifier: Apache-2.0
// Parts of a launch: its first CTAs for the machine, the others executed without it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "program/functional.hpp"
#include "program/program.hpp"

namespace warpmem::program {

/// These are the first `count` CTAs of a grid; the kernel still sees the whole grid's dimensions.
class FirstCtas final : public Grid {
 public:
  FirstCtas(Grid& grid, std::uint64_t count) : grid_(grid), count_(std::min(count, grid.ctas())) {}
  Grid& whole() { return grid_; }
  const KernelTraits& traits() const override { return grid_.traits(); }
  std::uint64_t ctas() const override { return count_; }
  std::unique_ptr<Cta> start_cta(std::uint64_t index, const SmView& view) override {
    return grid_.start_cta(index, view);
  }
  std::string mnemonic(const InstInfo& inst) const override { return grid_.mnemonic(inst); }
  std::string place(std::uint32_t pc) const override { return grid_.place(pc); }

 private:
  Grid& grid_;
  std::uint64_t count_;
};

struct WrittenRange {
  Addr address = 0;
  std::uint64_t bytes = 0;
};

/// This is what CTAs that were executed without the machine did.
struct FastForward {
  FunctionalResult executed;
  /// These are the lines of kMaxLineBytes that they wrote in global memory, joined, ascending,
  /// which the machine's memory has to learn.
  std::vector<WrittenRange> written;
};

/// Executes the CTAs from `first` on. Throws UserError like run_functional().
FastForward fast_forward(Grid& grid, std::uint64_t first = 0);

}  // namespace warpmem::program
