// SPDX-License-Identifier: Apache-2.0
// Sizes in elements that arrays and textures may have, as on GPUs of compute capability 6 to 8.
#pragma once

#include <cstddef>

namespace warpmem::program::cuda {

inline constexpr std::size_t kMostWidth = 131072, kMostHeight = 65536;
inline constexpr std::size_t kMostSide3d = 16384;
inline constexpr std::size_t kMostSideLayered = 32768, kMostLayers = 2048;
inline constexpr std::size_t kMostElements = 1 << 27;  ///< of a texture of linear memory

}  // namespace warpmem::program::cuda
