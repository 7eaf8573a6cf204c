// SPDX-License-Identifier: Apache-2.0
// Tools that build units.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmem::cosim {

/// Runs `argv` (argv[0] looked up in PATH) in `directory`, with its output in the file `log` there,
/// which is replaced. Throws UserError that names the Debian package when the program is not
/// installed, and one with its end and the log's first lines when it fails; `what` says what was
/// being done.
void run_tool(const std::vector<std::string>& argv, const std::filesystem::path& directory,
              const std::string& log, const std::string& what);

}  // namespace warpmem::cosim
