// SPDX-License-Identifier: Apache-2.0
#include "base/key_index.hpp"

#include <algorithm>

#include "base/nearest.hpp"

namespace warpmem {
namespace {

constexpr std::size_t kMaxSuggestions = 3;

bool ends_with_path(const std::string& path, const std::string& tail) {
  return path.size() > tail.size() && path[path.size() - tail.size() - 1] == '.' &&
         path.compare(path.size() - tail.size(), tail.size(), tail) == 0;
}

}  // namespace

KeyIndex::KeyIndex(const Schema& schema) {
  children_[""];
  for (std::size_t i = 0; i < schema.params().size(); ++i) {
    const std::string& name = schema.params()[i].name;
    keys_.emplace(name, i);
    std::string group;
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t dot = std::min(name.find('.', begin), name.size());
      std::vector<std::string>& siblings = children_[group];
      const std::string component = name.substr(begin, dot - begin);
      if (std::find(siblings.begin(), siblings.end(), component) == siblings.end()) {
        siblings.push_back(component);
        all_.push_back(name.substr(0, dot));
      }
      group = name.substr(0, dot);
      begin = dot + 1;
    }
  }
  for (const auto& [name, key] : schema.aliases()) add_alias(name, key);
}

// The alias is known, but is not shown as a member of its group.
void KeyIndex::add_alias(const std::string& name, const std::string& key) {
  keys_.emplace(name, keys_.at(key));
  for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
    children_[name.substr(0, dot)];
}

std::optional<std::size_t> KeyIndex::find(const std::string& path) const {
  const auto it = keys_.find(path);
  if (it == keys_.end()) return std::nullopt;
  return it->second;
}

const std::vector<std::string>& KeyIndex::children(const std::string& group) const {
  static const std::vector<std::string> none;
  const auto it = children_.find(group);
  return it == children_.end() ? none : it->second;
}

std::string KeyIndex::corrected(const std::string& path) const {
  std::string group;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    std::string component = path.substr(begin, dot - begin);
    const std::vector<std::string>& siblings = children(group);
    if (std::find(siblings.begin(), siblings.end(), component) == siblings.end())
      component = nearest(component, siblings);
    if (component.empty()) return "";
    group += (group.empty() ? "" : ".") + component;
    begin = dot + 1;
  }
  return group;
}

std::string KeyIndex::suggest(const std::string& path) const {
  if (path.empty()) return "";
  std::vector<std::string> found;
  if (std::string fixed = corrected(path); !fixed.empty()) {
    found.push_back(std::move(fixed));
  } else {
    for (const std::string& known : all_)
      if (ends_with_path(known, path)) found.push_back(known);
    if (found.size() > kMaxSuggestions) found.clear();
    if (found.empty()) return did_you_mean(path, all_);
  }
  std::string list;
  for (std::size_t i = 0; i < found.size(); ++i)
    list += (i == 0 ? "" : i + 1 == found.size() ? " or " : ", ") + found[i];
  return "; did you mean " + list + "?";
}

}  // namespace warpmem
