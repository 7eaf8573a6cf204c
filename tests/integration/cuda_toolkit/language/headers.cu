// SPDX-License-Identifier: Apache-2.0
// Headers that programs name although cuda_runtime.h has what is in them; nvstd::function.
#include <crt/common_functions.h>
#include <crt/device_double_functions.h>
#include <crt/host_config.h>
#include <crt/mma.h>
#include <cudaProfiler.h>
#include <cuda_gl_interop.h>
#include <curand_globals.h>
#include <curand_lognormal.h>
#include <curand_mrg32k3a.h>
#include <curand_normal.h>
#include <curand_poisson.h>
#include <curand_uniform.h>
#include <host_config.h>
#include <nvToolsExtCudaRt.h>

#include <crt/device_functions.hpp>
#include <crt/math_functions.hpp>
#include <nvfunctional>

#include "check.h"

__device__ int twice(int a) { return 2 * a; }

__global__ void call(int* out) {
  nvstd::function<int(int)> f = twice;
  const int base = threadIdx.x;
  nvstd::function<int(int)> add = [base](int a) { return base + a; };
  const nvstd::function<int(int)> copy = add;
  swap(f, add);
  out[2 * base] = f(10) + copy(100);
  out[2 * base + 1] = add(7) + (nvstd::function<void()>() == nullptr ? 1000 : 0);
}

int main() {
  int* out;
  OK(cudaMallocManaged(&out, 64 * sizeof *out));
  call<<<1, 32>>>(out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) CHECK(out[2 * i] == 2 * i + 110 && out[2 * i + 1] == 1014);
  int sum = 0;
  nvstd::function<void(int)> on_host = [&sum](int a) { sum += a; };
  on_host = nvstd::function<void(int)>(on_host);
  on_host(3);
  CHECK(sum == 3 && on_host != nullptr);
  nvtxNameCudaStreamA(nullptr, "default");
  OK(cuProfilerStart());
  OK(cuProfilerStop());
  return finish();
}
