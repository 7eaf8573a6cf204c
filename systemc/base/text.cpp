// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <algorithm>
#include <cstdint>

namespace warpmem {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  std::vector<std::string> words;
  for (std::size_t end = 0;;) {
    const std::size_t begin = text.find_first_not_of(kSpace, end);
    if (begin == std::string_view::npos) return words;
    end = std::min(text.find_first_of(kSpace, begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
  }
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMax = 60;
  std::string out;
  for (const char c : text.substr(0, kMax)) {
    const auto u = static_cast<unsigned char>(c);
    out += (u < 0x20 || u == 0x7f) ? '?' : c;
  }
  if (text.size() > kMax) out += "...";
  return out.empty() ? "an empty value" : out;
}

namespace {

/// Returns the number of bytes of the well-formed character that `text` begins with; 0 when there
/// is none.
std::size_t character_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const unsigned length = lead < 0x80   ? 1
                          : lead < 0xc2 ? 0
                          : lead < 0xe0 ? 2
                          : lead < 0xf0 ? 3
                          : lead < 0xf5 ? 4
                                        : 0;
  if (length == 0 || length > text.size()) return 0;
  std::uint32_t code = length == 1 ? lead : lead & (0x7fu >> length);
  for (unsigned k = 1; k < length; ++k) {
    const auto next = static_cast<unsigned char>(text[k]);
    if ((next & 0xc0) != 0x80) return 0;
    code = code << 6 | (next & 0x3fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  return overlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : length;
}

std::string escaped(std::string_view text, bool controls) {
  std::string out;
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text[0]);
    std::size_t bytes = character_bytes(text);
    const bool control = controls && (byte < 0x20 || byte == 0x7f);
    if (bytes == 0 || control || text.substr(0, 2) == "\\x") {
      constexpr const char* kDigits = "0123456789abcdef";
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
      bytes = 1;
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string as_utf8(std::string_view text) { return escaped(text, false); }

std::string as_line(std::string_view text) { return escaped(text, true); }

std::string shell_quoted(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace warpmem
