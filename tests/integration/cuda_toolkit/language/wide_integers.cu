// SPDX-License-Identifier: Apache-2.0
// Products, quotients and rests of 128 bits, with and without a sign; powers modulo 64 bits.
#include <cstdio>

using Wide = unsigned __int128;

template <typename T>
struct Results {
  T product, quotient, rest;
};

template <typename T>
__host__ __device__ Results<T> results(T a, T b) {
  return {a * b, a / b, a % b};
}

__host__ __device__ unsigned long long power(unsigned long long base, unsigned long long modulus) {
  unsigned long long result = 1;
  for (int exponent = 77; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = static_cast<unsigned long long>(Wide(result) * base % modulus);
    base = static_cast<unsigned long long>(Wide(base) * base % modulus);
  }
  return result;
}

template <typename T>
__global__ void compute(const T* a, const T* b, Results<T>* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = results(a[blockIdx.x], b[threadIdx.x]);
}

__global__ void powers(unsigned long long* out) { out[threadIdx.x] = power(threadIdx.x, ~58ull); }

constexpr int kN = 12;

template <typename T>
bool agrees() {
  T host[kN], *in;
  Results<T>*out, got[kN * kN];
  const T one = 1;
  const T values[kN] = {1,
                        2,
                        3,
                        T(0) - 1,
                        T(0) - 7,
                        (one << 64) - 1,
                        one << 64,
                        (one << 64) + 1,
                        (one << 100) + 12345,
                        T(0) - (one << 90),
                        (one << 126) - 1,
                        one << 63};
  for (int i = 0; i < kN; ++i) host[i] = values[i];
  if (cudaMalloc(&in, sizeof host) != cudaSuccess || cudaMalloc(&out, sizeof got) != cudaSuccess)
    return false;
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  compute<<<kN, kN>>>(in, in, out);
  if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) return false;
  for (int i = 0; i < kN * kN; ++i) {
    const Results<Wide> want = {Wide(host[i / kN]) * Wide(host[i % kN]),
                                Wide(host[i / kN] / host[i % kN]),
                                Wide(host[i / kN] % host[i % kN])};
    if (Wide(got[i].product) != want.product || Wide(got[i].quotient) != want.quotient ||
        Wide(got[i].rest) != want.rest)
      return std::printf("FAIL: case %d\n", i), false;
  }
  return true;
}

int main() {
  unsigned long long *device, host[64];
  cudaMalloc(&device, sizeof host);
  powers<<<1, 64>>>(device);
  bool good = cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < 64; ++i) good = good && host[i] == power(i, ~58ull);
  good = good && agrees<Wide>() && agrees<__int128>();
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
