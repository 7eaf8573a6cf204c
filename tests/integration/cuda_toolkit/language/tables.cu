// SPDX-License-Identifier: Apache-2.0
// Tables of texts in kernels, unrolling by what is no factor, a compiler that is a recent GCC.
#include "check.h"

#if __GNUC__ < 5
#error "an old GCC"
#endif
#if !defined(__CUDACC_EXTENDED_LAMBDA__) || !defined(__CUDACC_RELAXED_CONSTEXPR__)
#error "the makefile has these options"
#endif
#if defined(__CUDACC_RDC__)
#error "the makefile has no such option"
#endif

__device__ const char* const kTable[] = {"one", "two"};

__global__ void first_letters(int* out) {
  const char* names[] = {"alpha", "beta", "gamma", "delta"};
#pragma unroll 0
  for (int i = 0; i < 2; ++i) out[i] = kTable[i][0];
#pragma unroll(-1)
  for (int i = threadIdx.x; i < 4; i += blockDim.x) out[2 + i] = names[i][0];
}

int main() {
  int* out;
  OK(cudaMallocManaged(&out, 6 * sizeof *out));
  first_letters<<<1, 2>>>(out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 6; ++i) CHECK(out[i] == "otabgd"[i]);
  return finish();
}
