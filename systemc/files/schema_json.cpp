// SPDX-License-Identifier: Apache-2.0
#include "files/schema_json.hpp"

#include <nlohmann/json.hpp>

#include "files/json_text.hpp"

namespace warpmem {

std::string schema_json(const Config& config) {
  nlohmann::ordered_json keys = nlohmann::ordered_json::object();
  for (const Param& param : config.schema().params()) {
    nlohmann::ordered_json key = {{"type", param.type}, {"unit", param.unit}};
    key["allowed"] = param.allowed;
    if (!param.choices.empty()) key["choices"] = param.choices;
    key["default"] = config.default_value(param.name);
    key["value"] = param.get();
    key["active"] = param.active();
    key["condition"] = param.condition();
    key["doc"] = param.doc;
    key["source"] = param.source;
    keys[param.name] = std::move(key);
  }
  return indented_json(nlohmann::ordered_json{{"keys", std::move(keys)}}) + "\n";
}

}  // namespace warpmem
