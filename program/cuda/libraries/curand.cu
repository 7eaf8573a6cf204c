// SPDX-License-Identifier: Apache-2.0
// cuRAND: generators whose kernels fill device memory. Thread t of the kStreams threads that a
// generator has makes the numbers t, t + kStreams, ... from subsequence t, and its state stays in
// device memory between calls.
#include <curand.h>
#include <curand_kernel.h>

#include <new>

namespace {

constexpr unsigned kStreams = 4096, kThreads = 256;

/// What becomes of the bits.
enum class Kind { bits, uniform, normal, log_normal, poisson };

}  // namespace

struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0, offset = 0;
  bool to_host = false;
  void* states = nullptr;  ///< in device memory; nullptr: they are to be made anew
};

namespace {

template <class State>
__global__ void make_states(State* states, unsigned long long seed, unsigned long long offset) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  // Numbers that are left out are so of all threads' together.
  curand_init(seed, t, offset / kStreams + (t < offset % kStreams ? 1 : 0), &states[t]);
}

template <class State>
__device__ void make(State* state, Kind kind, unsigned* out, double mean, double) {
  *out = kind == Kind::poisson ? curand_poisson(state, mean) : curand(state);
}
template <class State>
__device__ void make(State* state, Kind, unsigned long long* out, double, double) {
  const unsigned low = curand(state);
  *out = static_cast<unsigned long long>(curand(state)) << 32 | low;
}
template <class State>
__device__ void make(State* state, Kind kind, float* out, double mean, double deviation) {
  const float m = static_cast<float>(mean), d = static_cast<float>(deviation);
  *out = kind == Kind::uniform  ? curand_uniform(state)
         : kind == Kind::normal ? m + d * curand_normal(state)
                                : curand_log_normal(state, m, d);
}
template <class State>
__device__ void make(State* state, Kind kind, double* out, double mean, double deviation) {
  *out = kind == Kind::uniform  ? curand_uniform_double(state)
         : kind == Kind::normal ? mean + deviation * curand_normal_double(state)
                                : curand_log_normal_double(state, mean, deviation);
}

template <class State, class T>
__global__ void fill(State* states, Kind kind, T* out, size_t n, double mean, double deviation) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  State state = states[t];
  for (size_t i = t; i < n; i += kStreams) make(&state, kind, &out[i], mean, deviation);
  states[t] = state;
}

curandStatus_t launched() {
  return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS
                                              : CURAND_STATUS_LAUNCH_FAILURE;
}

template <class State, class T>
curandStatus_t generate_with(curandGenerator_t g, Kind kind, T* out, size_t n, double mean,
                             double deviation) {
  if (g->states == nullptr) {
    if (cudaMalloc(&g->states, kStreams * sizeof(State)) != cudaSuccess)
      return CURAND_STATUS_ALLOCATION_FAILED;
    make_states<State><<<kStreams / kThreads, kThreads, 0, g->stream>>>(
        static_cast<State*>(g->states), g->seed, g->offset);
  }
  T* place = out;
  if (g->to_host && cudaMalloc(&place, n * sizeof(T)) != cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  fill<State, T><<<kStreams / kThreads, kThreads, 0, g->stream>>>(static_cast<State*>(g->states),
                                                                  kind, place, n, mean, deviation);
  if (g->to_host) {
    cudaMemcpy(out, place, n * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(place);
  }
  return launched();
}
template <class T>
curandStatus_t generate(curandGenerator_t g, Kind kind, T* out, size_t n, double mean = 0,
                        double deviation = 1) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (n == 0) return CURAND_STATUS_SUCCESS;
  if (out == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  switch (g->type) {
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      return generate_with<curandStatePhilox4_32_10_t>(g, kind, out, n, mean, deviation);
    case CURAND_RNG_PSEUDO_MRG32K3A:
      return generate_with<curandStateMRG32k3a_t>(g, kind, out, n, mean, deviation);
    default:
      return generate_with<curandStateXORWOW_t>(g, kind, out, n, mean, deviation);
  }
}
/// Normal numbers come in pairs, as cuRAND wants them.
template <class T>
curandStatus_t generate_pairs(curandGenerator_t g, Kind kind, T* out, size_t n, double mean,
                              double deviation) {
  if (n % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(g, kind, out, n, mean, deviation);
}

curandStatus_t begin_anew(curandGenerator_t g) {
  cudaFree(g->states);
  g->states = nullptr;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool to_host) {
  if (generator == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
  if (type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_PHILOX4_32_10 &&
      type != CURAND_RNG_PSEUDO_MRG32K3A) {
    fprintf(stderr,
            "warpmem: note: curandCreateGenerator: type %d is not supported; there are XORWOW, "
            "MRG32K3A and PHILOX4_32_10\n",
            static_cast<int>(type));
    return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = new (std::nothrow) curandGenerator_st;
  if (*generator == nullptr) return CURAND_STATUS_ALLOCATION_FAILED;
  (*generator)->type = type;
  (*generator)->to_host = to_host;
  return CURAND_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  begin_anew(g);
  delete g;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  g->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  g->seed = seed;
  return begin_anew(g);
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  g->offset = offset;
  return begin_anew(g);
}
// There is one order.
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t) {
  return g == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}
// The states are made when they are first needed.
curandStatus_t curandGenerateSeeds(curandGenerator_t g) {
  return g == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerate(curandGenerator_t g, unsigned* out, size_t n) {
  return generate(g, Kind::bits, out, n);
}
curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long* out, size_t n) {
  return generate(g, Kind::bits, out, n);
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float* out, size_t n) {
  return generate(g, Kind::uniform, out, n);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* out, size_t n) {
  return generate(g, Kind::uniform, out, n);
}
curandStatus_t curandGenerateNormal(curandGenerator_t g, float* out, size_t n, float mean,
                                    float deviation) {
  return generate_pairs(g, Kind::normal, out, n, mean, deviation);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* out, size_t n, double mean,
                                          double deviation) {
  return generate_pairs(g, Kind::normal, out, n, mean, deviation);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float* out, size_t n, float mean,
                                       float deviation) {
  return generate_pairs(g, Kind::log_normal, out, n, mean, deviation);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double* out, size_t n,
                                             double mean, double deviation) {
  return generate_pairs(g, Kind::log_normal, out, n, mean, deviation);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned* out, size_t n, double mean) {
  return generate(g, Kind::poisson, out, n, mean);
}

}  // extern "C"
