// SPDX-License-Identifier: Apache-2.0
#include "files/json_text.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace warpmem {
namespace {

template <class Json>
std::string dumped(const Json& document, int indent) {
  return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

template <class Json>
void escape(Json& value) {
  if (value.is_string())
    value = as_utf8(value.template get_ref<const std::string&>());
  else if (value.is_structured())
    for (Json& part : value) escape(part);
}

template <class Json>
Json document_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  return Json::parse(in, nullptr, false);
}

}  // namespace

nlohmann::json parse_json(const std::string& text) { return nlohmann::json::parse(text); }

nlohmann::ordered_json parse_ordered_json(const std::string& text) {
  return nlohmann::ordered_json::parse(text);
}

nlohmann::json try_json(const std::string& text) {
  return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::ordered_json try_ordered_json(const std::string& text) {
  return nlohmann::ordered_json::parse(text, nullptr, false);
}

nlohmann::json read_json(const std::filesystem::path& file) {
  return document_in<nlohmann::json>(file);
}

nlohmann::ordered_json read_ordered_json(const std::filesystem::path& file) {
  return document_in<nlohmann::ordered_json>(file);
}

std::string compact_json(const nlohmann::json& document) { return dumped(document, -1); }

std::string compact_json(const nlohmann::ordered_json& document) { return dumped(document, -1); }

std::string indented_json(const nlohmann::json& document, int indent) {
  return dumped(document, indent);
}

std::string indented_json(const nlohmann::ordered_json& document, int indent) {
  return dumped(document, indent);
}

std::string json_text(nlohmann::json document) {
  escape(document);
  return dumped(document, 2) + "\n";
}

std::string json_text(nlohmann::ordered_json document) {
  escape(document);
  return dumped(document, 2) + "\n";
}

}  // namespace warpmem
