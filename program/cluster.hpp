// SPDX-License-Identifier: Apache-2.0
// Thread-block clusters (PTX ISA 8 section 2.2.1): boxes of CTAs that run at the same time and
// reach each other's shared memory. Clusters of a grid are numbered as CTAs are, x fastest, and so
// are the CTAs of a cluster, whose number there is their rank.
#pragma once

#include <cstdint>

#include "program/program.hpp"

namespace warpmem::program {

inline constexpr unsigned kMostClusterCtas = 16;  ///< CTAs of a cluster

/// Addresses in a cluster's shared memory, as Issue has them: the rank of the CTA whose it is above
/// an offset in it.
inline constexpr unsigned kClusterRankBit = 24;
inline constexpr unsigned cluster_rank(Addr address) {
  return static_cast<unsigned>(address >> kClusterRankBit);
}
inline constexpr std::uint32_t cluster_offset(Addr address) {
  return static_cast<std::uint32_t>(address & ((Addr(1) << kClusterRankBit) - 1));
}
inline constexpr Addr cluster_address(unsigned rank, Addr offset) {
  return Addr(rank) << kClusterRankBit | offset;
}

inline Dim3 position(std::uint64_t number, Dim3 in) {
  return {static_cast<std::uint32_t>(number % in.x),
          static_cast<std::uint32_t>(number / in.x % in.y),
          static_cast<std::uint32_t>(number / in.x / in.y)};
}
inline std::uint64_t number_of(Dim3 at, Dim3 in) {
  return at.x + std::uint64_t(in.x) * (at.y + std::uint64_t(in.y) * at.z);
}

/// Where the CTAs of a launch stand in its clusters. The grid is a multiple of the cluster in each
/// dimension.
class Clusters {
 public:
  explicit Clusters(const KernelTraits& traits)
      : grid_(traits.grid),
        shape_(traits.cluster),
        clusters_{grid_.x / shape_.x, grid_.y / shape_.y, grid_.z / shape_.z} {}

  unsigned ctas_each() const { return static_cast<unsigned>(shape_.count()); }
  /// Clusters in each dimension.
  Dim3 count() const { return clusters_; }
  /// The number of the cluster of CTA `index`, and the CTA's rank in it.
  std::uint64_t cluster_of(std::uint64_t index) const {
    const Dim3 at = position(index, grid_);
    return number_of({at.x / shape_.x, at.y / shape_.y, at.z / shape_.z}, clusters_);
  }
  unsigned rank_of(std::uint64_t index) const {
    const Dim3 at = position(index, grid_);
    return static_cast<unsigned>(
        number_of({at.x % shape_.x, at.y % shape_.y, at.z % shape_.z}, shape_));
  }
  /// The CTA of that rank.
  std::uint64_t cta(std::uint64_t cluster, unsigned rank) const {
    const Dim3 first = position(cluster, clusters_), in = position(rank, shape_);
    return number_of(
        {first.x * shape_.x + in.x, first.y * shape_.y + in.y, first.z * shape_.z + in.z}, grid_);
  }

 private:
  Dim3 grid_, shape_, clusters_;
};

}  // namespace warpmem::program
