// SPDX-License-Identifier: Apache-2.0
// External commands, started without a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmem::synth {

struct Command {
  std::vector<std::string> argv;      ///< argv[0] is looked up in PATH
  std::filesystem::path directory;    ///< working directory of the command
  std::filesystem::path log;          ///< receives stdout and stderr, one after the other
  std::filesystem::path output = {};  ///< when set, receives stdout instead of the log
  std::string debian_package;         ///< what to install when argv[0] is missing
};

/// Runs the command to its end and returns its exit status (128 + n when signal n ended it).
/// Throws UserError that names the Debian package when the program is not installed, and when the
/// log cannot be written.
int run_command(const Command& command);

/// Whole file as text; UserError when it cannot be read.
std::string read_text(const std::filesystem::path& file);

/// Replaces the file by `text`; UserError when it cannot be written.
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace warpmem::synth
