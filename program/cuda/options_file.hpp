// SPDX-License-Identifier: Apache-2.0
// Command lines kept in files.
#pragma once

#include <string>
#include <vector>

namespace warpmem::program::cuda {

/// Returns the arguments with the words of the named files in the place of `@FILE`, -optf FILE and
/// --options-file FILE; files in files are not looked into. Throws UserError when there is no such
/// file.
std::vector<std::string> expand_files(const std::vector<std::string>& arguments);

}  // namespace warpmem::program::cuda
