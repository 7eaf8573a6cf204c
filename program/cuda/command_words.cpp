// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/command_words.hpp"

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/errors.hpp"

namespace warpmem::program::cuda {

namespace {

// White space separates the words; quotes hold one together.
std::vector<std::string> words_of(std::istream& in) {
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

void append_variable(std::vector<std::string>& all, const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr) return;
  std::istringstream in(value);
  for (std::string& word : words_of(in)) all.push_back(std::move(word));
}

}  // namespace

std::vector<std::string> all_words(const std::vector<std::string>& given) {
  std::vector<std::string> arguments;
  append_variable(arguments, "NVCC_PREPEND_FLAGS");
  arguments.insert(arguments.end(), given.begin(), given.end());
  append_variable(arguments, "NVCC_APPEND_FLAGS");
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
    std::ifstream in(file);
    if (!in) throw UserError("warpmem cc: " + file + ": no such options file");
    for (std::string& word : words_of(in)) all.push_back(std::move(word));
  }
  return all;
}

}  // namespace warpmem::program::cuda
