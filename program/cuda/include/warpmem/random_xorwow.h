// SPDX-License-Identifier: Apache-2.0
// XORWOW (Marsaglia, Xorshift RNGs, 2003, section 3.1) in device code: five words of a recurrence
// over GF(2), plus a Weyl sequence. Subsequences are 2^67 numbers apart.
#pragma once

namespace warpmem_random {

/// A polynomial over GF(2) of a degree below 160, the power of x at bit i of word i / 32.
struct Polynomial {
  unsigned int word[5];
};
/// The characteristic polynomial of the recurrence is x^160 and these terms.
constexpr unsigned long long kXorwow[3] = {0x0861003000060001, 0x0f3c003500062121, 0xf0e};

/// The bits of a word, each followed by a zero: its square.
constexpr unsigned long long spread(unsigned long long bits) {
  bits = (bits | bits << 16) & 0x0000ffff0000ffff;
  bits = (bits | bits << 8) & 0x00ff00ff00ff00ff;
  bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0f;
  bits = (bits | bits << 2) & 0x3333333333333333;
  return (bits | bits << 1) & 0x5555555555555555;
}

/// a^2 modulo the characteristic polynomial. Compilers evaluate this some hundred times for each
/// program, so it takes few steps: from the highest power down, each one is replaced.
constexpr Polynomial squared(const Polynomial& a) {
  unsigned long long square[5] = {};
  for (int i = 0; i < 5; ++i) square[i] = spread(a.word[i]);
  for (int i = 158; i >= 0; --i) {  // x^(160 + i)
    const int word = i / 64, shift = i % 64;
    if ((square[(160 + i) / 64] >> (160 + i) % 64 & 1) == 0) continue;
    for (int k = 0; k < 3; ++k) {
      square[word + k] ^= kXorwow[k] << shift;
      if (shift != 0 && word + k < 4) square[word + k + 1] ^= kXorwow[k] >> (64 - shift);
    }
  }
  Polynomial r = {};
  for (int k = 0; k < 5; ++k)
    r.word[k] = static_cast<unsigned int>(square[k / 2] >> (k % 2 == 0 ? 0 : 32));
  return r;
}

/// x^(2^i): what 2^i steps of the recurrence do.
struct Jumps {
  Polynomial power[131];
};
constexpr Jumps jumps() {
  Jumps j = {};
  j.power[0].word[0] = 2;
  for (int i = 1; i < 131; ++i) j.power[i] = squared(j.power[i - 1]);
  return j;
}
static __device__ const Jumps kJumps = jumps();

static __device__ __forceinline__ unsigned int xorwow_next(unsigned int v[5]) {
  const unsigned int t = v[0] ^ v[0] >> 2;
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  return v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}

/// A sum of powers of x stands for the sum of the states that so many steps lead to.
static __device__ void xorwow_jump(unsigned int v[5], int power) {
  unsigned int sum[5] = {};
  for (int k = 0; k < 5; ++k) {
    unsigned int bits = kJumps.power[power].word[k];
    for (int i = 0; i < 32; ++i, bits >>= 1) {
      const unsigned int mask = 0u - (bits & 1);
#pragma unroll
      for (int n = 0; n < 5; ++n) sum[n] ^= v[n] & mask;
      xorwow_next(v);
    }
  }
  for (int n = 0; n < 5; ++n) v[n] = sum[n];
}
/// Goes on by steps * 2^shift numbers.
static __device__ void xorwow_skip(unsigned int v[5], unsigned long long steps, int shift) {
  for (int i = shift; steps != 0; ++i, steps >>= 1)
    if ((steps & 1) != 0) xorwow_jump(v, i);
}

}  // namespace warpmem_random

struct curandStateXORWOW {
  unsigned int d, v[5];
  int has_normal, has_normal_double;
  float normal;
  double normal_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

static __device__ __forceinline__ unsigned int curand(curandStateXORWOW_t* state) {
  state->d += 362437;
  return warpmem_random::xorwow_next(state->v) + state->d;
}
static __device__ __forceinline__ void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  warpmem_random::xorwow_skip(state->v, n, 0);
  state->d += 362437u * static_cast<unsigned int>(n);
}
static __device__ __forceinline__ void skipahead_sequence(unsigned long long n,
                                                          curandStateXORWOW_t* state) {
  warpmem_random::xorwow_skip(state->v, n, 67);  // 2^67 steps leave d as it is
}
static __device__ __forceinline__ void curand_init(unsigned long long seed,
                                                   unsigned long long subsequence,
                                                   unsigned long long offset,
                                                   curandStateXORWOW_t* state) {
  const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  state->has_normal = state->has_normal_double = 0;
}
