// SPDX-License-Identifier: Apache-2.0
// The keys of a configuration as a JSON document.
#pragma once

#include <string>

#include "base/config.hpp"

namespace warpmem {

/// Returns JSON for programs that draw or check configurations. Under "keys" it has every key in
/// the schema's order, with `type`, `allowed` and `choices` (of type "choice"; "swl:N" takes a
/// number), default, value, whether it has an effect now (`active`), and what else explain() says.
std::string schema_json(const Config& config);

}  // namespace warpmem
