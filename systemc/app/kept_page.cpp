// SPDX-License-Identifier: Apache-2.0
#include "app/kept_page.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/errors.hpp"
#include "base/text_file.hpp"

namespace warpmem::app {

std::string kept_page(const std::string& path, const std::string& fresh) {
  if (!std::filesystem::is_regular_file(path)) return "";  // what cannot be written is said later
  const std::string text = read_text(path);
  const std::string title = fresh.substr(0, fresh.find('\n'));
  if (text.empty() || text.substr(0, text.find('\n')) == title) return text;
  throw UserError(
      fmt::format("{}: --page would replace it; allowed: a new file, or a page with the "
                  "title '{}'",
                  path, title));
}

}  // namespace warpmem::app
