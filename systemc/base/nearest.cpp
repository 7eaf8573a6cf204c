// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace warpmem {
namespace {

constexpr std::size_t kLongestWord = 128;  // nobody misspells more; keeps hostile input cheap

}  // namespace

unsigned edit_distance(std::string_view a, std::string_view b) {
  std::vector<unsigned> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<unsigned>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<unsigned>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const unsigned substituted = last[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() < 2 || word.size() > kLongestWord) return "";
  auto best =
      static_cast<unsigned>(std::max<std::size_t>(1, std::min<std::size_t>(4, word.size() / 3)));
  const std::string* closest = nullptr;
  for (const std::string& candidate : candidates) {
    const unsigned distance = edit_distance(word, candidate);
    if (distance < best || (distance == best && closest == nullptr)) {
      best = distance;
      closest = &candidate;
    }
  }
  return closest == nullptr ? "" : *closest;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string found = nearest(word, candidates);
  return found.empty() ? "" : "; did you mean " + found + "?";
}

std::string unknown_word(std::string_view problem, std::string_view word, std::string_view kinds,
                         const std::vector<std::string>& known) {
  const std::string hint = did_you_mean(word, known);
  return fmt::format("{} '{}'{} {}: {}", problem, word, hint.empty() ? "." : hint, kinds,
                     fmt::join(known, ", "));
}

}  // namespace warpmem
