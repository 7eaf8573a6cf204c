// SPDX-License-Identifier: Apache-2.0
#include "sweeps/running_note.hpp"

#include <nlohmann/json.hpp>

#include "files/json_text.hpp"
#include "sweeps/json_shape.hpp"

namespace warpmem::sweeps {

std::string to_text(const RunningNote& note) {
  return compact_json(shape::Json{{"host", note.host}, {"points", note.points}});
}

RunningNote running_note(const std::string& text) {
  const auto json = try_ordered_json(text);
  if (!shape::has(json, {{"host", shape::text}, {"points", shape::list_of<shape::text>}}))
    return {};
  return {json["host"], json["points"]};
}

}  // namespace warpmem::sweeps
