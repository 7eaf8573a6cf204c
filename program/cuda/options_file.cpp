// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/options_file.hpp"

#include <cctype>
#include <fstream>

#include "base/errors.hpp"

namespace warpmem::program::cuda {

namespace {

// Returns the words of a file, which white space separates; quotes hold a word together.
std::vector<std::string> words_of(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw UserError("warpmem cc: " + path + ": no such options file");
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool open = false;
  for (char c; in.get(c);) {
    if (quote == 0 && std::isspace(static_cast<unsigned char>(c))) {
      if (open) words.push_back(word);
      word.clear();
      open = false;
      continue;
    }
    open = true;
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      word += c;
    }
  }
  if (open) words.push_back(word);
  return words;
}

}  // namespace

std::vector<std::string> expand_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    std::string file;
    if (a == "-optf" || a == "--options-file") {
      if (++i == arguments.size()) throw UserError("warpmem cc: " + a + ": its operand is missing");
      file = arguments[i];
    } else if (a.size() > 1 && a[0] == '@') {
      file = a.substr(1);
    } else {
      all.push_back(a);
      continue;
    }
    for (std::string& word : words_of(file)) all.push_back(std::move(word));
  }
  return all;
}

}  // namespace warpmem::program::cuda
