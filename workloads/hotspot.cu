// SPDX-License-Identifier: Apache-2.0
// hotspot [n = 256] [steps = 4] [unshared = 0]: temperatures of an n x n chip; a block advances a
// tile with its halo two steps in shared memory before it writes.
//
// Stands for: HotSpot of Rodinia.
// Memory: tiles of 16 x 16 with halos: half-warps in different rows (two lines a warp), halos read
// by two or more blocks. Coalesced, primary misses with some reuse through L1D and L2.
// unshared 1: neighbours straight from global memory, a launch a step (MR 5.6).
// In the papers: GU, MR, KI (docs/references.md).
// Measured (736 4): un-coalesced, primary-miss-predominant, type 0.
#include <utility>

#include "common/check.hpp"

constexpr int kTile = 16;
constexpr int kPyramid = 2;  // steps a launch
constexpr float kStep = 0.1f, kAcross = 0.5f, kUp = 0.2f, kAmbient = 80.0f;

__host__ __device__ float advance(float centre, float north, float south, float west, float east,
                                  float power) {
  return centre + kStep * (power + kAcross * (north + south - 2.0f * centre) +
                           kAcross * (east + west - 2.0f * centre) + kUp * (kAmbient - centre));
}

__global__ void hotspot(const float* power, const float* in, float* out, int n, int steps) {
  __shared__ float now[kTile][kTile], next[kTile][kTile];
  const int inner = kTile - 2 * steps;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * inner - steps + tx, y = blockIdx.y * inner - steps + ty;
  const bool inside = x >= 0 && y >= 0 && x < n && y < n;
  float p = 0.0f;
  if (inside) {
    now[ty][tx] = in[y * n + x];
    p = power[y * n + x];
  }
  __syncthreads();
  // Beyond the chip's edge lies a copy of the edge.
  const int west = x == 0 ? tx : tx - 1, east = x == n - 1 ? tx : tx + 1;
  const int north = y == 0 ? ty : ty - 1, south = y == n - 1 ? ty : ty + 1;
  for (int s = 1; s <= steps; ++s) {
    const bool valid = inside && tx >= s && ty >= s && tx < kTile - s && ty < kTile - s;
    if (valid)
      next[ty][tx] =
          advance(now[ty][tx], now[north][tx], now[south][tx], now[ty][west], now[ty][east], p);
    __syncthreads();
    if (valid) now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (inside && tx >= steps && ty >= steps && tx < kTile - steps && ty < kTile - steps)
    out[y * n + x] = now[ty][tx];
}

__global__ void hotspot_unshared(const float* power, const float* in, float* out, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x >= n || y >= n) return;
  const int at = y * n + x;
  out[at] = advance(in[at], in[y == 0 ? at : at - n], in[y == n - 1 ? at : at + n],
                    in[x == 0 ? at : at - 1], in[x == n - 1 ? at : at + 1], power[at]);
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 256, 2, 16384);
  const int steps = workload::size_argument(argc, argv, 2, 4);
  const bool unshared = workload::size_argument(argc, argv, 3, 0, 0, 1) != 0;
  workload::no_more_arguments(argc, argv, 3);
  const auto start = workload::random_floats(std::size_t(n) * n, 1, 70, 90),
             power = workload::random_floats(std::size_t(n) * n, 2, 0, 5);
  workload::DeviceArray<float> dp(power), first(start), second(start.size());

  float* from = first;
  float* to = second;
  const dim3 block(kTile, kTile);
  for (int done = 0; done < steps; done += unshared ? 1 : kPyramid) {
    const int s = unshared ? 0 : steps - done < kPyramid ? steps - done : kPyramid;
    const unsigned blocks = workload::blocks_for(n, kTile - 2 * s);
    if (unshared)
      hotspot_unshared<<<dim3(blocks, blocks), block>>>(dp, from, to, n);
    else
      hotspot<<<dim3(blocks, blocks), block>>>(dp, from, to, n, s);
    std::swap(from, to);
  }
  workload::finish_kernels();
  std::vector<float> got(start.size());
  CHECK_CUDA(cudaMemcpy(got.data(), from, got.size() * sizeof(float), cudaMemcpyDeviceToHost));

  std::vector<float> now = start, next(start.size());
  for (int s = 0; s < steps; ++s) {
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const auto at = [&](int yy, int xx) {
          yy = yy < 0 ? 0 : yy >= n ? n - 1 : yy;
          xx = xx < 0 ? 0 : xx >= n ? n - 1 : xx;
          return now[std::size_t(yy) * n + xx];
        };
        next[std::size_t(y) * n + x] = advance(at(y, x), at(y - 1, x), at(y + 1, x), at(y, x - 1),
                                               at(y, x + 1), power[std::size_t(y) * n + x]);
      }
    now.swap(next);
  }
  workload::Verdict verdict;
  verdict.close("temperature", got, now, 1e-5);
  return verdict.done();
}
