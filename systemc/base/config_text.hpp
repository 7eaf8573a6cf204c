// SPDX-License-Identifier: Apache-2.0
// What a schema says about itself: the dump of all values, the explanation of a key, the reference
// page of the manual, and the JSON for programs. All depend on nothing but the schema and the
// values.
#pragma once

#include <string>

#include "base/config.hpp"

namespace warpmem {

/// Returns YAML of every key with its value, nested, in the schema's order; loading it gives the
/// same values. `with_docs` adds a comment to every line: meaning, what is allowed, source.
std::string dump(const Schema& schema, bool with_docs = false);

/// Returns what is known of a key: type, what is allowed, default, value and where it came from,
/// meaning, source, condition. For a group it returns a line for each key in it. When there is
/// neither it throws UserError, with the nearest known key.
std::string explain(const Config& config, const std::string& key);

/// Returns Markdown with a table for each group. It prints the values that the fields hold now as
/// defaults, so nothing must have been loaded.
std::string reference_markdown(const Schema& schema);

}  // namespace warpmem
