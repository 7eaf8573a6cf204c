// SPDX-License-Identifier: Apache-2.0
// The keys of a schema as a tree of groups: which keys exist, what a group holds, and which key a
// misspelt path was probably meant to be.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/params.hpp"

namespace warpmem {

class KeyIndex {
 public:
  /// Keeps no reference to the schema; later additions to it are not seen.
  explicit KeyIndex(const Schema& schema);

  /// Returns the key's position in schema.params().
  std::optional<std::size_t> find(const std::string& path) const;
  bool is_group(const std::string& path) const { return children_.count(path) != 0; }
  /// Returns the last components of what the group holds, in the schema's order; "" is the top
  /// level.
  const std::vector<std::string>& children(const std::string& group) const;
  /// Returns a text like "; did you mean l1d.mshr.kind or l2.mshr.kind?", or "". It looks component
  /// by component, then for keys that end in `path`, then for a similar path.
  std::string suggest(const std::string& path) const;

 private:
  void add_alias(const std::string& name, const std::string& key);
  std::string corrected(const std::string& path) const;

  std::map<std::string, std::size_t> keys_;
  std::map<std::string, std::vector<std::string>> children_;
  std::vector<std::string> all_;  // keys and groups
};

}  // namespace warpmem
