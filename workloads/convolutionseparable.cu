// SPDX-License-Identifier: Apache-2.0
// convolutionseparable [n = 512] [m = n]: a 17-tap separable filter over an n x m image: rows, then
// columns, through tiles in shared memory.
//
// Stands for: convolutionSeparable of the CUDA SDK samples.
// Memory: tiles with aprons are loaded coalesced, rows overlap by two half-warps, columns by 16
// rows; taps in constant memory. Primary misses with some reuse through L2.
// In the papers: DL, KI (docs/references.md).
// Measured (1200): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kRadius = 8;
constexpr int kTileX = 64, kTileY = 8;       // of the row filter
constexpr int kColumnX = 32, kColumnY = 32;  // of the column filter, in blocks of 32 x 8

__constant__ float taps[2 * kRadius + 1];

__global__ void convolve_rows(const float* in, float* out, int n, int m) {
  __shared__ float tile[kTileY][kTileX + 2 * kRadius];
  const int y = blockIdx.y * kTileY + threadIdx.y;
  const int left = blockIdx.x * kTileX - kRadius;
  for (int x = threadIdx.x; x < kTileX + 2 * kRadius; x += blockDim.x) {
    const int column = left + x;
    tile[threadIdx.y][x] = y < n && column >= 0 && column < m ? in[y * m + column] : 0.0f;
  }
  __syncthreads();
  for (int x = threadIdx.x; x < kTileX; x += blockDim.x) {
    const int column = left + kRadius + x;
    if (y >= n || column >= m) continue;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k <= 2 * kRadius; ++k) sum += taps[k] * tile[threadIdx.y][x + k];
    out[y * m + column] = sum;
  }
}

__global__ void convolve_columns(const float* in, float* out, int n, int m) {
  __shared__ float tile[kColumnY + 2 * kRadius][kColumnX];
  const int x = blockIdx.x * kColumnX + threadIdx.x;
  const int top = blockIdx.y * kColumnY - kRadius;
  for (int y = threadIdx.y; y < kColumnY + 2 * kRadius; y += blockDim.y) {
    const int row = top + y;
    tile[y][threadIdx.x] = x < m && row >= 0 && row < n ? in[row * m + x] : 0.0f;
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kColumnY; y += blockDim.y) {
    const int row = top + kRadius + y;
    if (x >= m || row >= n) continue;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k <= 2 * kRadius; ++k) sum += taps[k] * tile[y + k][threadIdx.x];
    out[row * m + x] = sum;
  }
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 512, 1, 16384);
  const int m = workload::size_argument(argc, argv, 2, n, 1, 16384);
  workload::no_more_arguments(argc, argv, 2);
  const auto image = workload::random_floats(std::size_t(n) * m, 1);
  const auto filter = workload::random_floats(2 * kRadius + 1, 2, -1, 1);
  CHECK_CUDA(cudaMemcpyToSymbol(taps, filter.data(), sizeof(taps)));
  const workload::DeviceArray<float> in(image), rows(image.size()), out(image.size());

  convolve_rows<<<dim3(workload::blocks_for(m, kTileX), workload::blocks_for(n, kTileY)),
                  dim3(32, kTileY)>>>(in, rows, n, m);
  convolve_columns<<<dim3(workload::blocks_for(m, kColumnX), workload::blocks_for(n, kColumnY)),
                     dim3(kColumnX, 8)>>>(rows, out, n, m);
  workload::finish_kernels();

  const auto at = [&](const std::vector<double>& a, int y, int x) {
    return y < 0 || x < 0 || y >= n || x >= m ? 0.0 : a[std::size_t(y) * m + x];
  };
  const std::vector<double> source(image.begin(), image.end());
  std::vector<double> horizontal(source.size()), expected(source.size());
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < m; ++x)
      for (int k = -kRadius; k <= kRadius; ++k)
        horizontal[std::size_t(y) * m + x] += filter[k + kRadius] * at(source, y, x + k);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < m; ++x)
      for (int k = -kRadius; k <= kRadius; ++k)
        expected[std::size_t(y) * m + x] += filter[k + kRadius] * at(horizontal, y + k, x);
  workload::Verdict verdict;
  verdict.close("image", out.download(), expected, 1e-4);
  return verdict.done();
}
