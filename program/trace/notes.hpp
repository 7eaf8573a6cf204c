// SPDX-License-Identifier: Apache-2.0
// Sentences for the user, each said once, with the number of times they were true.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpmem::program::trace {

class Notes {
 public:
  struct Entry {
    std::string text;  ///< a sentence that the count is put behind
    std::uint64_t count = 0;
    const char* unit = nullptr;  ///< what is counted; nullptr: the count is not shown
  };
  /// Returns the entry of that text, made on first use; it stays valid.
  Entry& of(const std::string& text, const char* unit = nullptr) { return of(text, text, unit); }
  /// Returns the entry of what `key` stands for, with the text of its first use.
  Entry& of(const std::string& key, const std::string& text, const char* unit) {
    const auto [at, fresh] = index_.emplace(key, entries_.size());
    if (fresh) entries_.push_back({text, 0, unit});
    return entries_[at->second];
  }
  /// In the order of first use; what is counted and never came true is left out.
  std::vector<std::string> list() const {
    std::vector<std::string> all;
    for (const Entry& e : entries_)
      if (e.unit == nullptr)
        all.push_back(e.text);
      else if (e.count != 0)
        all.push_back(e.text + " (" + std::to_string(e.count) + " " + e.unit + ")");
    return all;
  }

 private:
  std::deque<Entry> entries_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace warpmem::program::trace
