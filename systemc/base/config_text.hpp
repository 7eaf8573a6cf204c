// SPDX-License-Identifier: Apache-2.0
// What a schema says about itself: the dump of all values, the explanation of a key, the reference
// page of the manual, the JSON for programs. All depend on nothing but the schema and the values.
#pragma once

#include <string>

#include "base/config.hpp"

namespace warpmem {

/// YAML of every key with its value, nested, in the schema's order; loading it gives the same
/// values. `with_docs` adds a comment to every line: meaning, what is allowed, source.
std::string dump(const Schema& schema, bool with_docs = false);

/// What is known of a key: type, what is allowed, default, value and where it came from, meaning,
/// source, condition. For a group, a line per key in it. Throws UserError, with the nearest known
/// key, when there is neither.
std::string explain(const Config& config, const std::string& key);

/// Markdown with a table per group. The values that the fields hold now are printed as defaults,
/// so nothing must have been loaded.
std::string reference_markdown(const Schema& schema);

/// JSON for programs that draw or check configurations: every key under "keys", in the schema's
/// order, with `type`, `allowed` and `choices` (of type "choice"; "swl:N" takes a number), default,
/// value, whether it has an effect now (`active`), and what explain() says besides.
std::string schema_json(const Config& config);

}  // namespace warpmem
