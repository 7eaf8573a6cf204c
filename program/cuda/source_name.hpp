// SPDX-License-Identifier: Apache-2.0
// The compile driver writes the name of the source behind the PTX, the runtime reads it back:
// errors in a kernel then name the file the user wrote.
#pragma once

#include <string>
#include <string_view>

namespace warpmem::program::cuda {

/// Returns a PTX comment line for the end of the text, so that line numbers stay. The name passes
/// through as_line().
std::string source_note(std::string_view source);
/// Returns the name in the note, or "PTX" when there is none.
std::string source_name(std::string_view ptx);

}  // namespace warpmem::program::cuda
