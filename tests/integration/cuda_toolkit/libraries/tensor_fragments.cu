// SPDX-License-Identifier: Apache-2.0
// wmma written in assembly, as benchmarks of tensor cores have it: halves out of shared memory and
// bytes out of global memory, against integers on the host.
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

const int kM = 32, kN = 16, kK = 48;

/// Each warp makes 16 x 16 of D = A B + D; A is row by row, B column by column.
__global__ void halves(const half* a, const half* b, float* d) {
  __shared__ __align__(32) half tile_a[2][16 * 16], tile_b[16 * 16];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float* const corner = d + warp * 16 * kN;
  float c[8];
  asm volatile(
      "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], "
      "%9;"
      : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3]), "=f"(c[4]), "=f"(c[5]), "=f"(c[6]),
        "=f"(c[7])
      : "l"(corner), "r"(kN)
      : "memory");
  for (int k = 0; k < kK; k += 16) {
    __syncthreads();
    for (int i = lane; i < 256; i += 32)
      tile_a[warp][i] = a[(warp * 16 + i / 16) * kK + k + i % 16];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) tile_b[i] = b[i / 16 * kK + k + i % 16];
    __syncthreads();
    unsigned fa[8], fb[8];
    const unsigned at_a = static_cast<unsigned>(__cvta_generic_to_shared(tile_a[warp]));
    asm volatile(
        "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, "
        "[%8];"
        : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]), "=r"(fa[4]), "=r"(fa[5]), "=r"(fa[6]),
          "=r"(fa[7])
        : "r"(at_a)
        : "memory");
    asm volatile(
        "wmma.load.b.sync.aligned.col.m16n16k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], 16;"
        : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3]), "=r"(fb[4]), "=r"(fb[5]), "=r"(fb[6]),
          "=r"(fb[7])
        : "l"(tile_b)
        : "memory");
    asm volatile(
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, "
        "{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, "
        "{%0, %1, %2, %3, %4, %5, %6, %7};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]),
          "+f"(c[7])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fa[4]), "r"(fa[5]), "r"(fa[6]),
          "r"(fa[7]), "r"(fb[0]), "r"(fb[1]), "r"(fb[2]), "r"(fb[3]), "r"(fb[4]), "r"(fb[5]),
          "r"(fb[6]), "r"(fb[7]));
  }
  // What is done to every element alike may be done to the registers.
  for (int i = 0; i < 8; ++i) c[i] *= 2;
  asm volatile(
      "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%8], {%0, %1, %2, %3, %4, %5, %6, %7}, "
      "%9;" ::"f"(c[0]),
      "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]), "f"(c[5]), "f"(c[6]), "f"(c[7]), "l"(corner),
      "r"(kN)
      : "memory");
}

/// One warp makes 32 x 8 of D = A B, column by column.
__global__ void bytes(const signed char* a, const signed char* b, int* d) {
  int c[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int k = 0; k < kK; k += 16) {
    unsigned fa[4], fb;
    asm volatile("wmma.load.a.sync.aligned.col.m32n8k16.global.s8 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "l"(a + k * kM), "r"(kM)
                 : "memory");
    asm volatile("wmma.load.b.sync.aligned.row.m32n8k16.global.s8 {%0}, [%1], %2;"
                 : "=r"(fb)
                 : "l"(b + k * kN), "r"(kN)
                 : "memory");
    asm volatile(
        "wmma.mma.sync.aligned.col.row.m32n8k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, "
        "{%8, %9, %10, %11}, {%12}, {%0, %1, %2, %3, %4, %5, %6, %7};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]), "+r"(c[4]), "+r"(c[5]), "+r"(c[6]),
          "+r"(c[7])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb));
  }
  asm volatile(
      "wmma.store.d.sync.aligned.col.m32n8k16.global.s32 [%8], {%0, %1, %2, %3, %4, %5, %6, %7}, "
      "%9;" ::"r"(c[0]),
      "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]), "l"(d), "r"(kM)
      : "memory");
}

template <class T>
static T* to_device(const std::vector<T>& v) {
  T* p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

static bool check_halves() {
  std::vector<half> a(kM * kK), b(kK * kN);
  std::vector<float> d(kM * kN);
  std::vector<int> ia(a.size()), ib(b.size());
  for (int i = 0; i < kM * kK; ++i) a[i] = half(float(ia[i] = (i * 37 + i / 11) % 33 - 16));
  for (int i = 0; i < kK * kN; ++i) b[i] = half(float(ib[i] = (i * 53 + i / 7) % 29 - 14));
  for (int i = 0; i < kM * kN; ++i) d[i] = i;
  float* const device_d = to_device(d);
  halves<<<1, 64>>>(to_device(a), to_device(b), device_d);
  if (cudaMemcpy(d.data(), device_d, kM * kN * sizeof(float), cudaMemcpyDeviceToHost) !=
      cudaSuccess)
    return false;
  for (int i = 0; i < kM * kN; ++i) {
    int expected = i;
    for (int k = 0; k < kK; ++k) expected += ia[i / kN * kK + k] * ib[i % kN * kK + k];
    if (d[i] != 2 * expected) {
      std::printf("halves: element %d is %g, expected %d\n", i, d[i], 2 * expected);
      return false;
    }
  }
  return true;
}

static bool check_bytes() {
  std::vector<signed char> a(kM * kK), b(kK * kN);
  std::vector<int> d(kM * 8);
  for (int i = 0; i < kM * kK; ++i) a[i] = static_cast<signed char>(i * 37 + i / 11);
  for (int i = 0; i < kK * kN; ++i) b[i] = static_cast<signed char>(i * 53 + i / 7);
  int* const device_d = to_device(d);
  bytes<<<1, 32>>>(to_device(a), to_device(b), device_d);
  if (cudaMemcpy(d.data(), device_d, d.size() * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
    return false;
  for (int i = 0; i < kM * 8; ++i) {
    int expected = 0;
    for (int k = 0; k < kK; ++k) expected += a[k * kM + i % kM] * b[k * kN + i / kM];
    if (d[i] != expected) {
      std::printf("bytes: element %d is %d, expected %d\n", i, d[i], expected);
      return false;
    }
  }
  return true;
}

int main() {
  const bool good = check_halves() && check_bytes();
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
