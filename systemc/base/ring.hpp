// SPDX-License-Identifier: Apache-2.0
// A FIFO of fixed capacity. Its storage is at most twice what it ever held, in which it goes round,
// and one that has become empty starts over at its first slot: a deep one that holds little costs
// little of the host's memory and stays in its caches. References to elements hold until the next
// push.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/assert.hpp"

namespace warpmem {

template <class T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : capacity_(capacity) { assert(capacity > 0); }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }

  /// Preconditions: !full() for push, !empty() for front and pop, i < size() for at.
  void push(T value) { push_slot() = std::move(value); }
  /// Puts `value` behind all that are not later(element, value), and returns its place from the
  /// oldest on. For elements in such an order, which are nearly always pushed in it.
  template <class Later>
  std::size_t insert(T value, Later&& later) {
    push(std::move(value));
    std::size_t place = size_ - 1;
    for (; place != 0 && later(at(place - 1), at(place)); --place)
      std::swap(at(place - 1), at(place));
    return place;
  }
  /// Appends a slot and returns it as its last user left it. This is for large elements, which the
  /// caller rewrites in place. Precondition: !full().
  T& push_slot() {
    assert(!full());
    if (size_ == made_) [[unlikely]]
      grow();
    return slots_[wrap(head_ + size_++)];
  }
  /// Removes the oldest element without moving it out. Precondition: !empty().
  void drop() {
    assert(!empty());
    --size_;
    head_ = size_ == 0 ? 0 : wrap(head_ + 1);
  }
  T& front() {
    assert(!empty());
    return slots_[head_];
  }
  const T& front() const {
    assert(!empty());
    return slots_[head_];
  }
  T pop() {
    assert(!empty());
    T value = std::move(slots_[head_]);
    drop();
    return value;
  }
  /// Returns the i-th oldest element.
  T& at(std::size_t i) {
    assert(i < size_);
    return slots_[wrap(head_ + i)];
  }
  const T& at(std::size_t i) const {
    assert(i < size_);
    return slots_[wrap(head_ + i)];
  }
  /// Removes the i-th oldest element and keeps the order of the others (used by schedulers that
  /// pick from the middle; costs at most size() moves).
  T erase(std::size_t i) {
    T value = std::move(at(i));
    for (; i + 1 < size_; ++i) at(i) = std::move(at(i + 1));
    --size_;
    return value;
  }

 private:
  // Apart, so that what a vector does to grow is not in every push.
  [[gnu::noinline]] void grow() {
    std::rotate(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(head_), slots_.end());
    head_ = 0;
    made_ = std::min(std::max<std::size_t>(2 * made_, 1), capacity_);
    slots_.resize(made_);
  }
  std::size_t wrap(std::size_t i) const { return i >= made_ ? i - made_ : i; }

  std::size_t capacity_;
  std::vector<T> slots_;
  std::size_t made_ = 0;  // size of that
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace warpmem
