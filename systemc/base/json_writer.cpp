// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <utility>

#include "base/text.hpp"

namespace warpmem {

void JsonWriter::line_break() {
  out_ += '\n';
  out_.append(2 * levels_.size(), ' ');
}

// Before a value or a key.
void JsonWriter::separate() {
  if (std::exchange(after_key_, false) || levels_.empty()) return;
  if (!std::exchange(levels_.back().empty, false)) out_ += ',';
  line_break();
}

void JsonWriter::begin(char open, char close) {
  separate();
  out_ += open;
  levels_.push_back({close});
}

void JsonWriter::end() {
  assert(!levels_.empty() && !after_key_);
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty) line_break();
  out_ += level.close;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(!levels_.empty() && levels_.back().close == '}' && !after_key_);
  separate();
  quote(name);
  out_ += ": ";
  after_key_ = true;
  return *this;
}

void JsonWriter::quote(std::string_view text) {
  out_ += '"';
  for (const char c : as_utf8(text)) {
    switch (c) {
      case '"':
        out_ += "\\\"";
        break;
      case '\\':
        out_ += "\\\\";
        break;
      case '\n':
        out_ += "\\n";
        break;
      case '\t':
        out_ += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
          out_ += c;
    }
  }
  out_ += '"';
}

void JsonWriter::value(std::string_view text) {
  separate();
  quote(text);
}

void JsonWriter::value(std::uint64_t number) {
  separate();
  out_ += fmt::format("{}", number);
}

void JsonWriter::value(double number) {
  assert(std::isfinite(number));
  separate();
  const std::string text = fmt::format("{}", number);
  out_ += text;
  if (text.find_first_of(".e") == std::string::npos) out_ += ".0";
}

void JsonWriter::value(bool flag) {
  separate();
  out_ += flag ? "true" : "false";
}

std::string JsonWriter::text() && {
  assert(levels_.empty());
  out_ += '\n';
  return std::move(out_);
}

}  // namespace warpmem
