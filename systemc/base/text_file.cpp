// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/errors.hpp"
#include "base/output_file.hpp"

namespace warpmem {

std::string read_text(const std::filesystem::path& file) {
  const auto fail = [&file](int error) {
    throw UserError(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(error)));
  };
  std::error_code none;
  if (std::filesystem::is_directory(file, none)) fail(EISDIR);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(errno);
  std::ostringstream text;
  text << in.rdbuf();
  if (text.bad()) fail(errno);
  return text.str();
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  OutputFile out(file);
  out.write(text);
  out.commit();
}

}  // namespace warpmem
