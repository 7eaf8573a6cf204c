// SPDX-License-Identifier: Apache-2.0
// MRG32k3a (L'Ecuyer, Good Parameters and Implementations for Combined Multiple Recursive Random
// Number Generators, 1999) in device code. Subsequences are 2^76 numbers apart, sequences 2^127.
#pragma once

namespace warpmem_random {

constexpr unsigned long long kMrg1 = 4294967087ull, kMrg2 = 4294944443ull;

struct Matrix {
  unsigned int at[3][3];
};
/// What one step does to each of the two recurrences.
constexpr Matrix kMrgStep1 = {{{0, 1, 0}, {0, 0, 1}, {4294967087u - 810728u, 1403580u, 0}}};
constexpr Matrix kMrgStep2 = {{{0, 1, 0}, {0, 0, 1}, {4294944443u - 1370589u, 0, 527612u}}};

constexpr Matrix squared(const Matrix& a, unsigned long long modulus) {
  Matrix r = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      unsigned long long sum = 0;
      for (int k = 0; k < 3; ++k)
        sum = (sum + static_cast<unsigned long long>(a.at[i][k]) * a.at[k][j] % modulus) % modulus;
      r.at[i][j] = static_cast<unsigned int>(sum);
    }
  return r;
}
/// What 2^i steps do.
struct MrgJumps {
  Matrix power[191];
};
constexpr MrgJumps mrg_jumps(const Matrix& step, unsigned long long modulus) {
  MrgJumps j = {};
  j.power[0] = step;
  for (int i = 1; i < 191; ++i) j.power[i] = squared(j.power[i - 1], modulus);
  return j;
}
static __device__ const MrgJumps kMrgJumps1 = mrg_jumps(kMrgStep1, kMrg1);
static __device__ const MrgJumps kMrgJumps2 = mrg_jumps(kMrgStep2, kMrg2);

static __device__ void apply(const Matrix& a, unsigned int s[3], unsigned long long modulus) {
  unsigned int r[3];
  for (int i = 0; i < 3; ++i) {
    unsigned long long sum = 0;
    for (int k = 0; k < 3; ++k) sum += static_cast<unsigned long long>(a.at[i][k]) * s[k] % modulus;
    r[i] = static_cast<unsigned int>(sum % modulus);
  }
  for (int i = 0; i < 3; ++i) s[i] = r[i];
}

}  // namespace warpmem_random

struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int has_normal, has_normal_double;
  float normal;
  double normal_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace warpmem_random {

/// A number from 1 to kMrg1.
static __device__ __forceinline__ unsigned long long mrg_next(curandStateMRG32k3a_t* state) {
  unsigned int *a = state->s1, *b = state->s2;
  const unsigned long long p = (1403580ull * a[1] + (kMrg1 - 810728ull) * a[0]) % kMrg1;
  const unsigned long long q = (527612ull * b[2] + (kMrg2 - 1370589ull) * b[0] % kMrg2) % kMrg2;
  a[0] = a[1];
  a[1] = a[2];
  a[2] = static_cast<unsigned int>(p);
  b[0] = b[1];
  b[1] = b[2];
  b[2] = static_cast<unsigned int>(q);
  return p <= q ? p + kMrg1 - q : p - q;
}
static __device__ void mrg_skip(curandStateMRG32k3a_t* state, unsigned long long steps, int shift) {
  for (int i = shift; steps != 0; ++i, steps >>= 1) {
    if ((steps & 1) == 0) continue;
    apply(kMrgJumps1.power[i], state->s1, kMrg1);
    apply(kMrgJumps2.power[i], state->s2, kMrg2);
  }
}

}  // namespace warpmem_random

static __device__ __forceinline__ unsigned int curand(curandStateMRG32k3a_t* state) {
  return static_cast<unsigned int>(static_cast<double>(warpmem_random::mrg_next(state)) *
                                   1.000000048662);
}
static __device__ __forceinline__ void skipahead(unsigned long long n,
                                                 curandStateMRG32k3a_t* state) {
  warpmem_random::mrg_skip(state, n, 0);
}
static __device__ __forceinline__ void skipahead_subsequence(unsigned long long n,
                                                             curandStateMRG32k3a_t* state) {
  warpmem_random::mrg_skip(state, n, 76);
}
static __device__ __forceinline__ void skipahead_sequence(unsigned long long n,
                                                          curandStateMRG32k3a_t* state) {
  warpmem_random::mrg_skip(state, n, 127);
}
static __device__ __forceinline__ void curand_init(unsigned long long seed,
                                                   unsigned long long subsequence,
                                                   unsigned long long offset,
                                                   curandStateMRG32k3a_t* state) {
  const unsigned long long low = static_cast<unsigned int>(seed) ^ 0x55555555u;
  const unsigned long long high = static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau;
  for (int i = 0; i < 3; ++i) {
    const unsigned long long one = i == 1 ? high : low, other = i == 1 ? low : high;
    state->s1[i] =
        seed == 0 ? 12345u : static_cast<unsigned int>(one * 12345u % warpmem_random::kMrg1);
    state->s2[i] =
        seed == 0 ? 12345u : static_cast<unsigned int>(other * 12345u % warpmem_random::kMrg2);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  state->has_normal = state->has_normal_double = 0;
}
