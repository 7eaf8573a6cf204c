// SPDX-License-Identifier: Apache-2.0
// JSON documents as the text of a file.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/text.hpp"

namespace warpmem {

/// Returns the document indented, with a line break at its end. Its strings may have any bytes,
/// since they pass through as_utf8().
template <class Json>
std::string json_text(Json document) {
  const auto escape = [](const auto& self, Json& value) -> void {
    if (value.is_string())
      value = as_utf8(value.template get_ref<const std::string&>());
    else if (value.is_structured())
      for (Json& part : value) self(self, part);
  };
  escape(escape, document);
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpmem
