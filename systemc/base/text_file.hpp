// SPDX-License-Identifier: Apache-2.0
// Whole files as text.
#pragma once

#include <filesystem>
#include <string>

namespace warpmem {

/// UserError when it cannot be read.
std::string read_text(const std::filesystem::path& file);

/// Writes the file as base/output_file.hpp says; EnvironmentError when it cannot be written.
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace warpmem
