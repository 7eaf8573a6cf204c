// SPDX-License-Identifier: Apache-2.0
// Other programs, started without a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmem {

/// What to run and where. With every path empty the program works in our directory and on our
/// standard streams. Relative paths of `log` and `output` start at our directory.
struct Process {
  std::vector<std::string> argv;              ///< argv[0] is looked up in PATH
  std::string debian_package = {};            ///< what to install when argv[0] is missing
  std::filesystem::path directory = {};       ///< working directory of the program
  std::filesystem::path log = {};             ///< receives stdout and stderr; replaced
  std::filesystem::path output = {};          ///< receives stdout instead; replaced
  std::vector<std::string> environment = {};  ///< NAME=VALUE, besides ours or instead of one of it
};

/// Runs it to its end and returns its exit status (128 + n when signal n ended it). A program with
/// a log or an output reads an empty standard input. Throws UserError that names the Debian package
/// when the program is not installed, and one when it cannot be started, the directory does not
/// exist or a file cannot be written.
int run_process(const Process& process);

}  // namespace warpmem
