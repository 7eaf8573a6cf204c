// SPDX-License-Identifier: Apache-2.0
#include "files/own_rtl.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/errors.hpp"
#include "base/text_file.hpp"

namespace warpmem {

namespace fs = std::filesystem;

namespace {

bool is_verilog(const fs::path& file) {
  return file.extension() == ".sv" || file.extension() == ".v";
}

/// Returns the names of the modules and packages that the file declares.
std::vector<std::string> declared_by(const fs::path& file) {
  std::vector<std::string> names;
  const std::vector<std::string> words = identifiers_of(read_text(file));
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != "module" && words[i] != "package") continue;
    const bool lifetime = words[i + 1] == "automatic" || words[i + 1] == "static";
    if (i + 1 + lifetime < words.size()) names.push_back(words[i + 1 + lifetime]);
  }
  return names;
}

/// Adds a path that is not among them.
void add_once(const fs::path& path, std::vector<fs::path>* list) {
  if (std::find(list->begin(), list->end(), path) == list->end()) list->push_back(path);
}

/// This adds files in an order in which those that others mention come before them.
class InOrder {
 public:
  InOrder(const std::map<std::string, fs::path>& declared_in, const fs::path& rtl_root)
      : declared_in_(declared_in), rtl_root_(rtl_root) {
    for (const auto& entry : fs::recursive_directory_iterator(rtl_root))
      if (entry.path().extension() == ".sv") ours_[entry.path().stem()] = entry.path();
  }

  void add(const fs::path& file, UnitSources* sources) {
    if (!seen_.insert(file).second) return;
    std::set<fs::path> mentioned;
    for (const std::string& word : identifiers_of(read_text(file))) {
      if (const auto own = declared_in_.find(word); own != declared_in_.end()) {
        mentioned.insert(own->second);
      } else if (const auto our = ours_.find(word); our != ours_.end()) {
        mentioned.insert(our->second);
      }
    }
    for (const fs::path& other : mentioned) add(other, sources);
    const fs::path below = file.lexically_relative(rtl_root_);
    sources->files.push_back(*below.begin() == ".." ? file : below);
  }

 private:
  const std::map<std::string, fs::path>& declared_in_;
  fs::path rtl_root_;
  std::map<std::string, fs::path> ours_;  // warpmem's have one module each, named like the file
  std::set<fs::path> seen_;
};

}  // namespace

OwnRtl::OwnRtl(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const fs::path absolute = fs::absolute(path).lexically_normal();
    paths_.push_back(absolute.string());
    if (fs::is_directory(absolute)) {
      std::vector<fs::path> found;
      for (const auto& entry : fs::recursive_directory_iterator(absolute))
        if (entry.is_regular_file() && is_verilog(entry.path())) found.push_back(entry.path());
      if (found.empty())
        throw UserError(path + ": no Verilog in this folder; files end in .sv or .v");
      std::sort(found.begin(), found.end());
      for (const fs::path& file : found) add_once(file, &files_);
      add_once(absolute, &folders_);
    } else if (!fs::is_regular_file(absolute)) {
      throw UserError(path + ": no such file or folder of RTL");
    } else if (!is_verilog(absolute)) {
      throw UserError(path + ": not Verilog; files end in .sv or .v");
    } else {
      add_once(absolute, &files_);
      add_once(absolute.parent_path(), &folders_);
    }
  }
  for (const fs::path& file : files_) {
    for (const std::string& name : declared_by(file)) {
      const auto [at, is_new] = declared_in_.emplace(name, file);
      if (!is_new)
        throw UserError(fmt::format("{}: declares {}, which {} declares as well; one is allowed",
                                    file.string(), name, at->second.string()));
    }
  }
}

void OwnRtl::require(const std::string& unit) const {
  if (has(unit)) return;
  std::vector<std::string> names;
  for (const auto& [name, file] : declared_in_) names.push_back(name);
  throw UserError(fmt::format("{}: no module '{}'; declared are: {}", paths_.front(), unit,
                              names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

UnitSources OwnRtl::sources(const std::string& unit, const fs::path& rtl_root) const {
  UnitSources sources;
  sources.unit = unit;
  sources.rtl_root = fs::absolute(rtl_root).lexically_normal();
  sources.include_folders = folders_;
  InOrder(declared_in_, sources.rtl_root).add(declared_in_.at(unit), &sources);
  return sources;
}

UnitSources find_unit(const fs::path& rtl_root, const std::string& unit, const OwnRtl& own) {
  return own.has(unit) ? own.sources(unit, rtl_root) : find_unit(rtl_root, unit);
}

}  // namespace warpmem
