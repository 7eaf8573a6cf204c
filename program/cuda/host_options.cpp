// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/host_options.hpp"

#include <algorithm>
#include <cstdio>

#include "base/process.hpp"
#include "program/cuda/word_list.hpp"

namespace warpmem::program::cuda {

namespace {

bool starts(const std::string& option, const char* prefix) { return option.rfind(prefix, 0) == 0; }

// Makefiles quote once more than their shell takes away.
std::string unquoted(const std::string& word) {
  for (const std::string quote : {"\"", "'", "\\\"", "\\'"})
    if (word.size() >= 2 * quote.size() && word.rfind(quote, 0) == 0 &&
        word.compare(word.size() - quote.size(), quote.size(), quote) == 0)
      return word.substr(quote.size(), word.size() - 2 * quote.size());
  return word;
}

// Without such an option the same program is made, with other optimizations or messages. The one
// with an operand of its own is clang's.
bool may_be_left_out(const std::string& option) {
  return (starts(option, "-f") || starts(option, "-m")) && option != "-mllvm";
}

bool clang_takes(const std::string& clang, const std::vector<std::string>& options,
                 const std::filesystem::path& folder) {
  Process process;
  process.argv = {clang, "-###", "-x", "c++", "-c", "/dev/null"};
  process.argv.insert(process.argv.end(), options.begin(), options.end());
  process.log = folder / "clang-options.log";
  return run_process(process) == 0;
}

}  // namespace

// The list has commas, unless they belong to the one option in it.
std::vector<std::string> host_words(const std::string& operand) {
  if (starts(operand, "-Wl,")) return {operand};
  std::vector<std::string> words;
  for (const std::string& word : split_words(operand))
    if (std::string plain = unquoted(word); !plain.empty()) words.push_back(std::move(plain));
  return words;
}

// With OpenMP the host part runs on one thread (clang's own runtime may not be installed); objects
// of other compilers find GCC's.
void add_host_option(CompileArguments& a, const std::string& option) {
  if (starts(option, "-fopenmp")) {
    // It must come behind the objects that need it, if any does.
    a.link_after = {"-Wl,--as-needed", "-lgomp"};
    return;
  }
  if (starts(option, "-Wl,") || option == "-rdynamic") {
    a.link.push_back(option);
    return;
  }
  a.host.push_back(option);
  if (option == "-pthread" || starts(option, "-fsanitize")) a.link.push_back(option);
}

std::vector<std::string> known_host_options(const std::string& clang,
                                            const std::vector<std::string>& options,
                                            const std::filesystem::path& folder) {
  if (std::none_of(options.begin(), options.end(), may_be_left_out) ||
      clang_takes(clang, options, folder))
    return options;
  std::vector<std::string> known;
  for (const std::string& option : options) {
    if (!may_be_left_out(option) || clang_takes(clang, {option}, folder)) {
      known.push_back(option);
      continue;
    }
    std::fprintf(stderr,
                 "warpmem: warning: %s: left out; the host part is compiled by clang, which has no "
                 "such option\n",
                 option.c_str());
  }
  return known;
}

}  // namespace warpmem::program::cuda
