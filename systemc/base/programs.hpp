// SPDX-License-Identifier: Apache-2.0
// Programs that warpmem starts, and the Debian packages that they come in. The table is
// tools/packages.txt, compiled in.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpmem {

/// The text of tools/packages.txt.
extern const std::string_view kPackagesText;

/// Returns the package of a program ("yosys-abc", "/usr/bin/python3"); empty when the table has
/// none.
std::string debian_package_of(std::string_view program);

/// Returns the absolute path of the first program of that name in PATH; empty when there is none.
std::filesystem::path program_in_path(const std::string& name);

/// Returns the absolute path of a program; one without a slash is the first in PATH. Throws
/// UserError that names the package when it is not installed, and std::logic_error for a name that
/// is neither a path nor in the table.
std::filesystem::path find_program(const std::string& program);

}  // namespace warpmem
