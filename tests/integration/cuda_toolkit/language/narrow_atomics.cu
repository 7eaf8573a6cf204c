// SPDX-License-Identifier: Apache-2.0
// Sums by atomics of 16-bit floats, alone and in pairs, and their loads and stores with hints.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

template <class One, class Two>
__global__ void add(One* one, Two* two, Two pair) {
  atomicAdd(one, pair.x);
  atomicAdd(two, pair);
}
template <class One, class Two>
__global__ void copies(const One* one, const Two* two, One* to_one, Two* to_two) {
  __stcg(to_one, __ldcs(one));
  __stcs(to_two, __ldcg(two));
  __stwt(to_one + 1, __ldcv(one));
  __stwb(to_two + 1, __ldca(two));
}

template <class One, class Two>
static void check(Two pair) {
  One* one;
  Two* two;
  OK(cudaMallocManaged(&one, 4 * sizeof(One)));
  OK(cudaMallocManaged(&two, 4 * sizeof(Two)));
  one[0] = One(0.0f);
  two[0] = Two{One(0.0f), One(0.0f)};
  add<<<2, 32>>>(one, two, pair);
  copies<<<1, 1>>>(one, two, one + 1, two + 1);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i) {
    CHECK(float(one[i]) == 64 * 0.5f);
    CHECK(float(two[i].x) == 64 * 0.5f && float(two[i].y) == 64 * 2.0f);
  }
}

int main() {
  check<__half>(__floats2half2_rn(0.5f, 2.0f));
  check<__nv_bfloat16>(__floats2bfloat162_rn(0.5f, 2.0f));
  return finish();
}
