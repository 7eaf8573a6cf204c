// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/launch_syntax.hpp"

#include <set>

#include "base/text_file.hpp"
#include "program/cuda/source_code.hpp"

namespace warpmem::program::cuda {

namespace {

namespace fs = std::filesystem;

/// Returns the place behind three brackets from `at` on with only white space between them, or 0.
std::size_t three(std::string_view text, std::size_t at, char bracket) {
  for (int n = 0; n < 3; ++n) {
    while (n > 0 && at < text.size() && is_space(text[at])) ++at;
    if (at >= text.size() || text[at] != bracket) return 0;
    ++at;
  }
  return at;
}

bool follows_operator(std::string_view text, std::size_t at) {
  while (at > 0 && is_space(text[at - 1])) --at;
  constexpr std::string_view kWord = "operator";
  return at >= kWord.size() && text.substr(at - kWord.size(), kWord.size()) == kWord;
}

/// Returns where the three brackets begin that end a launch's configuration, whose first character
/// is at `at`; npos when there are none.
std::size_t end_of_configuration(std::string_view text, std::size_t at) {
  Code code(text);
  code.go_to(at);
  int depth = 0;
  while (!code.at_end()) {
    const char c = text[code.at()];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth < 0 || (depth == 0 && c == ';')) break;
    if (depth == 0 && c == '>' && three(text, code.at(), '>') != 0) return code.at();
    code.advance();
  }
  return std::string_view::npos;
}

/// Moves the white space in [begin, end) behind the brackets.
void join(std::string& text, std::size_t begin, std::size_t end, char bracket) {
  std::string spaces;
  for (std::size_t i = begin; i < end; ++i)
    if (text[i] != bracket) spaces += text[i];
  text.replace(begin, end - begin, std::string(3, bracket) + spaces);
}

/// The name in a line `#include "NAME"` or `#include <NAME>`; empty in others.
struct Included {
  std::string name;
  bool angled = false;
};
Included included_in(std::string_view line) {
  const auto skip = [&] {
    while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
  };
  skip();
  if (line.empty() || line[0] != '#') return {};
  line.remove_prefix(1);
  skip();
  constexpr std::string_view kWord = "include";
  if (line.substr(0, kWord.size()) != kWord) return {};
  line.remove_prefix(kWord.size());
  skip();
  if (line.empty() || (line[0] != '"' && line[0] != '<')) return {};
  const bool angled = line[0] == '<';
  line.remove_prefix(1);
  const std::size_t end = line.find(angled ? '>' : '"');
  if (end == std::string_view::npos) return {};
  return {std::string(line.substr(0, end)), angled};
}

/// Whether the name is that of a header of libcu++, which systems have beside their own headers.
bool is_of_cuda(const std::string& name) {
  return name.rfind("cuda/", 0) == 0 || name.rfind("nv/", 0) == 0;
}

}  // namespace

std::optional<std::string> with_joined_launches(std::string_view source) {
  std::string text(source);
  bool changed = false;
  Code code(source);
  while (!code.at_end()) {
    const std::size_t begin = code.at();
    const std::size_t behind = source[begin] == '<' ? three(source, begin, '<') : 0;
    const std::size_t end = behind == 0 || follows_operator(source, begin)
                                ? std::string_view::npos
                                : end_of_configuration(source, behind);
    if (end == std::string_view::npos) {
      code.advance();
      continue;
    }
    const std::size_t last = three(source, end, '>');
    if (behind - begin > 3 || last - end > 3) {
      join(text, begin, behind, '<');
      join(text, end, last, '>');
      changed = true;
    }
    code.go_to(last);
  }
  if (!changed) return std::nullopt;
  return text;
}

std::vector<fs::path> included_files(const fs::path& source, const std::vector<fs::path>& folders,
                                     const fs::path& system) {
  std::vector<fs::path> files = {fs::absolute(source).lexically_normal()};
  std::set<fs::path> known(files.begin(), files.end());
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string text = read_text(files[i]);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const auto [name, angled] = included_in(std::string_view(text).substr(at, end - at));
      at = end + 1;
      if (name.empty()) continue;
      std::vector<fs::path> places;
      if (!angled) places.push_back(files[i].parent_path());
      places.insert(places.end(), folders.begin(), folders.end());
      if (is_of_cuda(name)) places.push_back(system);
      for (const fs::path& place : places) {
        const fs::path file = fs::absolute(place / name).lexically_normal();
        if (!fs::is_regular_file(file)) continue;
        if (known.insert(file).second) files.push_back(file);
        break;
      }
    }
  }
  return files;
}

bool any_mentions(const std::vector<fs::path>& files, std::initializer_list<const char*> words) {
  for (const fs::path& file : files) {
    const std::string text = read_text(file);
    for (const char* word : words)
      if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace warpmem::program::cuda
