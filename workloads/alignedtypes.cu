// SPDX-License-Identifier: Apache-2.0
// alignedtypes [bytes = 1048576]: copies of an array as elements of 1 to 32 bytes, aligned and not.
//
// Stands for: alignedTypes of the CUDA SDK samples.
// Memory: two streams; the element decides how many bytes a lane moves at once and whether a warp's
// accesses to one member leave gaps (structures without alignment: strided, several lines a warp).
// In the papers: DL (docs/references.md).
// Measured (3670016): un-coalesced, secondary-miss-predominant, type II.
#include <cstring>

#include "common/check.hpp"

struct Rgba8Packed {
  unsigned char r, g, b, a;
};
struct La32Packed {
  unsigned l, a;
};
struct Rgb32Packed {
  unsigned r, g, b;
};
struct Rgba32Packed {
  unsigned r, g, b, a;
};
struct __align__(4) Rgba8 {
  unsigned char r, g, b, a;
};
struct __align__(8) La32 {
  unsigned l, a;
};
struct __align__(16) Rgb32 {
  unsigned r, g, b;
};
struct __align__(16) Rgba32 {
  unsigned r, g, b, a;
};

struct __align__(16) TwoRgba32 {
  Rgba32 first, second;
};

template <class T>
__global__ void copy_elements(const T* in, T* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    out[i] = in[i];
}

// `packed` bytes of each element are data, the rest is padding.
template <class T>
static void run(const char* name, int packed, const std::vector<unsigned char>& bytes,
                workload::Verdict& verdict) {
  const int n = static_cast<int>(bytes.size() / sizeof(T));
  const workload::DeviceArray<unsigned char> in(bytes);
  workload::DeviceArray<unsigned char> out(bytes.size());
  out.zero();
  copy_elements<<<64, 256>>>(reinterpret_cast<const T*>(in.get()), reinterpret_cast<T*>(out.get()),
                             n);
  workload::finish_kernels();
  const auto got = out.download();
  bool same = true;
  for (int i = 0; i < n; ++i)
    same = same && std::memcmp(&got[i * sizeof(T)], &bytes[i * sizeof(T)], packed) == 0;
  verdict.require(same, name);
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 1 << 20, 16);
  workload::no_more_arguments(argc, argv, 1);
  workload::Random random(1);
  std::vector<unsigned char> bytes(n);
  for (unsigned char& b : bytes) b = static_cast<unsigned char>(random.next());
  workload::Verdict verdict;
  run<unsigned char>("unsigned char", 1, bytes, verdict);
  run<unsigned short>("unsigned short", 2, bytes, verdict);
  run<unsigned>("unsigned", 4, bytes, verdict);
  run<Rgba8Packed>("RGBA8, packed", 4, bytes, verdict);
  run<La32Packed>("LA32, packed", 8, bytes, verdict);
  run<Rgb32Packed>("RGB32, packed", 12, bytes, verdict);
  run<Rgba32Packed>("RGBA32, packed", 16, bytes, verdict);
  run<Rgba8>("RGBA8", 4, bytes, verdict);
  run<La32>("LA32", 8, bytes, verdict);
  run<Rgb32>("RGB32", 12, bytes, verdict);
  run<Rgba32>("RGBA32", 16, bytes, verdict);
  run<TwoRgba32>("two RGBA32", 32, bytes, verdict);
  return verdict.done();
}
