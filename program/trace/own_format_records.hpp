// SPDX-License-Identifier: Apache-2.0
// The numbers that writer and reader of the own format share; docs/trace-format.md explains them.
#pragma once

#include <array>
#include <cstdint>

#include "program/trace/trace.hpp"

namespace warpmem::program::trace {

inline constexpr std::array<char, 8> kOwnMagic = {'W', 'M', 'T', 'R', 'A', 'C', 'E', '\0'};
inline constexpr std::uint32_t kOwnVersion = 1;
inline constexpr std::size_t kOwnHeaderBytes = 16;    ///< magic, version, zero
inline constexpr std::size_t kBlockHeaderBytes = 12;  ///< stored bytes, raw bytes, CRC-32
inline constexpr std::size_t kMostRawBytes = 1u << 20;
/// A block is written out at this size, a warp's steps are cut into records of this size.
inline constexpr std::size_t kBlockTarget = 512u << 10;
inline constexpr std::size_t kStepsTarget = 64u << 10;

enum class Record : std::uint8_t {
  allocate = 1,
  release = 2,
  host_wrote = 3,
  launch = 4,
  instruction = 5,
  steps = 6,
  end_cta = 7,
  end_kernel = 8,
  note = 9,
  trailer = 10,
  tensor_map = 11,
  cluster_launch = 12,
  host_read = 13,
  prefetch = 14
};

/// A bit beside the part in asynchronous copies, of copies of tiles.
inline constexpr std::uint8_t kTileBit = 128;
/// The part in the barrier of the cluster lies above that in asynchronous copies.
inline constexpr unsigned kClusterBarrierShift = 5;
inline constexpr std::uint8_t kAsyncPart = (1u << kClusterBarrierShift) - 1;

/// These are flags in the first byte of a step.
namespace step_flag {
inline constexpr std::uint8_t kExited = 1;
inline constexpr std::uint8_t kSameLanes = 2;  ///< lanes are as in the step before in the record
inline constexpr std::uint8_t kNextInst = 4;   ///< instruction is one more than in the step before
inline constexpr std::uint8_t kStaticSpace = 8;
inline constexpr std::uint8_t kStride = 16;  ///< addresses: base and one stride
inline constexpr std::uint8_t kDeltas = 32;  ///< addresses: base and a difference a lane
inline constexpr std::uint8_t kBarrier = 64;
inline constexpr std::uint8_t kAll = 127;
}  // namespace step_flag

/// What the file says at its end.
struct OwnTotals {
  std::uint64_t commands = 0;  ///< launches among them
  std::uint64_t launches = 0;
  std::uint64_t ctas = 0;
  std::uint64_t steps = 0;
  std::uint64_t addresses = 0;
};

/// Returns whether a step carries an address for each lane.
inline bool carries_addresses(const InstInfo& inst, LaneMask lanes, Space space) {
  return inst.mem != MemOp::none && lanes != 0 && has_addresses(space);
}

/// Small signed numbers become small unsigned ones.
inline std::uint64_t zigzag(std::uint64_t difference) {
  return (difference << 1) ^ (0 - (difference >> 63));
}
inline std::uint64_t unzigzag(std::uint64_t code) { return (code >> 1) ^ (0 - (code & 1)); }

}  // namespace warpmem::program::trace
