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

/// Any bytes as UTF-8: well-formed text stays, each byte of anything else becomes \xHH, and so does
/// a backslash before an x. Who replaces every \xHH by its byte has the original.
std::string as_utf8(std::string_view text);

/// The same on one line: control characters become \xHH, too.
std::string as_line(std::string_view text);

/// A word as a POSIX shell reads it; in quotes only where it must be.
std::string shell_quoted(const std::string& word);

}  // namespace warpmem
