// SPDX-License-Identifier: Apache-2.0
// What thread blocks take of an SM for as long as they are there (docs/mechanisms.md 1.1).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/types.hpp"
#include "program/program.hpp"

namespace warpmem::sm {

struct Resources {
  std::uint64_t ctas = 0;
  std::uint64_t warps = 0;
  std::uint64_t registers = 0;     ///< of 32 bits
  std::uint64_t shared_bytes = 0;  ///< of shared memory

  Resources& operator+=(const Resources& other) {
    ctas += other.ctas;
    warps += other.warps;
    registers += other.registers;
    shared_bytes += other.shared_bytes;
    return *this;
  }
  /// Precondition: fits(other).
  Resources& operator-=(const Resources& other) {
    ctas -= other.ctas;
    warps -= other.warps;
    registers -= other.registers;
    shared_bytes -= other.shared_bytes;
    return *this;
  }
  /// Returns whether `need` is there.
  bool fits(const Resources& need) const {
    return need.ctas <= ctas && need.warps <= warps && need.registers <= registers &&
           need.shared_bytes <= shared_bytes;
  }
  /// Returns how often `need`, which has a CTA, is there.
  unsigned times(const Resources& need) const {
    const auto most = [](std::uint64_t there, std::uint64_t wanted) {
      return wanted == 0 ? std::numeric_limits<std::uint64_t>::max() : there / wanted;
    };
    return static_cast<unsigned>(
        std::min({ctas / need.ctas, most(warps, need.warps), most(registers, need.registers),
                  most(shared_bytes, need.shared_bytes)}));
  }
};

/// Returns what a CTA of the kernel takes, `reserved` bytes of shared memory among it that are not
/// the kernel's.
inline Resources needs(const program::KernelTraits& traits, std::uint64_t reserved) {
  return {1, traits.warps_per_cta,
          std::uint64_t(traits.registers_per_thread) * traits.warps_per_cta * kWarpLanes,
          traits.shared_bytes + reserved};
}

}  // namespace warpmem::sm
