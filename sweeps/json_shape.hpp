// SPDX-License-Identifier: Apache-2.0
// Checks of JSON documents that somebody may have changed: which entries an object has, and what
// they are.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

namespace warpmem::sweeps::shape {

using Json = nlohmann::ordered_json;
using Check = bool (*)(const Json&);

inline bool text(const Json& json) { return json.is_string(); }
inline bool number(const Json& json) { return json.is_number(); }
inline bool truth(const Json& json) { return json.is_boolean(); }

template <Check each>
bool list_of(const Json& json) {
  return json.is_array() && std::all_of(json.begin(), json.end(), each);
}

template <Check each>
bool map_of(const Json& json) {
  return json.is_object() && std::all_of(json.begin(), json.end(), each);
}

struct Entry {
  const char* name;
  Check check;
  bool needed = true;
};

/// Returns whether it is an object with these entries; others are not looked at.
inline bool has(const Json& json, std::initializer_list<Entry> entries) {
  return json.is_object() && std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) {
           const auto found = json.find(entry.name);
           return found == json.end() ? !entry.needed : entry.check(*found);
         });
}

}  // namespace warpmem::sweeps::shape
