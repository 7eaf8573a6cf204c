// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace warpmem::program::ptx {

/// The PTX of heap_library.cu, made by the build.
extern const std::string_view kHeapLibrary;

/// Bytes before the blocks of a heap, of which the first eight hold how many bytes those may take
/// and all others are zero.
inline constexpr std::uint64_t kHeapHeader = 272;

}  // namespace warpmem::program::ptx
