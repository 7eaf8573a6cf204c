// SPDX-License-Identifier: Apache-2.0
// A matrix passes through shared memory in tiles of TILE x TILE words, which a block brings there
// by one tensor copy each (cp.async.bulk.tensor.2d; an mbarrier waits for it), transposes, and
// writes back by another. `swizzled` has the tiles that come in with the swizzle of 128 B; `plain`
// has none, so the columns that the threads read are in one bank each. `rows` has one bulk copy a
// row instead, issued by a lane each. WIDTH and HEIGHT need not be multiples of the tile, but for
// `rows`: what is outside the matrix is read as zeros and is not written. `reduce` adds the tiles
// up instead, by a reduction each (cp.reduce.async.bulk.tensor.2d), in a matrix of four columns
// less.
//
// arguments: [swizzled|plain|rows|multicast|reduce] (swizzled) [WIDTH HEIGHT] (256 192)
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../common/check.hpp"

constexpr int kTile = 32;  // words; a row has 128 B
constexpr int kSumWidth = kTile - 4;
constexpr unsigned kTileBytes = kTile * kTile * sizeof(unsigned);

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ void expect(unsigned full, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full), "r"(bytes)
               : "memory");
}
__device__ void wait(unsigned full, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}" ::"r"(full),
      "r"(parity)
      : "memory");
}

// Word (row, column) of a tile.
__device__ unsigned word(const unsigned* tile, int row, int column, bool swizzled) {
  const int unit = swizzled ? column / 4 ^ row % 8 : column / 4;
  return tile[row * kTile + unit * 4 + column % 4];
}

__device__ void initialise(unsigned full) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(full) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void meet_cluster() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

__device__ void await_stores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
__device__ void load(const unsigned* tile, const CUtensorMap* from, int x, int y, unsigned full) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(tile)),
      "l"(from), "r"(x), "r"(y), "r"(full)
      : "memory");
}

// Writes the transposed tile to where it belongs.
__device__ void turn(const unsigned* tile, unsigned* result, bool swizzled, const CUtensorMap* to,
                     int x, int y) {
  const int column = threadIdx.x % kTile;
  for (int row = threadIdx.x / kTile; row < kTile; row += blockDim.x / kTile)
    result[row * kTile + column] = word(tile, column, row, swizzled);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(to),
      "r"(y), "r"(x), "r"(shared_address(result))
      : "memory");
  await_stores();
}

__global__ void transpose(const __grid_constant__ CUtensorMap from,
                          const __grid_constant__ CUtensorMap to, const unsigned* in, int width,
                          bool swizzled, bool rows) {
  __shared__ __align__(1024) unsigned tile[kTile * kTile];
  __shared__ __align__(128) unsigned result[kTile * kTile];
  __shared__ unsigned long long barrier;
  const unsigned full = shared_address(&barrier);
  const int x = blockIdx.x * kTile, y = blockIdx.y * kTile;
  const int t = threadIdx.x;
  if (t == 0) {
    initialise(full);
    expect(full, kTileBytes);
    if (!rows) load(tile, &from, x, y, full);
  }
  __syncwarp();
  if (rows && t < 32) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(shared_address(tile + t * kTile)),
        "l"(in + static_cast<size_t>(y + t) * width + x), "r"(kTile * 4), "r"(full)
        : "memory");
  }
  __syncthreads();
  wait(full, 0);
  turn(tile, result, swizzled, &to, x, y);
}

__global__ void __cluster_dims__(1, 2)
    exchange(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to) {
  __shared__ __align__(1024) unsigned tile[2][kTile * kTile];
  __shared__ __align__(128) unsigned result[kTile * kTile];
  __shared__ unsigned long long barrier;
  const unsigned full = shared_address(&barrier);
  const int x = blockIdx.x * kTile;
  const unsigned rank = blockIdx.y % 2;
  if (threadIdx.x == 0) {
    initialise(full);
    expect(full, 2 * kTileBytes);
  }
  meet_cluster();
  if (threadIdx.x == 0) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
        ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(tile[rank])),
        "l"(&from), "r"(x), "r"(static_cast<int>(blockIdx.y) * kTile), "r"(full),
        "h"(static_cast<unsigned short>(3))
        : "memory");
  }
  wait(full, 0);
  turn(tile[1 - rank], result, true, &to, x, static_cast<int>(blockIdx.y ^ 1) * kTile);
  meet_cluster();
}

