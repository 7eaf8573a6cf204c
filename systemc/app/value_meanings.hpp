// SPDX-License-Identifier: Apache-2.0
// What each value of a key means that is a choice, for `warpmem config --explain`.
#pragma once

#include <string>

namespace warpmem::app {

/// Returns a sentence without its full stop, or "" where there is none. `key` is the full name,
/// `value` one of its choices as the schema lists it ("swl:N").
std::string value_meaning(const std::string& key, const std::string& value);

}  // namespace warpmem::app
