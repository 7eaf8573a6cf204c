// SPDX-License-Identifier: Apache-2.0
// Small helpers for text that users wrote.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmem {

/// Returns `text` without the white space at its ends.
std::string_view trimmed(std::string_view text);

/// Returns the lines without their ends; the last need not have one.
std::vector<std::string> lines_of(std::string_view text);

/// Returns what stands between white space.
std::vector<std::string> words_of(std::string_view text);

/// Returns `text` fit for a message: on one line, without control characters, not endless, never
/// empty.
std::string shown(std::string_view text);

/// Returns whether the text is well-formed UTF-8, which is all that YAML can carry.
bool is_utf8(std::string_view text);

/// Returns any bytes as UTF-8. Well-formed text stays, each byte of anything else becomes `\xHH`,
/// and so does a backslash before an x. Replacing every `\xHH` by its byte gives the original.
std::string as_utf8(std::string_view text);

/// Does the same on one line: control characters become `\xHH`, too.
std::string as_line(std::string_view text);

/// Returns a word as a POSIX shell reads it, in quotes only where it must be.
std::string shell_quoted(const std::string& word);

}  // namespace warpmem
