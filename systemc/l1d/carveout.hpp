// SPDX-License-Identifier: Apache-2.0
// How a unified L1 is divided between shared memory and L1D (docs/mechanisms.md 1.11): the part
// that is shared memory, the carve-out, is one of a few sizes that the chip has, chosen at each
// launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors.hpp"

namespace warpmem::l1d {

struct Carveout {
  std::vector<std::uint64_t> steps;   ///< bytes, ascending, at least one
  std::optional<std::uint64_t> size;  ///< bytes wanted; none: by the kernel's need

  std::uint64_t largest() const { return steps.back(); }
  /// Returns the carve-out of a kernel whose blocks need `block_bytes` of shared memory, and of
  /// which `blocks` would fit an SM with the largest one: the smallest step that holds all of
  /// these, or, with a size, that and one block; if there is none, the largest.
  std::uint64_t of(std::uint64_t block_bytes, std::uint64_t blocks) const;
};

/// Reads the keys l1d.carveout ("auto" or a size) and l1d.carveout_steps (sizes, separated by
/// commas). What is wrong with them goes to `problems`; the result is of use if there was nothing.
Carveout read_carveout(const std::string& size, const std::string& steps, Problems& problems);

}  // namespace warpmem::l1d
