// SPDX-License-Identifier: Apache-2.0
// Words of a command line that stand elsewhere: in the environment, and in files.
#pragma once

#include <string>
#include <vector>

namespace warpmem::program::cuda {

/// Returns the arguments between the words of nvcc's variables NVCC_PREPEND_FLAGS and
/// NVCC_APPEND_FLAGS, and with the words of the named files in the place of `@FILE`, -optf FILE and
/// --options-file FILE; files in files are not looked into. Throws UserError when there is no such
/// file.
std::vector<std::string> all_words(const std::vector<std::string>& arguments);

}  // namespace warpmem::program::cuda
