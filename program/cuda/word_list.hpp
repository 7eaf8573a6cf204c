// SPDX-License-Identifier: Apache-2.0
// Operands that are lists.
#pragma once

#include <string>
#include <vector>

namespace warpmem::program::cuda {

/// Returns what stands between commas and spaces, without what is empty.
std::vector<std::string> split_words(const std::string& text);

}  // namespace warpmem::program::cuda
