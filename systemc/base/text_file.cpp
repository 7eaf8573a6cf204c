// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "base/errors.hpp"
#include "base/output_file.hpp"

namespace warpmem {

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || std::filesystem::is_directory(file))
    throw UserError(fmt::format("{}: cannot be read", file.string()));
  return text.str();
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  OutputFile out(file);
  out.write(text);
  out.commit();
}

}  // namespace warpmem
