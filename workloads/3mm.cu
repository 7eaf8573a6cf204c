// SPDX-License-Identifier: Apache-2.0
// 3mm [n = 160] [in_memory = 0]: G = (A B) (C D) for n x n matrices, a launch a product.
//
// Stands for: 3MM of PolyBench/GPU.
// Memory: as gemm; two independent products, then one that reads both results.
// in_memory 1: the sums stay in C, as in PolyBench/GPU's source; a store an iteration.
// In the papers: GU, MR (docs/references.md).
// Measured (224): coherent, secondary-miss-predominant, type II.
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
  const int n = workload::size_argument(argc, argv, 1, 160, 1, 8192);
  const bool in_memory = workload::size_argument(argc, argv, 2, 0, 0, 1) != 0;
  workload::no_more_arguments(argc, argv, 2);
  const std::size_t size = std::size_t(n) * n;
  const auto a = workload::random_floats(size, 1), b = workload::random_floats(size, 2);
  const auto c = workload::random_floats(size, 3), d = workload::random_floats(size, 4);
  const workload::DeviceArray<float> da(a), db(b), dc(c), dd(d), de(size), df(size), dg(size);

  const dim3 block(32, 8);
  const dim3 grid(workload::blocks_for(n, block.x), workload::blocks_for(n, block.y));
  const auto product = [&](const float* x, const float* y, float* z) {
    if (in_memory)
      multiply_in_memory<<<grid, block>>>(x, y, z, n, n, n, 1.0f, 0.0f);
    else
      multiply<<<grid, block>>>(x, y, z, n);
  };
  product(da, db, de);
  product(dc, dd, df);
  product(de, df, dg);
  workload::finish_kernels();

  const auto e = workload::multiply(a, b, n, n, n), f = workload::multiply(c, d, n, n, n);
  workload::Verdict verdict;
  verdict.close("G", dg.download(), workload::multiply(e, f, n, n, n), 1e-4);
  return verdict.done();
}
