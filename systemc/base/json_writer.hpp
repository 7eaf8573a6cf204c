// SPDX-License-Identifier: Apache-2.0
// Writes a JSON document as indented text, member by member, so that no library and no tree of
// values is needed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpmem {

/// Calls come in the order of the text: in an object key() before each value, begin_*() and end()
/// in pairs.
class JsonWriter {
 public:
  JsonWriter& key(std::string_view name);
  void begin_object() { begin('{', '}'); }
  void begin_array() { begin('[', ']'); }
  void end();

  /// Bytes that are not UTF-8 pass through as_utf8().
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(std::uint64_t number);
  /// The shortest text that reads back as `number`, with a point or an exponent.
  void value(double number);
  void value(bool flag);
  template <class T>
  void value(const std::vector<T>& list) {
    begin_array();
    for (const T& item : list) value(item);
    end();
  }

  /// The document, with a line break at its end. Precondition: everything has ended.
  std::string text() &&;

 private:
  struct Level {
    char close;
    bool empty = true;
  };
  void begin(char open, char close);
  void separate();
  void line_break();
  void quote(std::string_view text);

  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace warpmem
