// SPDX-License-Identifier: Apache-2.0
// An array that a program shares with the device in one of three forms, so that the same kernels
// run with managed memory, with managed memory that is moved ahead, and with explicit copies.
#pragma once

#include <algorithm>
#include <vector>

#include "../common/check.hpp"

namespace workload {

/// By the number that programs take for it.
enum class Form {
  managed,  ///< 0: cudaMallocManaged
  ahead,    ///< 1: the same, and cudaMemPrefetchAsync before the first launch
  copied    ///< 2: cudaMalloc and cudaMemcpy
};
inline Form form_argument(int argc, char** argv, int index) {
  return static_cast<Form>(size_argument(argc, argv, index, 0, 0, 2));
}

template <class T>
class SharedArray {
 public:
  SharedArray(const std::vector<T>& start, Form form) : n_(start.size()), form_(form) {
    if (form == Form::copied) {
      CHECK_CUDA(cudaMalloc(&data_, bytes()));
      CHECK_CUDA(cudaMemcpy(data_, start.data(), bytes(), cudaMemcpyHostToDevice));
      return;
    }
    CHECK_CUDA(cudaMallocManaged(&data_, bytes()));
    std::copy(start.begin(), start.end(), data_);
    if (form == Form::ahead) CHECK_CUDA(cudaMemPrefetchAsync(data_, bytes(), 0));
  }
  SharedArray(std::size_t n, T value, Form form) : SharedArray(std::vector<T>(n, value), form) {}
  ~SharedArray() { cudaFree(data_); }
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;

  operator T*() const { return data_; }
  std::size_t size() const { return n_; }
  /// One element, with the kernels so far done.
  T read(std::size_t i) const {
    T value;
    if (form_ == Form::copied)
      CHECK_CUDA(cudaMemcpy(&value, data_ + i, sizeof(T), cudaMemcpyDeviceToHost));
    else
      value = data_[i];
    return value;
  }
  std::vector<T> read() const {
    if (form_ != Form::copied) return std::vector<T>(data_, data_ + n_);
    std::vector<T> host(n_);
    CHECK_CUDA(cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  std::size_t bytes() const { return n_ * sizeof(T); }
  T* data_ = nullptr;
  std::size_t n_;
  Form form_;
};

/// Numbers that differ from one another and take no time to make.
inline std::vector<unsigned> numbers(std::size_t n, unsigned seed) {
  std::vector<unsigned> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = (static_cast<unsigned>(i) + seed) * 2654435761u;
  return values;
}

}  // namespace workload
