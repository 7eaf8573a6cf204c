// SPDX-License-Identifier: Apache-2.0
// Tensor cores as libraries of kernels use them: ldmatrix out of shared memory, B transposed on the
// way, and mma.sync in assembly; halves and TF32, against integers on the host.
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

const int kM = 16, kN = 8, kK = 32;
const int kStep = 8 + kK;  // elements from row to row of A: 8 more, so that rows lie in other banks

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// A is kM x kK, B is kK x kN, both row by row.
__global__ void halves(const half* a, const half* b, float* d) {
  __shared__ __align__(16) half tile_a[kM * kStep], tile_b[kK * kN];
  const int lane = threadIdx.x;
  for (int i = lane; i < kM * kK; i += 32) tile_a[i / kK * kStep + i % kK] = a[i];
  for (int i = lane; i < kK * kN; i += 32) tile_b[i] = b[i];
  __syncthreads();
  float sum[4] = {0, 0, 0, 0};
  for (int k = 0; k < kK; k += 16) {
    unsigned fa[4], fb[2];
    const unsigned at_a = shared_address(&tile_a[lane % 16 * kStep + k + lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(at_a));
    const unsigned at_b = shared_address(&tile_b[(k + lane % 16) * kN]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(fb[0]), "=r"(fb[1])
                 : "r"(at_b));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  }
  for (int r = 0; r < 4; ++r) d[(lane / 4 + r / 2 * 8) * kN + lane % 4 * 2 + r % 2] = sum[r];
}

__global__ void singles(const float* a, const float* b, float* d) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  float sum[4] = {0, 0, 0, 0};
  for (int k = 0; k < kK; k += 8) {
    unsigned fa[4], fb[2];
    for (int r = 0; r < 4; ++r)
      fa[r] = __float_as_uint(a[(g + r % 2 * 8) * kK + k + t + r / 2 * 4]);
    for (int r = 0; r < 2; ++r) fb[r] = __float_as_uint(b[(k + t + r * 4) * kN + g]);
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  }
  for (int r = 0; r < 4; ++r) d[(g + r / 2 * 8) * kN + t * 2 + r % 2] = sum[r];
}

template <class T>
static bool check(const char* what, void (*kernel)(const T*, const T*, float*)) {
  std::vector<T> a(kM * kK), b(kK * kN);
  std::vector<int> ia(a.size()), ib(b.size());
  for (int i = 0; i < kM * kK; ++i) a[i] = T(float(ia[i] = (i * 37 + i / 11) % 33 - 16));
  for (int i = 0; i < kK * kN; ++i) b[i] = T(float(ib[i] = (i * 53 + i / 7) % 29 - 14));
  T *device_a, *device_b;
  float *device_d, d[kM * kN];
  cudaMalloc(&device_a, a.size() * sizeof(T));
  cudaMalloc(&device_b, b.size() * sizeof(T));
  cudaMalloc(&device_d, sizeof d);
  cudaMemcpy(device_a, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(device_a, device_b, device_d);
  if (cudaMemcpy(d, device_d, sizeof d, cudaMemcpyDeviceToHost) != cudaSuccess) return false;
  for (int i = 0; i < kM * kN; ++i) {
    int expected = 0;
    for (int k = 0; k < kK; ++k) expected += ia[i / kN * kK + k] * ib[k * kN + i % kN];
    if (d[i] != expected) {
      std::printf("%s: element %d is %g, expected %d\n", what, i, d[i], expected);
      return false;
    }
  }
  return true;
}

int main() {
  const bool good = check<half>("halves", halves) && check<float>("TF32", singles);
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
