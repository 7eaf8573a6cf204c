// SPDX-License-Identifier: Apache-2.0
// Elements that are taken and given back by their numbers, 0 to capacity - 1. The number that was
// given back last is taken first. The storage grows to the most that were ever taken at once, so
// that a pool of which a run uses little costs little; references hold until the next take().
#pragma once

#include <vector>

#include "base/assert.hpp"

namespace warpmem {

template <class T>
class NumberedPool {
 public:
  explicit NumberedPool(unsigned capacity) : capacity_(capacity) {}

  /// Returns whether all elements are taken.
  bool exhausted() const { return free_.empty() && elements_.size() == capacity_; }
  /// Returns the number of an element, which is as its last user left it. Precondition:
  /// !exhausted().
  unsigned take() {
    assert(!exhausted());
    if (free_.empty()) return make();
    const unsigned number = free_.back();
    free_.pop_back();
    return number;
  }
  void give_back(unsigned number) { free_.push_back(number); }

  /// Precondition: the number has been taken at some time.
  T& operator[](unsigned number) { return elements_[number]; }
  const T& operator[](unsigned number) const { return elements_[number]; }
  /// All that have been taken at some time, free ones as their users left them.
  const std::vector<T>& ever_taken() const { return elements_; }

 private:
  [[gnu::noinline]] unsigned make() {
    elements_.emplace_back();
    return static_cast<unsigned>(elements_.size()) - 1;
  }

  unsigned capacity_;
  std::vector<T> elements_;
  std::vector<unsigned> free_;
};

}  // namespace warpmem
