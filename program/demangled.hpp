// SPDX-License-Identifier: Apache-2.0
// Names of C++ functions and variables.
#pragma once

#include <string>

namespace warpmem::program {

/// Returns a mangled C++ name as the user wrote it; other names come back as they are.
std::string demangled(const std::string& name);

}  // namespace warpmem::program
