// SPDX-License-Identifier: Apache-2.0
// Separate device compilation: the PTX texts of several translation units become one, as nvcc's
// device linker joins their machine code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmem::program::cuda {

/// A static variable that the host uses has a name of its own in a unit (`x__static__NUMBER`), but
/// clang calls it by its old name in what it wrote before it saw that use. Returns the unit with
/// the new name everywhere.
std::string with_one_name(std::string unit);

/// Returns one text with everything the units define. What a unit keeps to itself gets a name of
/// its own; .weak definitions and declarations occur once; .extern declarations give way to
/// definitions. `names` are the units' names for messages. Throws UserError when two units define
/// one symbol. A function that nobody defines stays .extern: the kernel that calls it cannot be
/// launched.
std::string link_device_code(const std::vector<std::string_view>& units,
                             const std::vector<std::string>& names);

}  // namespace warpmem::program::cuda
