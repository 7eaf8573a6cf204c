// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace warpmem::program::ptx {

/// The PTX of texture_library.cu, made by the build.
extern const std::string_view kTextureLibrary;

}  // namespace warpmem::program::ptx
