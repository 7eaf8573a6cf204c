// SPDX-License-Identifier: Apache-2.0
#include "files/named_files.hpp"

#include <set>
#include <string>

#include "base/text_file.hpp"

namespace warpmem {

namespace fs = std::filesystem;

namespace {

/// Returns what stands between a pair of quotes or angle brackets on one line.
std::set<std::string> quoted(const std::string& text) {
  std::set<std::string> names;
  for (const auto& [open, close] : {std::pair{'"', '"'}, std::pair{'<', '>'}}) {
    for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
      // An opening quote may be another one's closing quote: every piece between two is looked at.
      const std::size_t end = text.find_first_of(std::string{close, '\n'}, at + 1);
      if (end == std::string::npos || text[end] != close || end == at + 1) continue;
      names.insert(text.substr(at + 1, end - at - 1));
    }
  }
  return names;
}

/// Returns whether there is a file with a content. Those of the kernel, such as /proc/meminfo,
/// which Verilator's runtime names, have no size, and another content at every look.
bool is_file(const fs::path& path) {
  std::error_code error;  // takes the errors of names that no file system has
  return fs::is_regular_file(path, error) && fs::file_size(path, error) != 0;
}

}  // namespace

std::vector<fs::path> with_named_files(const std::vector<fs::path>& files,
                                       const std::vector<fs::path>& folders) {
  std::set<fs::path> found;
  std::vector<fs::path> open;
  const auto add = [&](const fs::path& file) {
    const fs::path plain = file.lexically_normal();
    if (found.insert(plain).second) open.push_back(plain);
  };
  for (const fs::path& file : files) add(file);
  while (!open.empty()) {
    const fs::path file = open.back();
    open.pop_back();
    for (const std::string& name : quoted(read_text(file))) {
      if (const fs::path beside = file.parent_path() / name; is_file(beside)) add(beside);
      for (const fs::path& folder : folders)
        if (is_file(folder / name)) add(folder / name);
    }
  }
  return {found.begin(), found.end()};
}

void hash_with_named_files(Sha256& hash, const fs::path& root, const std::vector<fs::path>& files,
                           const std::vector<fs::path>& folders) {
  for (const fs::path& file : with_named_files(files, folders)) {
    hash.add_field(file.lexically_relative(root.lexically_normal()).string());
    hash.add_field(read_text(file));
  }
}

}  // namespace warpmem
