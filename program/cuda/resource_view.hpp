// SPDX-License-Identifier: Apache-2.0
// What part of an array a texture shows, and as what.
#pragma once

#include "program/cuda/include/texture_types.h"

namespace warpmem::program::cuda {

/// Returns whether the view shows every layer of an array of that many (0: it has none), its
/// elements as what they are. Levels of a mipmapped array are apart from this.
bool shows_as_it_is(const cudaResourceViewDesc& view, const cudaChannelFormatDesc& channels,
                    size_t layers);

}  // namespace warpmem::program::cuda
