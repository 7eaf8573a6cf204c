// SPDX-License-Identifier: Apache-2.0
// 16-way set contention (MR Fig 3: SRAD loads a tile into shared memory): a block of 16 x 16
// threads brings a tile of an image whose rows are 4 KB apart, so its 16 lines share a set of a
// 16 KB, 4-way L1D. No line is used by a second load, so neither the cache nor an order of the
// requests helps; bypassing removes the associativity stalls.
//
// arguments: [tiles of a row of tiles] (16)
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "../common/check.hpp"

constexpr int kTile = 16;
constexpr int kRow = 1024;  // floats: 4 KB

__global__ void transpose_tiles(const float* image, float* out) {
  __shared__ float tile[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  tile[y][x] = image[y * kRow + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * kTile + x] = tile[x][y];
}

int main(int argc, char** argv) {
  const int tiles = workload::size_argument(argc, argv, 1, 16, 1, kRow / kTile);
  workload::no_more_arguments(argc, argv, 1);
  std::vector<float> image(kTile * kRow);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i % 251);
  const std::size_t pixels = static_cast<std::size_t>(tiles) * kTile * kTile;
  float *device, *out;
  cudaMalloc((void**)&device, image.size() * sizeof(float));
  cudaMalloc((void**)&out, pixels * sizeof(float));
  cudaMemcpy(device, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice);
  transpose_tiles<<<tiles, dim3(kTile, kTile)>>>(device, out);
  std::vector<float> result(pixels);
  cudaMemcpy(result.data(), out, pixels * sizeof(float), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int t = 0; t < tiles; ++t)
    for (int y = 0; y < kTile; ++y)
      for (int x = 0; x < kTile; ++x)
        right = right && result[(t * kTile + y) * kTile + x] == image[x * kRow + t * kTile + y];
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
