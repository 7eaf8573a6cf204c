// SPDX-License-Identifier: Apache-2.0
// What every workload needs: its sizes from the command line, errors of the CUDA runtime, input
// that is the same on every machine, and the verdict.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>

/// Ends the program with a message when a CUDA call fails.
#define CHECK_CUDA(call) ::workload::check_cuda((call), #call, __FILE__, __LINE__)

namespace workload {

inline void check_cuda(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  std::exit(1);
}

/// The size argument number `index` (from 1), or `otherwise` when it is not given.
inline int size_argument(int argc, char** argv, int index, int otherwise, int least = 1,
                         int most = std::numeric_limits<int>::max()) {
  if (index >= argc) return otherwise;
  char* end = nullptr;
  const long value = std::strtol(argv[index], &end, 10);
  if (*argv[index] == '\0' || *end != '\0' || value < least || value > most) {
    std::fprintf(stderr, "%s: argument %d is '%s'; it is a number from %d to %d\n", argv[0], index,
                 argv[index], least, most);
    std::exit(1);
  }
  return static_cast<int>(value);
}

/// Ends the program with a message when it is given more than `count` arguments.
inline void no_more_arguments(int argc, char** argv, int count) {
  if (argc <= count + 1) return;
  std::fprintf(stderr, "%s: argument %d is '%s'; there are at most %d\n", argv[0], count + 1,
               argv[count + 1], count);
  std::exit(1);
}

/// Blocks that cover `items` with `per_block` each.
inline unsigned blocks_for(std::size_t items, unsigned per_block) {
  return static_cast<unsigned>((items + per_block - 1) / per_block);
}

/// A small generator (xorshift64*), so that input does not depend on the C++ library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
  std::uint32_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<std::uint32_t>((state_ * 0x2545f4914f6cdd1dull) >> 32);
  }
  /// In [0, bound).
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((std::uint64_t(next()) * bound) >> 32);
  }
  /// In [0, 1), with 24 bits.
  float unit() { return static_cast<float>(next() >> 8) * (1.0f / 16777216.0f); }

 private:
  std::uint64_t state_;
};

inline std::vector<float> random_floats(std::size_t n, std::uint64_t seed, float low = 0.0f,
                                        float high = 1.0f) {
  Random random(seed);
  std::vector<float> values(n);
  for (float& v : values) v = low + (high - low) * random.unit();
  return values;
}

/// An array in device memory, freed with its scope.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) : n_(n) { CHECK_CUDA(cudaMalloc(&data_, n * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) { upload(host); }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* get() const { return data_; }
  operator T*() const { return data_; }
  std::size_t size() const { return n_; }
  void upload(const std::vector<T>& host) {
    CHECK_CUDA(cudaMemcpy(data_, host.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> host(n_);
    CHECK_CUDA(cudaMemcpy(host.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
  void zero() { CHECK_CUDA(cudaMemset(data_, 0, n_ * sizeof(T))); }

 private:
  T* data_ = nullptr;
  std::size_t n_;
};

/// Waits for the kernels so far and reports a failed launch.
inline void finish_kernels() {
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDeviceSynchronize());
}

/// Collects the comparisons of one program; done() prints the verdict.
class Verdict {
 public:
  /// Integers must be equal.
  template <class T>
  void equal(const char* what, const std::vector<T>& got, const std::vector<T>& expected) {
    static_assert(std::is_integral<T>::value, "use close() for floating point");
    if (!same_size(what, got.size(), expected.size())) return;
    for (std::size_t i = 0; i < got.size(); ++i)
      if (got[i] != expected[i])
        report(what, i, static_cast<double>(got[i]), static_cast<double>(expected[i]));
  }
  /// |got - expected| <= tolerance * max(|expected|, floor). NaN never passes.
  template <class T, class U>
  void close(const char* what, const std::vector<T>& got, const std::vector<U>& expected,
             double tolerance, double floor = 1.0) {
    if (!same_size(what, got.size(), expected.size())) return;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double e = static_cast<double>(expected[i]), g = static_cast<double>(got[i]);
      if (!(std::fabs(g - e) <= tolerance * std::fmax(std::fabs(e), floor))) report(what, i, g, e);
    }
  }
  void require(bool condition, const char* what) {
    if (condition) return;
    if (++failures_ == 1) std::printf("FAIL %s\n", what);
  }
  /// The program's exit status.
  int done() const {
    if (failures_ == 0)
      std::printf("PASS\n");
    else
      std::printf("FAIL %zu differences\n", failures_);
    return failures_ == 0 ? 0 : 1;
  }

 private:
  bool same_size(const char* what, std::size_t got, std::size_t expected) {
    if (got == expected) return true;
    ++failures_;
    std::printf("FAIL %s: %zu elements, expected %zu\n", what, got, expected);
    return false;
  }
  void report(const char* what, std::size_t i, double got, double expected) {
    static constexpr std::size_t kMostPrinted = 5;
    if (++failures_ <= kMostPrinted)
      std::printf("FAIL %s[%zu]: %.9g, expected %.9g\n", what, i, got, expected);
  }
  std::size_t failures_ = 0;
};

}  // namespace workload
