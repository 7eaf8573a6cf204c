// SPDX-License-Identifier: Apache-2.0
// 2mm [n = 192] [in_memory = 0]: E = (A B) D for n x n matrices, a launch a product.
//
// Stands for: 2MM of PolyBench/GPU.
// Memory: as gemm; the second product reads what the first one wrote.
// in_memory 1: the sums stay in C, as in PolyBench/GPU's source; a store an iteration.
// In the papers: GU, MR (docs/references.md).
// Measured (272): coherent, secondary-miss-predominant, type 0.
#include "common/in_memory.hpp"
#include "common/matrix.hpp"

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < n; ++p) sum += a[i * n + p] * b[p * n + j];
  c[i * n + j] = sum;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 192, 1, 8192);
  const bool in_memory = workload::size_argument(argc, argv, 2, 0, 0, 1) != 0;
  workload::no_more_arguments(argc, argv, 2);
  const std::size_t size = std::size_t(n) * n;
  const auto a = workload::random_floats(size, 1), b = workload::random_floats(size, 2);
  const auto d = workload::random_floats(size, 3);
  const workload::DeviceArray<float> da(a), db(b), dd(d), dc(size), de(size);

  const dim3 block(32, 8);
  const dim3 grid(workload::blocks_for(n, block.x), workload::blocks_for(n, block.y));
  const auto product = [&](const float* x, const float* y, float* z) {
    if (in_memory)
      multiply_in_memory<<<grid, block>>>(x, y, z, n, n, n, 1.0f, 0.0f);
    else
      multiply<<<grid, block>>>(x, y, z, n);
  };
  product(da, db, dc);
  product(dc, dd, de);
  workload::finish_kernels();

  const auto c = workload::multiply(a, b, n, n, n);
  workload::Verdict verdict;
  verdict.close("C", dc.download(), c, 1e-4);
  verdict.close("E", de.download(), workload::multiply(c, d, n, n, n), 1e-4);
  return verdict.done();
}
