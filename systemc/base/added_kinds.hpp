// SPDX-License-Identifier: Apache-2.0
// Kinds of a part (a replacement policy, a scheduler) that a program or a plugin adds to those of
// the tree, to be chosen by name in the configuration.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/added_part.hpp"
#include "base/errors.hpp"

namespace warpmem {

/// `Arguments` are what a part of this sort is made from.
template <class Part, class... Arguments>
class AddedKinds {
 public:
  using Make = std::function<std::unique_ptr<Part>(Arguments...)>;

  /// To be called before the configuration is described. Throws UserError when the name is empty or
  /// taken, or has a character other than a-z, 0-9 and _.
  void add(const std::string& name, Make make) {
    if (name.empty() ||
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
      throw UserError("added kind '" + name + "': allowed in a name: a-z, 0-9 and _");
    if (!kinds_.emplace(name, Kind{std::move(make), ""}).second)
      throw UserError("added kind '" + name + "': the name is taken");
  }
  /// Notes that the kinds of which it is not known have been added by the plugin `file`.
  void come_from(const std::string& file) {
    for (auto& [name, kind] : kinds_)
      if (kind.file.empty()) kind.file = file;
  }
  /// In alphabetical order.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, kind] : kinds_) all.push_back(name);
    return all;
  }
  /// Returns an added kind as messages name it, with its plugin.
  std::string who(const std::string& name) const {
    const std::string& file = kinds_.at(name).file;
    return (file.empty() ? "" : file + ": ") + "added kind '" + name + "'";
  }
  /// Precondition: `name` was added. Throws SimulationError when its function makes no part.
  std::unique_ptr<Part> make(const std::string& name, Arguments... arguments) const {
    auto part = call_added(who(name), [&]() -> std::unique_ptr<Part> {
      return kinds_.at(name).make(std::forward<Arguments>(arguments)...);
    });
    if (!part) throw SimulationError(who(name) + ": its function returned no part");
    return part;
  }

 private:
  struct Kind {
    Make make;
    std::string file;  ///< the plugin; empty: none
  };
  std::map<std::string, Kind> kinds_;
};

}  // namespace warpmem
