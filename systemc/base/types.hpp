// SPDX-License-Identifier: Apache-2.0
// Types that every folder shares.
#pragma once

#include <cstdint>
#include <limits>

namespace warpmem {

/// Number of a clock edge of one clock domain, counted from 0 at the start of simulation.
using Cycle = std::uint64_t;
/// "No cycle": what a sleeping module returns from tick().
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

/// Simulated time in femtoseconds, the resolution of the simulation (2^64 fs = 5.1 hours).
using Femtoseconds = std::uint64_t;
inline constexpr std::uint64_t kFemtosecondsPerSecond = 1'000'000'000'000'000ULL;

/// Byte address in the device's address space.
using Addr = std::uint64_t;

/// Bit i is lane i of a warp.
using LaneMask = std::uint32_t;
inline constexpr unsigned kWarpLanes = 32;
inline constexpr LaneMask kAllLanes = ~LaneMask(0);

/// Longest line that a payload can carry, in bytes.
inline constexpr unsigned kMaxLineBytes = 128;
/// Bytes of a sector, the least that a read brings (docs/mechanisms.md 1.1, coalescer).
inline constexpr unsigned kSectorBytes = 32;

/// Index types that must not be mixed up: Index<struct Tag> converts only explicitly.
template <class Tag, class Rep = std::uint32_t>
struct Index {
  Rep value{};
  constexpr Index() = default;
  constexpr explicit Index(Rep v) : value(v) {}
  constexpr bool operator==(Index o) const { return value == o.value; }
  constexpr bool operator!=(Index o) const { return value != o.value; }
  constexpr bool operator<(Index o) const { return value < o.value; }
};
using SmId = Index<struct SmTag, std::uint16_t>;
using PartitionId = Index<struct PartitionTag, std::uint16_t>;
using SliceId = Index<struct SliceTag, std::uint16_t>;
using BankId = Index<struct BankTag, std::uint16_t>;

}  // namespace warpmem
