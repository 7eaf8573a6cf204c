// SPDX-License-Identifier: Apache-2.0
// cuRAND: each generator against published numbers or its plain recurrence, skips against steps,
// the distributions' moments, and arrays that the host asks for.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <vector>

static int failures = 0;
static void require(bool condition, const char* what) {
  if (!condition) std::printf("wrong: %s\n", what), ++failures;
}

template <class State>
__global__ void bits(unsigned* out, unsigned long long seed, unsigned long long sequence,
                     unsigned long long offset, int n) {
  State state;
  curand_init(seed, sequence, offset, &state);
  for (int i = 0; i < n; ++i) out[i] = curand(&state);
}
// In one thread each: skips together, and one after the other.
template <class State>
__global__ void skips(unsigned* out) {
  State state;
  curand_init(77, 0, 0, &state);
  const unsigned t = threadIdx.x;
  if (t == 0) skipahead_sequence(11, &state), skipahead(1234567, &state);
  if (t == 1) skipahead(1234560, &state), skipahead_sequence(3, &state);
  if (t == 1) skipahead(7, &state), skipahead_sequence(8, &state);
  if (t == 2) {
    curand_init(77, 0, 1000, &state);
  }
  if (t == 3)
    for (int i = 0; i < 1000; ++i) curand(&state);
  out[t] = curand(&state);
}
template <class State>
__global__ void moments(double* sums) {
  State state;
  curand_init(5, threadIdx.x, 0, &state);
  double values[5];
  for (int i = 0; i < 64; ++i) {
    values[0] = curand_uniform(&state);
    values[1] = curand_uniform_double(&state);
    values[2] = curand_normal(&state);
    values[3] = curand_normal_double(&state);
    values[4] = curand_poisson(&state, 4.0);
    for (int k = 0; k < 5; ++k) {
      atomicAdd(&sums[2 * k], values[k]);
      atomicAdd(&sums[2 * k + 1], values[k] * values[k]);
    }
  }
}

static std::vector<unsigned> xorwow(unsigned long long seed, int n) {
  const unsigned low = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u);
  const unsigned high = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
  unsigned d = 6615241u + high + low;
  unsigned x = 123456789u + low, y = 362436069u ^ low, z = 521288629u + high;
  unsigned w = 88675123u ^ high, v = 5783321u + low;
  std::vector<unsigned> out;
  while (n-- > 0) {
    const unsigned t = x ^ (x >> 2);
    x = y, y = z, z = w, w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    out.push_back(v + (d += 362437));
  }
  return out;
}

template <class State>
static void check(const char* name, const std::vector<unsigned>& expected,
                  unsigned long long seed) {
  unsigned *device, host[64];
  cudaMalloc(&device, sizeof host);
  const int n = static_cast<int>(expected.size());
  bits<State><<<1, 1>>>(device, seed, 0, 0, n);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) require(host[i] == expected[i], name);
  skips<State><<<1, 4>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  require(host[0] == host[1] && host[2] == host[3] && host[0] != host[2], "skips");
  double *sums, v[10];
  cudaMalloc(&sums, sizeof v);
  cudaMemset(sums, 0, sizeof v);
  moments<State><<<1, 64>>>(sums);
  cudaMemcpy(v, sums, sizeof v, cudaMemcpyDeviceToHost);
  // Bounds of five standard deviations and more, of 4096 numbers.
  const double mean[] = {0.5, 0.5, 0, 0, 4}, square[] = {1.0 / 3, 1.0 / 3, 1, 1, 20};
  for (int k = 0; k < 5; ++k) {
    require(std::fabs(v[2 * k] / 4096 - mean[k]) < 0.08 * (1 + mean[k]), "mean");
    require(std::fabs(v[2 * k + 1] / 4096 - square[k]) < 0.12 * (1 + square[k]), "square");
  }
}

static void check_arrays(curandRngType_t type) {
  const int n = 10000;
  float* device;
  cudaMalloc(&device, n * sizeof(float));
  std::vector<float> values(n), again(n);
  curandGenerator_t generator;
  require(curandCreateGenerator(&generator, type) == CURAND_STATUS_SUCCESS, "generator");
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  require(curandGenerateNormal(generator, device, n + 1, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE,
          "length");
  require(curandGenerateNormal(generator, device, n, 3.0f, 2.0f) == CURAND_STATUS_SUCCESS, "call");
  cudaMemcpy(values.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0, squares = 0;
  for (float v : values) sum += v, squares += (v - 3.0) * (v - 3.0);
  require(std::fabs(sum / n - 3) < 0.1 && std::fabs(squares / n - 4) < 0.3, "normal numbers");
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  curandGenerateNormal(generator, device, n, 3.0f, 2.0f);
  cudaMemcpy(again.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost);
  require(values == again, "the same seed");
  curandGenerateUniform(generator, device, n);
  cudaMemcpy(again.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (float v : again) require(v > 0 && v <= 1, "uniform numbers");
  require(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS, "end");
}

int main() {
  check<curandStateXORWOW_t>("XORWOW", xorwow(0x123456789abcull, 64), 0x123456789abcull);
  // Random123's known answer for a counter and a key of zeros.
  check<curandStatePhilox4_32_10_t>("Philox", {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}, 0);
  check<curandStateMRG32k3a_t>("MRG32k3a", {}, 0);
  // L'Ecuyer's first number for seeds of 12345 is 0.12701112204657714.
  unsigned *device, first = 0;
  cudaMalloc(&device, sizeof first);
  bits<curandStateMRG32k3a_t><<<1, 1>>>(device, 0, 0, 0, 1);
  cudaMemcpy(&first, device, sizeof first, cudaMemcpyDeviceToHost);
  require(std::fabs(first / 4294967296.0 - 0.12701112204657714) < 1e-8, "MRG32k3a's first");
  for (curandRngType_t type : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_PHILOX4_32_10})
    check_arrays(type);
  curandGenerator_t none;
  require(curandCreateGenerator(&none, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR,
          "a generator that is missing");
  if (failures == 0) std::puts("PASS");
  return failures != 0;
}
