// SPDX-License-Identifier: Apache-2.0
#include "app/made_programs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/programs.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"
#include "files/sha256.hpp"

namespace warpmem::app {

namespace {

namespace fs = std::filesystem;

/// Size and time of a file of the system, of which there are too many bytes to hash each time.
std::string system_state(const fs::path& file) {
  struct stat found = {};
  if (stat(file.c_str(), &found) != 0) return "";
  return fmt::format("{} {}.{}", found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
}

std::string tool_state(const fs::path& tool) {
  const std::string state = system_state(tool);
  return state.empty() ? state : fs::canonical(tool).string() + " " + state;
}

/// Returns nothing when a file, or the compiler, is not there.
std::optional<std::string> state_of(const std::vector<std::string>& files) {
  Sha256 hash;
  try {
    for (const fs::path& tool :
         {find_program("clang++-14"), fs::path("/proc/self/exe"), app::places().cuda_library})
      hash.add_field(tool_state(tool));
    for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH",
                                 "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"}) {
      const char* const value = std::getenv(variable);
      hash.add_field(value == nullptr ? "" : value);
    }
    for (const std::string& file : files) {
      hash.add_field(file);
      const std::string installed = file.rfind("/usr/", 0) == 0 ? system_state(file) : "";
      hash.add_field(installed.empty() ? read_text(file) : installed);
    }
  } catch (const UserError&) {
    return std::nullopt;
  }
  return hash.hex();
}

/// Reads "TARGET: FILE FILE \": a backslash continues the line, or stands before a space, a # or
/// itself in a name; a dollar comes twice.
std::vector<std::string> dependencies_in(const std::string& text) {
  std::vector<std::string> files;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) files.push_back(word);
    word.clear();
  };
  std::size_t at = text.find(": ");
  if (at == std::string::npos) return files;
  for (at += 2; at < text.size() && text[at] != '\n'; ++at) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (text[at] == '\\' && next == '\n') {
      end_word();
      ++at;
    } else if ((text[at] == '\\' && (next == ' ' || next == '#' || next == '\\')) ||
               (text[at] == '$' && next == '$')) {
      word += next;
      ++at;
    } else if (text[at] == ' ') {
      end_word();
    } else {
      word += text[at];
    }
  }
  end_word();
  return files;
}

}  // namespace

MadePrograms::MadePrograms(const std::string& text) {
  try {
    const auto all = parse_json(text);
    for (const auto& [source, made] : all.items())
      made_[source] = {made.at("hash"), made.at("files"), made.at("state")};
  } catch (const nlohmann::json::exception&) {
    made_.clear();
  }
}

std::string MadePrograms::text() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const auto& [source, made] : made_)
    all[source] = {{"hash", made.hash}, {"files", made.files}, {"state", made.state}};
  return compact_json(all);
}

std::string MadePrograms::hash_of(const std::string& source) const {
  const auto found = made_.find(source);
  if (found == made_.end()) return "";
  return state_of(found->second.files) == found->second.state ? found->second.hash : "";
}

void MadePrograms::made(const std::string& source, const std::string& hash,
                        const fs::path& dependencies, fs::file_time_type compilation_began) {
  made_.erase(source);
  Made made{hash, dependencies_in(read_text(dependencies)), ""};
  for (const std::string& file : made.files) {
    if (as_utf8(file) != file) return;  // JSON could not keep the name
    std::error_code none;
    if (fs::last_write_time(file, none) >= compilation_began || none) return;
  }
  const auto state = state_of(made.files);
  if (as_utf8(source) != source || !state || made.files.empty()) return;
  made.state = *state;
  made_[source] = std::move(made);
}

}  // namespace warpmem::app
