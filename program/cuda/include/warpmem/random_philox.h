// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 (Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011) in device
// code: the numbers are a function of a counter of 128 bits and a key, four at a time.
#pragma once

struct curandStatePhilox4_32_10 {
  uint4 counter, output;
  uint2 key;
  unsigned int used;  ///< of `output`
  int has_normal, has_normal_double;
  float normal;
  double normal_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace warpmem_random {

static __device__ __forceinline__ uint4 philox(uint4 c, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned int high0 = __umulhi(0xd2511f53u, c.x), low0 = 0xd2511f53u * c.x;
    const unsigned int high1 = __umulhi(0xcd9e8d57u, c.z), low1 = 0xcd9e8d57u * c.z;
    c = make_uint4(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}
/// Adds to the lower half of the counter, or to the upper one.
static __device__ __forceinline__ void add(uint4& c, unsigned long long n, bool upper) {
  unsigned long long low = static_cast<unsigned long long>(c.y) << 32 | c.x;
  unsigned long long high = static_cast<unsigned long long>(c.w) << 32 | c.z;
  if (upper) {
    high += n;
  } else {
    low += n;
    high += low < n ? 1 : 0;
  }
  c = make_uint4(static_cast<unsigned int>(low), static_cast<unsigned int>(low >> 32),
                 static_cast<unsigned int>(high), static_cast<unsigned int>(high >> 32));
}

}  // namespace warpmem_random

static __device__ __forceinline__ unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned int at = state->used++;
  const unsigned int number = at == 0   ? state->output.x
                              : at == 1 ? state->output.y
                              : at == 2 ? state->output.z
                                        : state->output.w;
  if (state->used == 4) {
    warpmem_random::add(state->counter, 1, false);
    state->output = warpmem_random::philox(state->counter, state->key);
    state->used = 0;
  }
  return number;
}
static __device__ __forceinline__ uint4 curand4(curandStatePhilox4_32_10_t* state) {
  uint4 four;
  four.x = curand(state);
  four.y = curand(state);
  four.z = curand(state);
  four.w = curand(state);
  return four;
}
static __device__ __forceinline__ void skipahead(unsigned long long n,
                                                 curandStatePhilox4_32_10_t* state) {
  const unsigned int used = state->used + static_cast<unsigned int>(n & 3);
  warpmem_random::add(state->counter, n / 4 + used / 4, false);
  state->used = used % 4;
  state->output = warpmem_random::philox(state->counter, state->key);
}
static __device__ __forceinline__ void skipahead_sequence(unsigned long long n,
                                                          curandStatePhilox4_32_10_t* state) {
  warpmem_random::add(state->counter, n, true);
  state->output = warpmem_random::philox(state->counter, state->key);
}
static __device__ __forceinline__ void curand_init(unsigned long long seed,
                                                   unsigned long long subsequence,
                                                   unsigned long long offset,
                                                   curandStatePhilox4_32_10_t* state) {
  state->counter = make_uint4(0, 0, 0, 0);
  state->key = make_uint2(static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32));
  state->used = 0;
  warpmem_random::add(state->counter, subsequence, true);
  skipahead(offset, state);
  state->has_normal = state->has_normal_double = 0;
}
