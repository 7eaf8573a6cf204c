// SPDX-License-Identifier: Apache-2.0
// Sections of a program or library whose names say what clang has no attribute for.
#pragma once

#include <optional>
#include <string>

namespace warpmem::program::cuda {

/// Returns what follows `prefix` in the name of the section in which `address` lies; nothing when
/// that name begins otherwise.
std::optional<std::string> section_of(const void* address, const std::string& prefix);

}  // namespace warpmem::program::cuda
