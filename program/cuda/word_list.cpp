// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/word_list.hpp"

namespace warpmem::program::cuda {

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + ',') {
    if (c != ',' && c != ' ') {
      word += c;
      continue;
    }
    if (!word.empty()) words.push_back(word);
    word.clear();
  }
  return words;
}

}  // namespace warpmem::program::cuda
