// SPDX-License-Identifier: Apache-2.0
// What single operations take, told by the cycles of whole launches, since nothing else can be read
// of another simulator: each kernel is launched with 64 and with 192 of them. None of this is among
// the programs that are compared.
#include <cstdio>

constexpr int kFew = 64, kMany = 192;

// Each works on a value that the one before has made, in one warp.
#define CHAIN(name, type, text)                                                                 \
  template <int N>                                                                              \
  __global__ void name(type* out, type x, type y) {                                             \
    _Pragma("unroll") for (int i = 0; i < N; ++i) asm volatile(text : "+" CONSTRAINT(type)(x) : \
                                                               CONSTRAINT(type)(y));            \
    out[threadIdx.x] = x;                                                                       \
  }
#define CONSTRAINT(type) CONSTRAINT_##type
#define CONSTRAINT_int "r"
#define CONSTRAINT_float "f"
#define CONSTRAINT_double "d"

CHAIN(integer_add, int, "add.s32 %0, %0, %1;")
CHAIN(integer_multiply, int, "mul.lo.s32 %0, %0, %1;")
CHAIN(float_add, float, "add.f32 %0, %0, %1;")
CHAIN(float_fused, float, "fma.rn.f32 %0, %0, %1, %0;")
CHAIN(double_add, double, "add.f64 %0, %0, %1;")
CHAIN(reciprocal, float, "rcp.approx.f32 %0, %0;")
CHAIN(divide, int, "div.s32 %0, %0, %1;")

// A comparison and the branch that depends on it, which falls through.
template <int N>
__global__ void branch(int* out, int x, int y) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    asm volatile("{.reg .pred p; setp.eq.s32 p, %0, %1; @p bra L%=; add.s32 %0, %0, 2; L%=: }"
                 : "+r"(x)
                 : "r"(y));
  out[threadIdx.x] = x;
}

// Branches alone, of a predicate that is long there.
template <int N>
__global__ void known_branch(int* out, int x, int y) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    asm volatile("{.reg .pred p; setp.eq.s32 p, %0, %1; @p bra L%=; L%=: }" ::"r"(x), "r"(y));
  out[threadIdx.x] = x;
}

template <int N>
__global__ void barrier(int* out) {
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("bar.sync 0;");
  out[threadIdx.x] = 1;
}
template <int N>
__global__ void barrier_of_8(int* out) {
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("bar.sync 0;");
  out[threadIdx.x] = 1;
}

template <int N>
__global__ void shared_load(int* out, int x) {
  __shared__ int next[32];
  next[threadIdx.x] = x;
  int at = static_cast<int>(__cvta_generic_to_shared(next));
#pragma unroll
  for (int i = 0; i < N; ++i)
    asm volatile("{.reg .u32 v; ld.shared.u32 v, [%0]; add.u32 %0, %0, v;}" : "+r"(at));
  out[threadIdx.x] = at;
}

__constant__ int zeros[32];
template <int N>
__global__ void constant_load(int* out, int x) {
  unsigned long long at;
  asm volatile("cvta.to.const.u64 %0, %1;" : "=l"(at) : "l"(zeros));
#pragma unroll
  for (int i = 0; i < N; ++i)
    asm volatile("{.reg .u32 v; ld.const.u32 v, [%1]; add.u32 %0, %0, v;}" : "+r"(x) : "l"(at));
  out[threadIdx.x] = x;
}

// Loads of one line, which hit L1D after the first.
template <int N>
__global__ void l1d_hit(int* out, const int* in, long long zero) {
  const int* at = in;
#pragma unroll
  for (int i = 0; i < N; ++i)
    asm volatile("{.reg .u64 v; ld.global.u64 v, [%0]; add.u64 %0, %0, v;}" : "+l"(at));
  out[threadIdx.x] = static_cast<int>(reinterpret_cast<long long>(at) + zero);
}

template <int N>
__global__ void store(int* out, int x) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    asm volatile("st.global.u32 [%0], %1;" ::"l"(out + threadIdx.x), "r"(x));
}

template <int N>
__global__ void store_and_fence(int* out, int x) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    asm volatile("st.global.u32 [%0], %1; membar.gl;" ::"l"(out + threadIdx.x), "r"(x));
}

template <int N>
__global__ void reduction(int* out, int x) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    asm volatile("red.global.add.s32 [%0], %1;" ::"l"(out + threadIdx.x), "r"(x));
}

template <int N>
__global__ void shared_reduction(int* out, int x) {
  __shared__ int sum[32];
  sum[threadIdx.x] = 0;
  const int at = static_cast<int>(__cvta_generic_to_shared(sum + threadIdx.x));
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("red.shared.add.s32 [%0], %1;" ::"r"(at), "r"(x));
  out[threadIdx.x] = sum[threadIdx.x];
}

