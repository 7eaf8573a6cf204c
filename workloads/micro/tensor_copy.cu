// SPDX-License-Identifier: Apache-2.0
// A matrix passes through shared memory in tiles of TILE x TILE words, which a block brings there
// by one tensor copy each (cp.async.bulk.tensor.2d; an mbarrier waits for it), transposes, and
// writes back by another. `swizzled` has the tiles that come in with the swizzle of 128 B; `plain`
// has none, so the columns that the threads read are in one bank each. `rows` has one bulk copy a
// row instead, issued by a lane each. WIDTH and HEIGHT need not be multiples of the tile, but for
// `rows`: what is outside the matrix is read as zeros and is not written.
//
// arguments: [swizzled|plain|rows|multicast] (swizzled) [WIDTH HEIGHT] (256 192)
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

constexpr int kTile = 32;  // words; a row has 128 B
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
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
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
    if (!rows) {
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
          "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(tile)),
          "l"(&from), "r"(x), "r"(y), "r"(full)
          : "memory");
    }
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

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "swizzled";
  const bool multicast = way == "multicast", rows = way == "rows";
  const bool swizzled = way == "swizzled" || multicast;
  const int width = argc > 3 ? std::atoi(argv[2]) : 256;
  const int height = argc > 3 ? std::atoi(argv[3]) : 192;
  const int unit = rows ? kTile : 4;
  if (!swizzled && !rows && way != "plain") {
    std::fprintf(stderr, "error: %s is none of swizzled, plain, rows and multicast\n", way.c_str());
    return 2;
  }
  if (width < 1 || height < 1 || width % unit != 0 || height % unit != 0) {
    std::fprintf(stderr, "error: %d x %d; allowed: multiples of %d\n", width, height, unit);
    return 2;
  }
  std::vector<unsigned> in(static_cast<std::size_t>(width) * height), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned>(i) * 2654435761u;
  unsigned *from, *to;
  const std::size_t bytes = in.size() * sizeof(unsigned);
  cudaMalloc((void**)&from, bytes);
  cudaMalloc((void**)&to, bytes);
  cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice);
  const CUtensorMap source = map_of(
      from, width, height, swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE);
  const CUtensorMap target = map_of(to, height, width, CU_TENSOR_MAP_SWIZZLE_NONE);
  const dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  if (multicast)
    exchange<<<dim3(grid.x, (grid.y + 1) / 2 * 2), 256>>>(source, target);
  else
    transpose<<<grid, 256>>>(source, target, from, width, swizzled, rows);
  const cudaError_t error = cudaMemcpy(out.data(), to, bytes, cudaMemcpyDeviceToHost);
  bool right = error == cudaSuccess;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      right = right && out[static_cast<std::size_t>(x) * height + y] ==
                           in[static_cast<std::size_t>(y) * width + x];
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
