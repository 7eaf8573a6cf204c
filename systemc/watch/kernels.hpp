// SPDX-License-Identifier: Apache-2.0
// The kernels of a launch by the numbers that its requests carry: CTAs are numbered over all
// kernels that run together (Access::cta).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gpu/machine.hpp"

namespace warpmem::watch {

class Kernels {
 public:
  void begin(const std::vector<gpu::Launch>& launches) {
    grids_.clear();
    ends_.clear();
    std::uint64_t ctas = 0;
    for (const gpu::Launch& launch : launches) {
      grids_.push_back(launch.grid);
      ends_.push_back(ctas += launch.grid->ctas());
    }
  }
  unsigned size() const { return static_cast<unsigned>(grids_.size()); }
  const program::Grid& operator[](unsigned kernel) const { return *grids_[kernel]; }
  /// The kernel of a CTA.
  unsigned of(std::uint32_t cta) const {
    if (grids_.size() == 1) return 0;
    return static_cast<unsigned>(std::upper_bound(ends_.begin(), ends_.end(), cta) - ends_.begin());
  }
  /// The number of a CTA in its own grid.
  std::uint64_t index_of(std::uint32_t cta) const {
    const unsigned kernel = of(cta);
    return kernel == 0 ? cta : cta - ends_[kernel - 1];
  }

 private:
  std::vector<program::Grid*> grids_;
  std::vector<std::uint64_t> ends_;  // first CTA after those of each kernel
};

}  // namespace warpmem::watch
