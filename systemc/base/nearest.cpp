// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.hpp"

#include <algorithm>
#include <limits>

namespace warpmem {
namespace {

constexpr std::size_t kLongestWord = 128;  // nobody misspells more; keeps hostile input cheap

bool ends_with_path(std::string_view path, std::string_view tail) {
  return path.size() > tail.size() && path[path.size() - tail.size() - 1] == '.' &&
         path.substr(path.size() - tail.size()) == tail;
}

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
  if (word.empty() || word.size() > kLongestWord) return "";
  unsigned best = std::numeric_limits<unsigned>::max();
  const std::string* closest = nullptr;
  const std::string* tail = nullptr;
  bool tail_is_unique = true;
  for (const std::string& candidate : candidates) {
    const unsigned distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      closest = &candidate;
    }
    if (ends_with_path(candidate, word)) {
      tail_is_unique = tail == nullptr;
      tail = &candidate;
    }
  }
  const auto allowed = std::max<std::size_t>(1, std::min<std::size_t>(4, word.size() / 3));
  if (closest != nullptr && best <= allowed) return *closest;
  if (tail != nullptr && tail_is_unique) return *tail;
  return "";
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string found = nearest(word, candidates);
  return found.empty() ? "" : "; did you mean " + found + "?";
}

}  // namespace warpmem