// Independent operations of 32 warps: how many a cycle.
template <int N>
__global__ void integer_rate(int* out, int x, int y) {
  int v[8] = {x, y, x, y, x, y, x, y};
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("add.s32 %0, %1, %2;" : "+r"(v[i % 8]) : "r"(x), "r"(y));
  out[threadIdx.x] = v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7];
}
template <int N>
__global__ void integer_mix_rate(int* out, int x, int y) {
  int v[8] = {x, y, x, y, x, y, x, y};
#pragma unroll
  for (int i = 0; i < N; ++i)
    if (i % 2)
      asm volatile("add.s32 %0, %1, %2;" : "+r"(v[i % 8]) : "r"(x), "r"(y));
    else
      asm volatile("mul.lo.s32 %0, %1, %2;" : "+r"(v[i % 8]) : "r"(x), "r"(y));
  out[threadIdx.x] = v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7];
}
template <int N>
__global__ void float_rate(float* out, float x, float y) {
  float v[8] = {x, y, x, y, x, y, x, y};
#pragma unroll
  for (int i = 0; i < N; ++i)
    asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(v[i % 8]) : "f"(x), "f"(y));
  out[threadIdx.x] = v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7];
}
template <int N>
__global__ void mixed_rate(int* out, int x, int y, float f, float g) {
  int v[4] = {x, y, x, y};
  float w[4] = {f, g, f, g};
#pragma unroll
  for (int i = 0; i < N; ++i)
    if (i % 2)
      asm volatile("add.s32 %0, %1, %2;" : "+r"(v[i / 2 % 4]) : "r"(x), "r"(y));
    else
      asm volatile("add.f32 %0, %1, %2;" : "+f"(w[i / 2 % 4]) : "f"(f), "f"(g));
  out[threadIdx.x] = v[0] + v[1] + v[2] + v[3] + int(w[0] + w[1] + w[2] + w[3]);
}
template <int N>
__global__ void branch_rate(int* out, int x, int y) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    asm volatile("{.reg .pred p; setp.eq.s32 p, %0, %1; @p bra L%=; L%=: }" ::"r"(x), "r"(y));
  out[threadIdx.x] = x;
}
template <int N>
__global__ void double_rate(double* out, double x, double y) {
  double v[4] = {x, y, x, y};
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("add.f64 %0, %1, %2;" : "+d"(v[i % 4]) : "d"(x), "d"(y));
  out[threadIdx.x] = v[0] + v[1] + v[2] + v[3];
}
template <int N>
__global__ void reciprocal_rate(float* out, float x) {
  float v[4] = {x, x, x, x};
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("rcp.approx.f32 %0, %1;" : "+f"(v[i % 4]) : "f"(x));
  out[threadIdx.x] = v[0] + v[1] + v[2] + v[3];
}
template <int N>
__global__ void shared_rate(int* out) {
  __shared__ int word[32];
  const int at = static_cast<int>(__cvta_generic_to_shared(word + threadIdx.x % 32));
  int v[4] = {};
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[i % 4]) : "r"(at));
  out[threadIdx.x] = v[0] + v[1] + v[2] + v[3];
}
// Every warp loads the same line.
template <int N>
__global__ void l1d_rate(int* out, const int* in) {
  int v[4] = {};
#pragma unroll
  for (int i = 0; i < N; ++i)
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[i % 4]) : "l"(in + threadIdx.x % 32));
  out[threadIdx.x] = v[0] + v[1] + v[2] + v[3];
}

// Nothing but its exit: what a launch and a block take.
__global__ void empty() {}
__global__ void empty_1000() {}
__global__ void empty_10000() {}

template <class Kernel, class... Arguments>
void both(Kernel few, Kernel many, unsigned threads, Arguments... arguments) {
  few<<<1, threads>>>(arguments...);
  many<<<1, threads>>>(arguments...);
}
#define BOTH(name, ...) both(name<kFew>, name<kMany>, __VA_ARGS__)

int main() {
  void* memory = nullptr;
  cudaMalloc(&memory, 1 << 20);
  cudaMemset(memory, 0, 1 << 20);
  int* const ints = static_cast<int*>(memory);
  float* const floats = static_cast<float*>(memory);
  double* const doubles = static_cast<double*>(memory);
  BOTH(integer_add, 32, ints, 1, 2);
  BOTH(integer_multiply, 32, ints, 3, 5);
  BOTH(float_add, 32, floats, 1.f, 2.f);
  BOTH(float_fused, 32, floats, 1.f, 2.f);
  BOTH(double_add, 32, doubles, 1., 2.);
  BOTH(reciprocal, 32, floats, 3.f, 0.f);
  BOTH(divide, 32, ints, 1 << 30, 3);
  BOTH(branch, 32, ints, 0, 1);
  BOTH(known_branch, 32, ints, 0, 1);
  BOTH(barrier, 32, ints);
  BOTH(barrier_of_8, 256, ints);
  BOTH(shared_load, 32, ints, 0);
  BOTH(constant_load, 32, ints, 0);
  cudaMemset(memory, 0, 1 << 20);
  BOTH(l1d_hit, 32, ints, static_cast<const int*>(ints + 64), 0LL);
  BOTH(store, 32, ints, 0);
  BOTH(store_and_fence, 32, ints, 0);
  BOTH(reduction, 32, ints, 0);
  BOTH(shared_reduction, 32, ints, 1);
  BOTH(integer_rate, 1024, ints, 1, 2);
  BOTH(integer_mix_rate, 1024, ints, 1, 2);
  BOTH(float_rate, 1024, floats, 1.f, 2.f);
  BOTH(mixed_rate, 1024, ints, 1, 2, 3.f, 4.f);
  BOTH(branch_rate, 1024, ints, 1, 2);
  BOTH(double_rate, 1024, doubles, 1., 2.);
  BOTH(reciprocal_rate, 1024, floats, 3.f);
  BOTH(shared_rate, 1024, ints);
  BOTH(l1d_rate, 1024, ints, static_cast<const int*>(ints + 4096));
  empty<<<1, 32>>>();
  empty_1000<<<1000, 32>>>();
  empty_10000<<<10000, 32>>>();
  const bool failed = cudaDeviceSynchronize() != cudaSuccess;
  std::puts(failed ? "FAIL" : "PASS");
  return failed;
}
