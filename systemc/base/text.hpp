// SPDX-License-Identifier: Apache-2.0
// Small helpers for text that users wrote.
#pragma once

#include <string>
#include <string_view>

namespace warpmem {

/// `text` without the white space at its ends.
std::string_view trimmed(std::string_view text);

/// `text` fit for a message: one line, no control characters, not endless, never nothing.
std::string shown(std::string_view text);

/// True for well-formed UTF-8, which is all that YAML can carry.
bool is_utf8(std::string_view text);

}  // namespace warpmem
