// SPDX-License-Identifier: Apache-2.0
// A YAML file as a tree in which every key and value knows its line. It is built from yaml-cpp's
// events, because its document tree silently keeps both of two equal keys and expands aliases. A
// file holds one document. Anchors, aliases and tags are refused, and so is nesting deeper than
// yaml-cpp takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors.hpp"

namespace warpmem {

struct YamlMember;

struct YamlNode {
  enum class Kind : std::uint8_t { null, scalar, list, map };
  Kind kind = Kind::null;
  unsigned line = 0;  ///< from 1
  std::string text;   ///< text of a scalar, without its quotes
  std::vector<YamlNode> items;
  std::vector<YamlMember> members;  ///< in the order of the file, equal keys kept
};

struct YamlMember {
  std::string key;
  unsigned line = 0;  ///< line of the key, from 1
  YamlNode value;
};

/// Returns the top-level map of `text` (an empty one for an empty text). Problems are reported as
/// "name:line: ..."; after a syntax error nothing is returned.
std::optional<YamlNode> parse_yaml(const std::string& text, const std::string& name,
                                   Problems& problems);

/// Returns the text of the whole file or pipe, or nothing, with a sentence in `error`, when it
/// cannot be read or is too long to be a configuration (1 MiB).
std::optional<std::string> read_text_file(const std::string& path, std::string& error);

/// Returns `text` as a YAML scalar on one line that reads back as exactly this text, quoted only if
/// needed.
std::string yaml_scalar(const std::string& text);
/// The same for an item of a list in brackets, which a comma ends.
std::string yaml_item(const std::string& text);

}  // namespace warpmem
