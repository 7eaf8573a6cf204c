// SPDX-License-Identifier: Apache-2.0
// JSON documents as text. The library's reader and writer are templates that take a second to
// compile: they are compiled here, and in no other file.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warpmem {

/// Returns the document that `text` is; throws nlohmann::json::parse_error.
nlohmann::json parse_json(const std::string& text);

/// As parse_json(), but keys keep their order.
nlohmann::ordered_json parse_ordered_json(const std::string& text);

/// As the two above, but what is no JSON gives a document that is_discarded().
nlohmann::json try_json(const std::string& text);
nlohmann::ordered_json try_ordered_json(const std::string& text);

/// The same for a file, that may be missing.
nlohmann::json read_json(const std::filesystem::path& file);
nlohmann::ordered_json read_ordered_json(const std::filesystem::path& file);

/// Returns the document in one line, or indented by so many spaces. Bytes of strings that are no
/// UTF-8 become U+FFFD.
std::string compact_json(const nlohmann::json& document);
std::string compact_json(const nlohmann::ordered_json& document);
std::string indented_json(const nlohmann::json& document, int indent = 2);
std::string indented_json(const nlohmann::ordered_json& document, int indent = 2);

/// Returns the document as the text of a file: indented, with a line break at its end. Its strings
/// may have any bytes, since they pass through as_utf8().
std::string json_text(nlohmann::json document);
std::string json_text(nlohmann::ordered_json document);

}  // namespace warpmem
