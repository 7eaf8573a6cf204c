// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "program/trace/accelsim_reader.hpp"
#include "program/trace/line_reader.hpp"
#include "program/trace/own_format.hpp"

namespace warpmem::program::trace {
namespace {

namespace fs = std::filesystem;

bool ends_with(const std::string& text, std::string_view tail) {
  return text.size() >= tail.size() &&
         text.compare(text.size() - tail.size(), tail.size(), tail) == 0;
}

bool is_list(const std::string& path) { return ends_with(path, ".g") || ends_with(path, ".g.xz"); }
bool is_kernel(const std::string& path) {
  return ends_with(path, ".traceg") || ends_with(path, ".traceg.xz");
}
std::string list_in(const std::string& folder) {
  return (fs::path(folder) / "kernelslist.g").string();
}

}  // namespace

bool is_trace(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return fs::exists(list_in(path), ignored);
  if (!fs::is_regular_file(path, ignored)) return false;
  return is_list(path) || is_kernel(path) || is_own_format(path);
}

std::vector<fs::path> files_of_trace(const std::string& path) {
  std::error_code ignored;
  const std::string file = fs::is_directory(path, ignored) ? list_in(path) : path;
  std::vector<fs::path> files = {file};
  if (!is_list(file)) return files;
  try {
    LineReader lines(file);
    std::string_view line;
    while (lines.next(line)) {
      line = trimmed(line);
      if (line.substr(0, 6) != "kernel") continue;
      const fs::path kernel = fs::path(file).parent_path() / std::string(line);
      files.push_back(kernel);
      files.push_back(other_form(kernel));
    }
  } catch (const UserError&) {
  }
  return files;
}

std::unique_ptr<TraceReader> open_trace(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    if (!fs::exists(list_in(path), ignored))
      throw UserError(path + ": a folder without kernelslist.g is no trace");
    return std::make_unique<AccelsimReader>(list_in(path), false);
  }
  if (!fs::exists(path, ignored)) throw UserError(path + ": no such file");
  if (is_own_format(path)) return open_own_format(path);
  if (is_list(path)) return std::make_unique<AccelsimReader>(path, false);
  if (is_kernel(path)) return std::make_unique<AccelsimReader>(path, true);
  throw UserError(path +
                  ": not a trace; allowed: a folder with kernelslist.g, a kernelslist.g, a .traceg "
                  "or .traceg.xz, or a trace recorded by warpmem");
}

}  // namespace warpmem::program::trace
