// SPDX-License-Identifier: Apache-2.0
// An array of fixed size whose elements are zero bytes at first. The host gives a page of it when
// that is first written: a large table of which a run uses little costs little time to make.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace warpmem {

/// Precondition: zero bytes are the value that an element of type T begins with.
template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size)
      : size_(size), elements_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (elements_ == nullptr && size != 0) throw std::bad_alloc();
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return elements_.get(); }
  const T* data() const { return elements_.get(); }
  T& operator[](std::size_t i) { return elements_.get()[i]; }
  const T& operator[](std::size_t i) const { return elements_.get()[i]; }

 private:
  struct Free {
    void operator()(T* elements) const { std::free(elements); }
  };
  std::size_t size_ = 0;
  std::unique_ptr<T, Free> elements_;
};

}  // namespace warpmem
