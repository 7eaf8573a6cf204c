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
    if (!make_.emplace(name, std::move(make)).second)
      throw UserError("added kind '" + name + "': the name is taken");
  }
  /// In alphabetical order.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, make] : make_) all.push_back(name);
    return all;
  }
  /// Precondition: `name` was added.
  std::unique_ptr<Part> make(const std::string& name, Arguments... arguments) const {
    return make_.at(name)(std::forward<Arguments>(arguments)...);
  }

 private:
  std::map<std::string, Make> make_;
};

}  // namespace warpmem
