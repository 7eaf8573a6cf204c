// SPDX-License-Identifier: Apache-2.0
// "Did you mean ...?": the known word that a misspelt one was probably meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmem {

/// Returns the edit distance, which counts insertion, deletion, substitution and the swap of two
/// neighbours as 1 (optimal string alignment).
unsigned edit_distance(std::string_view a, std::string_view b);

/// Returns the candidate closest to `word`, the first of equals, or "" when none is close. At most
/// a third of the word's letters may be wrong, one in a short word, four in a long one.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// Returns a text like "; did you mean X?", or "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// Returns the text for a word that is none of `known`, like "no unit 'dua'; did you mean dau?
/// Units: cam, dau": `problem` is "no unit", `kinds` is "Units".
std::string unknown_word(std::string_view problem, std::string_view word, std::string_view kinds,
                         const std::vector<std::string>& known);

}  // namespace warpmem