__global__ void add_up(const __grid_constant__ CUtensorMap from,
                       const __grid_constant__ CUtensorMap to) {
  __shared__ __align__(128) unsigned tile[kTile * kTile];
  __shared__ unsigned long long barrier;
  if (threadIdx.x != 0) return;
  const unsigned full = shared_address(&barrier);
  initialise(full);
  expect(full, kTileBytes);
  load(tile, &from, blockIdx.x * kTile, blockIdx.y * kTile, full);
  wait(full, 0);
  asm volatile(
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], "
      "[%3];" ::"l"(&to),
      "r"(0), "r"(0), "r"(shared_address(tile))
      : "memory");
  await_stores();
}

using Encode = decltype(&cuTensorMapEncodeTiled);

CUtensorMap map_of(unsigned* matrix, unsigned width, unsigned height, CUtensorMapSwizzle swizzle) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
  CUtensorMap map;
  const cuuint64_t sizes[] = {width, height};
  const cuuint64_t strides[] = {width * sizeof(unsigned)};
  const cuuint32_t boxes[] = {kTile, kTile};
  const cuuint32_t steps[] = {1, 1};
  const CUresult result = reinterpret_cast<Encode>(function)(
      &map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, matrix, sizes, strides, boxes, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    std::fprintf(stderr, "error: no tensor map (%d)\n", static_cast<int>(result));
    std::exit(2);
  }
  return map;
}

// Says whether `sum` has in each place the sum of what the tiles of `in` have there.
bool is_sum(const std::vector<unsigned>& in, int width, int height,
            const std::vector<unsigned>& sum) {
  std::vector<unsigned> expected(sum.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (x % kTile < kSumWidth)
        expected[static_cast<std::size_t>(y % kTile) * kSumWidth + x % kTile] +=
            in[static_cast<std::size_t>(y) * width + x];
  return sum == expected;
}

bool is_transposed(const std::vector<unsigned>& in, int width, int height,
                   const std::vector<unsigned>& out) {
  bool right = true;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      right = right && out[static_cast<std::size_t>(x) * height + y] ==
                           in[static_cast<std::size_t>(y) * width + x];
  return right;
}

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "swizzled";
  const bool multicast = way == "multicast", rows = way == "rows", reduce = way == "reduce";
  const bool swizzled = way == "swizzled" || multicast;
  const int width = workload::size_argument(argc, argv, 2, 256, 1, 1 << 13);
  const int height = workload::size_argument(argc, argv, 3, 192, 1, 1 << 13);
  workload::no_more_arguments(argc, argv, 3);
  const int unit = rows ? kTile : 4;
  if (!swizzled && !rows && !reduce && way != "plain") {
    std::fprintf(stderr, "error: %s is none of swizzled, plain, rows, multicast and reduce\n",
                 way.c_str());
    return 2;
  }
  if (width % unit != 0 || height % unit != 0) {
    std::fprintf(stderr, "error: %d x %d; allowed: multiples of %d\n", width, height, unit);
    return 2;
  }
  std::vector<unsigned> in(static_cast<std::size_t>(width) * height);
  std::vector<unsigned> out(reduce ? kSumWidth * kTile : in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned>(i) * 2654435761u;
  unsigned *from, *to;
  const std::size_t bytes = in.size() * sizeof(unsigned), out_bytes = out.size() * sizeof(unsigned);
  cudaMalloc((void**)&from, bytes);
  cudaMalloc((void**)&to, out_bytes);
  cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(to, 0, out_bytes);
  const CUtensorMap source = map_of(
      from, width, height, swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE);
  const CUtensorMap target =
      map_of(to, reduce ? kSumWidth : height, reduce ? kTile : width, CU_TENSOR_MAP_SWIZZLE_NONE);
  const dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  if (multicast)
    exchange<<<dim3(grid.x, (grid.y + 1) / 2 * 2), 256>>>(source, target);
  else if (reduce)
    add_up<<<grid, 32>>>(source, target);
  else
    transpose<<<grid, 256>>>(source, target, from, width, swizzled, rows);
  const cudaError_t error = cudaMemcpy(out.data(), to, out_bytes, cudaMemcpyDeviceToHost);
  const bool right = error == cudaSuccess && (reduce ? is_sum(in, width, height, out)
                                                     : is_transposed(in, width, height, out));
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
