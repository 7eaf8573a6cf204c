// SPDX-License-Identifier: Apache-2.0
// Reads and writes whole files as text.
#pragma once

#include <filesystem>
#include <string>

namespace warpmem {

/// Returns the text of the file. Throws UserError when it cannot be read.
std::string read_text(const std::filesystem::path& file);

/// Writes the file as base/output_file.hpp says. Throws EnvironmentError when it cannot be written.
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace warpmem
