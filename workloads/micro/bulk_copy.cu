// SPDX-License-Identifier: Apache-2.0
// A block adds to tiles of global memory that pass through its shared memory, two tiles deep, and
// writes them back: `bulk` has one thread ask for each tile by one bulk copy (cp.async.bulk), which
// an mbarrier waits for, and has it written back by another; `async` has every thread copy 16 B
// (cp.async); `registers` loads, stores into shared memory and adds. What the ways share is the
// traffic; what they differ in is the instructions that it takes, and what hides its latency.
// `reduce` has the results of all blocks added up in one place (cp.reduce.async.bulk).
// `forgets` is `bulk` without the wait for a tile: it must find wrong values, and passes then. More
// than two tiles would be an error, since mbarriers would be used again before their phase ends.
//
// arguments: [bulk|async|registers|reduce|forgets] (bulk) [tiles a block] (16) [blocks] (4)
#include <cuda_pipeline.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../common/check.hpp"

constexpr int kThreads = 128;
constexpr int kPieces = 2;  // pieces of 16 B of a thread and tile
constexpr int kTile = kThreads * kPieces;
constexpr unsigned kTileBytes = kTile * sizeof(uint4);

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__host__ __device__ uint4 worked(uint4 v, unsigned tile) {
  return {v.x * 3 + tile, v.y ^ v.x, v.z + 1, ~v.w};
}

// The compiler would take a struct apart.
__device__ uint4 loaded(const uint4* p) {
  uint4 v;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p));
  return v;
}
__device__ void store(uint4* p, const uint4& v) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z),
               "r"(v.w)
               : "memory");
}

__global__ void through_registers(const uint4* in, uint4* out, int tiles) {
  __shared__ uint4 tile[kTile];
  const int t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * tiles * kTile;
  for (int k = 0; k < tiles; ++k) {
    for (int i = t; i < kTile; i += kThreads) tile[i] = loaded(&in[first + k * kTile + i]);
    __syncthreads();
    for (int i = t; i < kTile; i += kThreads)
      store(&out[first + k * kTile + i], worked(tile[kTile - 1 - i], k));
    __syncthreads();
  }
}

__global__ void past_registers(const uint4* in, uint4* out, int tiles) {
  __shared__ uint4 tile[2][kTile];
  const int t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * tiles * kTile;
  const auto copy = [&](int k) {
    for (int i = t; i < kTile; i += kThreads)
      __pipeline_memcpy_async(&tile[k % 2][i], &in[first + k * kTile + i], sizeof(uint4));
  };
  copy(0);
  __pipeline_commit();
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles) copy(k + 1);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = t; i < kTile; i += kThreads)
      store(&out[first + k * kTile + i], worked(tile[k % 2][kTile - 1 - i], k));
    __syncthreads();
  }
}

__device__ void load_tile(uint4* tile, const uint4* from, __mbarrier_t* full) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(full)),
               "r"(kTileBytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(tile)),
      "l"(from), "r"(kTileBytes), "r"(shared_address(full))
      : "memory");
}
__device__ void wait(__mbarrier_t* full, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}" ::"r"(shared_address(full)),
      "r"(parity)
      : "memory");
}

__device__ void store_tile(uint4* to, const uint4* result) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"(shared_address(result)), "r"(kTileBytes)
               : "memory");
}
__device__ void add_tile(uint4* to, const uint4* result) {
  asm volatile(
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(to),
      "r"(shared_address(result)), "r"(kTileBytes)
      : "memory");
}

__global__ void by_bulk(const uint4* in, uint4* out, int tiles, bool waits, bool adds) {
  __shared__ __align__(128) uint4 tile[2][kTile];
  __shared__ __align__(128) uint4 result[kTile];
  __shared__ __mbarrier_t full[2];
  const int t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * tiles * kTile;
  if (t == 0) {
    __mbarrier_init(&full[0], 1);
    __mbarrier_init(&full[1], 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    load_tile(tile[0], &in[first], &full[0]);
  }
  __syncthreads();
  for (int k = 0; k < tiles; ++k) {
    if (t == 0 && k + 1 < tiles)
      load_tile(tile[(k + 1) % 2], &in[first + (k + 1) * kTile], &full[(k + 1) % 2]);
    // The result of the tile before has left shared memory.
    if (t == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    __syncthreads();
    if (waits) wait(&full[k % 2], k / 2 % 2);
    for (int i = t; i < kTile; i += kThreads) result[i] = worked(tile[k % 2][kTile - 1 - i], k);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
      if (adds)
        add_tile(&out[k * kTile], result);
      else
        store_tile(&out[first + k * kTile], result);
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "bulk";
  const int tiles = workload::size_argument(argc, argv, 2, 16, 1, 1 << 10);
  const int blocks = workload::size_argument(argc, argv, 3, 4, 1, 1 << 8);
  workload::no_more_arguments(argc, argv, 3);
  const bool forgets = way == "forgets", reduces = way == "reduce";
  if (way != "bulk" && way != "async" && way != "registers" && !reduces && !forgets) {
    std::fprintf(stderr, "error: %s is none of bulk, async, registers, reduce and forgets\n",
                 way.c_str());
    return 2;
  }
  std::vector<uint4> in(std::size_t(tiles) * blocks * kTile), result(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto word = static_cast<unsigned>(i);
    in[i] = {word * 2654435761u, word, word << 7, ~word};
  }
  uint4 *from, *to;
  const std::size_t bytes = in.size() * sizeof(uint4);
  cudaMalloc((void**)&from, bytes);
  cudaMalloc((void**)&to, bytes);
  cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice);
  if (reduces) cudaMemset(to, 0, bytes);
  if (way == "async")
    past_registers<<<blocks, kThreads>>>(from, to, tiles);
  else if (way == "registers")
    through_registers<<<blocks, kThreads>>>(from, to, tiles);
  else
    by_bulk<<<blocks, kThreads>>>(from, to, tiles, !forgets, reduces);
  cudaMemcpy(result.data(), to, bytes, cudaMemcpyDeviceToHost);
  std::vector<uint4> wanted(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto tile = static_cast<unsigned>(i / kTile % tiles);
    const uint4 v = worked(in[i / kTile * kTile + kTile - 1 - i % kTile], tile);
    uint4& want = wanted[reduces ? i % (std::size_t(tiles) * kTile) : i];
    want = {want.x + v.x, want.y + v.y, want.z + v.z, want.w + v.w};
  }
  const bool right = std::memcmp(wanted.data(), result.data(), bytes) == 0;
  std::puts(right != forgets ? "PASS" : "FAIL");
  return right != forgets ? 0 : 1;
}
