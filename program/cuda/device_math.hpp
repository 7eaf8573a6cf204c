// SPDX-License-Identifier: Apache-2.0
// How exact the floating-point code of kernels is.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpmem::program::cuda {

/// What the command line says; a part without a value is what `fast` makes of it. Parts stay apart
/// until the end since clang takes some of its options only once.
struct DeviceMath {
  bool fast = false;                    ///< -use_fast_math
  std::optional<bool> flush_denormals;  ///< -ftz
  std::optional<bool> exact_division;   ///< -prec-div
  std::optional<bool> exact_root;       ///< -prec-sqrt
  std::optional<bool> contract;         ///< -fmad
};

/// Returns clang's options for it.
std::vector<std::string> clang_options(const DeviceMath& math);

}  // namespace warpmem::program::cuda
