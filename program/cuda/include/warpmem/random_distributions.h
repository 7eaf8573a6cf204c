// SPDX-License-Identifier: Apache-2.0
// Uniform, normal, log-normal and Poisson numbers from the bits of any generator.
#pragma once

namespace warpmem_random {

constexpr float kStep = 2.3283064e-10f;               // 2^-32
constexpr double kFineStep = 1.1102230246251565e-16;  // 2^-53

static __device__ __forceinline__ float uniform(unsigned int bits) {
  return bits * kStep + kStep / 2.0f;
}
static __device__ __forceinline__ double uniform(unsigned int low, unsigned int high) {
  const unsigned long long bits = low ^ static_cast<unsigned long long>(high) << (53 - 32);
  return bits * kFineStep + kFineStep / 2.0;
}
/// Two independent normal numbers (Box and Muller, 1958).
static __device__ __forceinline__ float2 normal2(unsigned int a, unsigned int b) {
  const float angle = b * (kStep * 6.2831855f) + kStep * 6.2831855f / 2.0f;
  const float radius = sqrtf(-2.0f * logf(uniform(a)));
  float2 v;
  sincosf(angle, &v.x, &v.y);
  v.x *= radius;
  v.y *= radius;
  return v;
}
static __device__ __forceinline__ double2 normal2(double a, double b) {
  const double radius = sqrt(-2.0 * log(a));
  double2 v;
  sincospi(2.0 * b, &v.x, &v.y);
  v.x *= radius;
  v.y *= radius;
  return v;
}

template <class State_>
static __device__ __forceinline__ double uniform_of(State_* state) {
  const unsigned int low = curand(state);
  return uniform(low, curand(state));
}
template <class State_>
static __device__ __forceinline__ float2 normal2_of(State_* state) {
  const unsigned int a = curand(state);
  return normal2(a, curand(state));
}
template <class State_>
static __device__ __forceinline__ double2 double_normal2_of(State_* state) {
  const double a = uniform_of(state);
  return normal2(a, uniform_of(state));
}
template <class State_>
static __device__ __forceinline__ float normal_of(State_* state) {
  state->has_normal = !state->has_normal;
  if (!state->has_normal) return state->normal;
  const float2 two = normal2_of(state);
  state->normal = two.y;
  return two.x;
}
template <class State_>
static __device__ __forceinline__ double double_normal_of(State_* state) {
  state->has_normal_double = !state->has_normal_double;
  if (!state->has_normal_double) return state->normal_double;
  const double2 two = double_normal2_of(state);
  state->normal_double = two.y;
  return two.x;
}
/// Multiplies uniform numbers (Knuth, volume 2, section 3.4.1); above 64 a rounded normal one is
/// close enough.
template <class State_>
static __device__ unsigned int poisson_of(State_* state, double mean) {
  if (mean >= 64.0) {
    const double v = mean + sqrt(mean) * double_normal_of(state) + 0.5;
    return v > 0.0 ? static_cast<unsigned int>(v) : 0;
  }
  const double limit = exp(-mean);
  unsigned int n = 0;
  for (double product = uniform_of(state); product > limit; product *= uniform_of(state)) ++n;
  return n;
}

}  // namespace warpmem_random

#define WARPMEM_DISTRIBUTIONS(State_)                                                           \
  static __device__ __forceinline__ float curand_uniform(State_* state) {                       \
    return warpmem_random::uniform(curand(state));                                              \
  }                                                                                             \
  static __device__ __forceinline__ double curand_uniform_double(State_* state) {               \
    return warpmem_random::uniform_of(state);                                                   \
  }                                                                                             \
  static __device__ __forceinline__ float curand_normal(State_* state) {                        \
    return warpmem_random::normal_of(state);                                                    \
  }                                                                                             \
  static __device__ __forceinline__ float2 curand_normal2(State_* state) {                      \
    return warpmem_random::normal2_of(state);                                                   \
  }                                                                                             \
  static __device__ __forceinline__ double curand_normal_double(State_* state) {                \
    return warpmem_random::double_normal_of(state);                                             \
  }                                                                                             \
  static __device__ __forceinline__ double2 curand_normal2_double(State_* state) {              \
    return warpmem_random::double_normal2_of(state);                                            \
  }                                                                                             \
  static __device__ __forceinline__ float curand_log_normal(State_* state, float mean,          \
                                                            float deviation) {                  \
    return expf(mean + deviation * curand_normal(state));                                       \
  }                                                                                             \
  static __device__ __forceinline__ double curand_log_normal_double(State_* state, double mean, \
                                                                    double deviation) {         \
    return exp(mean + deviation * curand_normal_double(state));                                 \
  }                                                                                             \
  static __device__ __forceinline__ float2 curand_log_normal2(State_* state, float mean,        \
                                                              float deviation) {                \
    float2 v = curand_normal2(state);                                                           \
    v.x = expf(mean + deviation * v.x);                                                         \
    v.y = expf(mean + deviation * v.y);                                                         \
    return v;                                                                                   \
  }                                                                                             \
  static __device__ __forceinline__ unsigned int curand_poisson(State_* state, double mean) {   \
    return warpmem_random::poisson_of(state, mean);                                             \
  }
WARPMEM_DISTRIBUTIONS(curandStateXORWOW_t)
WARPMEM_DISTRIBUTIONS(curandStatePhilox4_32_10_t)
WARPMEM_DISTRIBUTIONS(curandStateMRG32k3a_t)
#undef WARPMEM_DISTRIBUTIONS

static __device__ __forceinline__ float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 v = curand4(state);
  return make_float4(warpmem_random::uniform(v.x), warpmem_random::uniform(v.y),
                     warpmem_random::uniform(v.z), warpmem_random::uniform(v.w));
}
static __device__ __forceinline__ double2
curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const double first = curand_uniform_double(state);
  return make_double2(first, curand_uniform_double(state));
}
static __device__ __forceinline__ float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const float2 first = curand_normal2(state), second = curand_normal2(state);
  return make_float4(first.x, first.y, second.x, second.y);
}
