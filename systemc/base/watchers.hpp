// SPDX-License-Identifier: Apache-2.0
// Those who watch a module. The module tells them what happens by calls of an interface of its own
// folder (sm/watch.hpp, cache/watch.hpp), none of which changes anything. In an ordinary run nobody
// watches, and telling costs a comparison: what is told lies apart from the code that runs then.
#pragma once

#include <vector>

namespace warpmem {

template <class Watch>
class Watchers {
 public:
  /// `watch` is told of everything from now on and must outlive the module.
  void add(Watch& watch) { list_.push_back(&watch); }
  bool any() const { return !list_.empty(); }
  /// Calls call(watch) for each of them.
  template <class Call>
  void tell(Call&& call) const {
    if (__builtin_expect_with_probability(list_.empty(), 1, 1.0)) return;
    for (Watch* const watch : list_) call(*watch);
  }

 private:
  std::vector<Watch*> list_;
};

}  // namespace warpmem
