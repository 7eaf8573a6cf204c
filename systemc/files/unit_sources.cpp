// SPDX-License-Identifier: Apache-2.0
#include "files/unit_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

#include "base/errors.hpp"
#include "base/nearest.hpp"
#include "base/text_file.hpp"
#include "files/named_files.hpp"
#include "files/sha256.hpp"

namespace warpmem {
namespace {

namespace fs = std::filesystem;

/// The names of files that only proofs read end like this.
constexpr std::string_view kProperties = "formal.svh";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Calls `take` with each word, each string with its quotes, and each other character that is not a
/// space; comments are left out.
template <class Take>
void for_each_token(std::string_view text, Take&& take) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text.compare(at, 2, "//") == 0) {
      end = std::min(text.find('\n', at), text.size());
    } else if (text.compare(at, 2, "/*") == 0) {
      const auto close = text.find("*/", at + 2);
      end = close == std::string_view::npos ? text.size() : close + 2;
    } else if (std::isspace(static_cast<unsigned char>(text[at])) == 0) {
      if (text[at] == '"') {
        const auto close = text.find('"', at + 1);
        end = close == std::string_view::npos ? text.size() : close + 1;
      } else if (is_word(text[at])) {
        while (end < text.size() && is_word(text[end])) ++end;
      }
      take(text.substr(at, end - at));
    }
    at = end;
  }
}

std::set<std::string> identifiers(const std::string& text) {
  const std::vector<std::string> words = identifiers_of(text);
  return {words.begin(), words.end()};
}

class Collector {
 public:
  explicit Collector(const fs::path& rtl_root) : root_(rtl_root) {
    for (const auto& entry : fs::recursive_directory_iterator(rtl_root)) {
      if (entry.path().extension() == ".sv") by_stem_[entry.path().stem()] = entry.path();
    }
  }

  /// Adds what the file mentions, then the file: Yosys wants packages before their users.
  void add(const fs::path& file, UnitSources& sources) {
    if (!seen_.insert(file).second) return;
    const auto words = identifiers(read_text(file));
    for (const auto& [stem, other] : by_stem_) {
      if (other != file && words.count(stem)) add(other, sources);
    }
    sources.files.push_back(fs::relative(file, root_));
  }

 private:
  fs::path root_;
  std::map<std::string, fs::path> by_stem_;
  std::set<fs::path> seen_;
};

}  // namespace

std::vector<fs::path> UnitSources::paths() const {
  std::vector<fs::path> list;
  for (const fs::path& file : files) list.push_back(rtl_root / file);
  return list;
}

std::vector<fs::path> UnitSources::folders() const {
  std::vector<fs::path> list = include_folders;
  list.push_back(rtl_root);
  return list;
}

void UnitSources::link_into(const fs::path& work) const {
  const auto link = [&](const fs::path& folder, const std::string& name) {
    fs::remove(work / name);  // of an earlier unit in the same folder
    fs::create_directory_symlink(folder, work / name);
  };
  link(rtl_root, "rtl");
  for (std::size_t i = 0; i < include_folders.size(); ++i)
    link(include_folders[i], fmt::format("own{}", i));
}

std::string UnitSources::read_commands(const std::string& options,
                                       const std::string& of_top) const {
  std::string folders;
  for (std::size_t i = 0; i < include_folders.size(); ++i) folders += fmt::format("-Iown{} ", i);
  std::string script;
  for (const fs::path& file : files)
    script +=
        fmt::format("read_verilog {} {}-Irtl \"{}\"\n", file == files.back() ? of_top : options,
                    folders, (fs::path("rtl") / file).string());
  return script;
}

std::vector<std::string> identifiers_of(const std::string& text) {
  std::vector<std::string> words;
  for_each_token(text, [&](std::string_view token) {
    if (is_word(token.front())) words.emplace_back(token);
  });
  return words;
}

std::string rtl_digest(const UnitSources& sources) {
  Sha256 hash;
  for (const fs::path& file : with_named_files(sources.paths(), sources.folders())) {
    const std::string name = file.filename();
    if (name.size() >= kProperties.size() &&
        name.compare(name.size() - kProperties.size(), kProperties.size(), kProperties) == 0)
      continue;
    hash.add_field(name);
    std::string tokens;
    for_each_token(read_text(file), [&](std::string_view token) {
      tokens += token;
      tokens += ' ';
    });
    hash.add_field(tokens);
  }
  return hash.hex();
}

std::vector<std::string> list_units(const fs::path& rtl_root) {
  std::vector<std::string> units;
  if (!fs::is_directory(rtl_root)) {
    throw UserError(fmt::format("{}: no such folder of RTL units", rtl_root.string()));
  }
  for (const auto& entry : fs::directory_iterator(rtl_root)) {
    const std::string name = entry.path().filename();
    if (fs::exists(entry.path() / (name + ".sv"))) units.push_back(name);
  }
  std::sort(units.begin(), units.end());
  return units;
}

UnitSources find_unit(const fs::path& rtl_root, const std::string& unit) {
  const auto units = list_units(rtl_root);
  if (std::find(units.begin(), units.end(), unit) == units.end()) {
    if (units.empty()) {
      throw UserError(fmt::format("{}: no RTL units in this folder", rtl_root.string()));
    }
    throw UserError(unknown_word("no unit", unit, "Units", units));
  }
  UnitSources sources;
  sources.unit = unit;
  sources.rtl_root = fs::absolute(rtl_root);
  Collector(sources.rtl_root).add(sources.rtl_root / unit / (unit + ".sv"), sources);
  return sources;
}

bool mentions(const UnitSources& sources, const std::string& identifier) {
  return std::any_of(sources.files.begin(), sources.files.end(), [&](const fs::path& file) {
    return identifiers(read_text(sources.rtl_root / file)).count(identifier) != 0;
  });
}

}  // namespace warpmem
