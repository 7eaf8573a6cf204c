// SPDX-License-Identifier: Apache-2.0
#include "base/config.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "base/yaml_source.hpp"

namespace warpmem {
namespace {

constexpr const char* kInclude = "include";
constexpr std::size_t kMembersShown = 6;

/// Returns one name for a file, however it is reached.
std::string canonical(const std::string& path) {
  std::error_code error;
  const auto result = std::filesystem::weakly_canonical(path, error);
  return error ? path : result.string();
}

std::string at(const std::string& file, unsigned line) { return file + ":" + std::to_string(line); }

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

std::string Origin::text() const {
  switch (kind) {
    case Kind::default_value:
      return "default";
    case Kind::file:
      return at(file, line);
    case Kind::command_line:
      return "--set";
  }
  return "";
}

Config::Config(Schema& schema) : schema_(schema), index_(schema) {
  assert(!index_.find(kInclude) && !index_.is_group(kInclude) && "include is not free for a key");
  for (const Param& param : schema.params()) defaults_.push_back(param.get());
  origins_.resize(defaults_.size());
  rejected_.resize(defaults_.size());
}

void Config::load_file(const std::string& path) {
  included_.clear();
  load(path, "");
}

void Config::load_text(const std::string& text, const std::string& name) {
  included_.clear();
  if (const auto root = parse_yaml(text, name, problems_)) apply_document(*root, name);
  files_.push_back(name);
}

/// `included_from` is "file:line: " of the include, or empty.
void Config::load(const std::string& path, const std::string& included_from) {
  const std::string identity = canonical(path);
  if (std::find(open_.begin(), open_.end(), identity) != open_.end()) {
    std::string cycle;
    for (const std::string& file : open_) cycle += file_name(file) + " -> ";
    problems_.add(included_from + "include",
                  "files include each other: " + cycle + file_name(path));
    return;
  }
  if (!included_.insert(identity).second) return;
  std::string error;
  const auto text = read_text_file(path, error);
  if (!text) {
    problems_.add(included_from + shown(path), error);
    return;
  }
  open_.push_back(identity);
  if (const auto root = parse_yaml(*text, path, problems_)) {
    apply_document(*root, path);
    if (root->members.empty() && included_from.empty())
      notes_.push_back(shown(path) + ": no keys; this is the default machine");
  }
  open_.pop_back();
  files_.push_back(path);
}

void Config::apply_document(const YamlNode& root, const std::string& path) {
  for (const YamlMember& member : root.members)
    if (member.key == kInclude) apply_includes(member.value, path);
  std::unordered_map<std::string, unsigned> lines;
  apply_map(root, "", path, lines);
}

void Config::apply_includes(const YamlNode& value, const std::string& path) {
  const auto include = [&](const YamlNode& name) {
    if (name.kind != YamlNode::Kind::scalar || name.text.empty()) {
      problems_.add(at(path, name.line) + ": include",
                    "needs the name of a file or a list of them");
      return;
    }
    const auto folder = std::filesystem::path(path).parent_path();
    load((folder / name.text).lexically_normal().string(), at(path, name.line) + ": ");
  };
  if (value.kind == YamlNode::Kind::list) {
    for (const YamlNode& item : value.items) include(item);
  } else {
    include(value);
  }
}

/// `lines` holds the line of every path seen in this file.
void Config::apply_map(const YamlNode& map, const std::string& prefix, const std::string& file,
                       std::unordered_map<std::string, unsigned>& lines) {
  std::set<std::string> siblings;
  for (const YamlMember& member : map.members) {
    const std::string path = prefix + member.key;
    const Origin origin{Origin::Kind::file, file, member.line};
    const auto key = index_.find(path);
    const auto seen = lines.emplace(path, member.line);
    // A group may be opened twice by dotted paths, but not by two equal words in one map.
    if (!siblings.insert(member.key).second || (key && !seen.second)) {
      problems_.add(place(origin, path),
                    "duplicate key; the first is in line " + std::to_string(seen.first->second));
    } else if (key) {
      apply_key(*key, member.value, origin);
    } else if (index_.is_group(path) && !path.empty()) {
      apply_group(path, member.value, origin, lines);
    } else if (const std::string* const why = schema_.why_foreign(path)) {
      notes_.push_back(place(origin, path) + ": " + *why);
    } else if (path != kInclude) {
      problems_.add(place(origin, path), "unknown key" + index_.suggest(path));
    }
  }
}

void Config::apply_key(std::size_t key, const YamlNode& value, const Origin& origin) {
  const Param& param = schema_.params()[key];
  const std::string allowed = "; allowed: " + param.allowed;
  switch (value.kind) {
    case YamlNode::Kind::scalar:
      return assign(key, value.text, origin);
    case YamlNode::Kind::null:
      return reject(key, origin,
                    param.type == "text" ? "has no value; write \"\" for an empty text"
                                         : "has no value" + allowed);
    case YamlNode::Kind::list:
      return reject(key, origin, "takes one value, not a list" + allowed);
    case YamlNode::Kind::map:
      return reject(key, origin, "takes one value and is not a group of keys" + allowed);
  }
}

void Config::apply_group(const std::string& path, const YamlNode& value, const Origin& origin,
                         std::unordered_map<std::string, unsigned>& lines) {
  if (value.kind == YamlNode::Kind::map) {
    apply_map(value, path + ".", origin.file, lines);
  } else if (value.kind != YamlNode::Kind::null) {  // a group may be empty
    problems_.add(
        place(origin, path),
        "is a group of keys and takes no value of its own; it holds " + group_contents(path));
  }
}

void Config::set(const std::string& assignment) {
  const Origin origin{Origin::Kind::command_line, "", 0};
  const std::size_t equals = assignment.find('=');
  const std::string path(trimmed(std::string_view(assignment).substr(0, equals)));
  if (equals == std::string::npos || path.empty()) {
    problems_.add("--set " + shown(assignment), "is not an assignment; write --set key=value");
    return;
  }
  const std::string value(trimmed(std::string_view(assignment).substr(equals + 1)));
  if (const auto key = index_.find(path)) {
    assign(*key, value, origin);
  } else if (path == kInclude) {
    problems_.add(place(origin, path), "works in files only");
  } else if (!path.empty() && index_.is_group(path)) {
    problems_.add(
        place(origin, path),
        "is a group of keys and takes no value of its own; it holds " + group_contents(path));
  } else if (const std::string* const why = schema_.why_foreign(path)) {
    problems_.add(place(origin, path), *why);
  } else {
    problems_.add(place(origin, path), "unknown key" + index_.suggest(path));
  }
}

void Config::assign(std::size_t key, const std::string& text, const Origin& origin) {
  const std::string error = schema_.params()[key].set(text);
  if (!error.empty()) return reject(key, origin, error);
  origins_[key] = origin;
}

void Config::reject(std::size_t key, const Origin& origin, const std::string& why) {
  rejected_[key] = true;
  problems_.add(place(origin, schema_.params()[key].name), why);
}

void Config::finish(const Validator& validate) {
  check_effects();
  check_relations(validate);
  problems_.throw_if_any();
}

void Config::check_effects() {
  // A condition may hang on a key that was misspelt or refused; then nobody knows what has an
  // effect.
  if (!problems_.empty()) return;
  for (std::size_t i = 0; i < origins_.size(); ++i) {
    const Param& param = schema_.params()[i];
    if (origins_[i].kind == Origin::Kind::default_value || param.active()) continue;
    const std::string what = "has no effect unless " + param.missing_condition();
    const bool asked = origins_[i].kind == Origin::Kind::command_line;
    if (asked && !param.in_vain_only_noted()) {
      problems_.add(place(param.name), what);
    } else if (asked || param.get() != defaults_[i]) {  // a dump names every key
      notes_.push_back(place(param.name) + ": " + what);
    }
  }
}

void Config::check_relations(const Validator& validate) {
  if (!validate) return;
  Problems found;
  validate(found);
  for (const std::string& line : found.list()) {
    const std::size_t colon = line.find(": ");
    const std::string where = line.substr(0, colon);
    const std::string what = colon == std::string::npos ? "" : line.substr(colon + 2);
    const auto key = index_.find(where);
    // What follows from a refused value would only hide the cause.
    if (key && rejected_[*key]) continue;
    problems_.add(key ? place(where) : where, what);
  }
}

const Origin& Config::origin(const std::string& key) const {
  const auto found = index_.find(key);
  assert(found);
  return origins_[*found];
}

const std::string& Config::default_value(const std::string& key) const {
  const auto found = index_.find(key);
  assert(found);
  return defaults_[*found];
}

std::string Config::place(const std::string& key) const { return place(origin(key), key); }

std::string Config::place(const Origin& origin, const std::string& key) const {
  switch (origin.kind) {
    case Origin::Kind::default_value:
      break;
    case Origin::Kind::file:
      return at(origin.file, origin.line) + ": " + shown(key);
    case Origin::Kind::command_line:
      return "--set " + shown(key);
  }
  return shown(key);
}

std::string Config::group_contents(const std::string& group) const {
  const std::vector<std::string>& members = index_.children(group);
  std::string list;
  for (std::size_t i = 0; i < members.size() && i < kMembersShown; ++i)
    list += (i == 0 ? "" : ", ") + group + "." + members[i];
  return members.size() > kMembersShown ? list + ", ..." : list;
}

}  // namespace warpmem
