// SPDX-License-Identifier: Apache-2.0
// Thread-block clusters: each mode measures one way in which the blocks of a cluster meet.
//   latency    a load of another block's shared memory, by a thread that follows pointers there
//   bandwidth  loads of 16 B a lane of the next block's shared memory, by all warps of all blocks
//   barrier    the barrier of the cluster, one after the other
//   separate   tiles that all blocks of a cluster need: each block loads all of each tile
//   multicast  the same: each block loads its part of each tile for all blocks
//   scatter    nothing is measured: asynchronous stores (st.async), reductions (red.async) and bulk
//              reductions (cp.reduce.async.bulk) of the next block's shared memory
//   exchange   nothing is measured: stores, atomics, arrivals and bulk copies between blocks
// Each is checked by its result.
//
// arguments: [MODE] (exchange) [blocks of a cluster] (4) [clusters] (2) [rounds] (8)
#include <cooperative_groups.h>

#include <cstring>

#include "micro.hpp"

namespace cg = cooperative_groups;

constexpr int kThreads = 128;
constexpr int kTileBytes = 8192;
constexpr int kTileWords = kTileBytes / 4;

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ unsigned mapped(const void* p, unsigned rank) {
  unsigned address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(p)), "r"(rank));
  return address;
}

using Barrier = unsigned long long;
__device__ void initialise(Barrier* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals)
               : "memory");
}
__device__ void expect(Barrier* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ void wait(Barrier* barrier, unsigned parity) {
  asm volatile(
      "{ .reg .pred P1; AGAIN: mbarrier.try_wait.parity.acquire.cluster.shared.b64 P1, [%0], %1;"
      " @!P1 bra AGAIN; }" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

__device__ unsigned next(unsigned address) {
  asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(address)::"memory");
  return address;
}

__global__ void latency(int windows, unsigned* out, unsigned long long* cycles) {
  __shared__ unsigned words[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned after = (cluster.block_rank() + 1) % cluster.num_blocks();
  if (threadIdx.x == 0) words[1] = mapped(words + 1, cluster.block_rank());
  cluster.sync();
  unsigned address = mapped(words + 1, after);
  const unsigned begin = address;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *cycles = micro::chase_through<unsigned, next>(address, windows);
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = address - begin;
}

__global__ void bandwidth(int rounds, unsigned* out, micro::Span* spans) {
  __shared__ uint4 tile[kThreads];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), after = (rank + 1) % cluster.num_blocks();
  tile[threadIdx.x] = {rank, threadIdx.x, 0, 1};
  const unsigned from = mapped(tile + threadIdx.x, after);
  cluster.sync();
  micro::begin_span(spans);
  unsigned sum = 0;
  for (int i = 0; i < rounds; ++i) {
    uint4 v[4];
    for (auto& part : v)
      asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(part.x), "=r"(part.y), "=r"(part.z), "=r"(part.w)
                   : "r"(from)
                   : "memory");
    for (const auto& part : v) sum += part.x * 1000 + part.y;
  }
  micro::end_span(spans);
  cluster.sync();
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

__global__ void barrier(int rounds, unsigned* out, micro::Span* spans) {
  __shared__ unsigned count;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) count = 0;
  cluster.sync();
  micro::begin_span(spans);
  for (int i = 0; i < rounds; ++i) {
    cluster.sync();
    if (threadIdx.x == 0) ++count;
  }
  micro::end_span(spans);
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = *cluster.map_shared_rank(&count, 0);
  cluster.sync();
}

// Tiles in turn in two places, so that one comes while the other is read; a place is filled again
// when all blocks have read it.
__global__ void tiles(const unsigned* in, unsigned* out, int rounds, bool multicast,
                      micro::Span* spans) {
  __shared__ __align__(128) unsigned tile[2][kTileWords];
  __shared__ Barrier full[2];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();
  const unsigned* const own = in + size_t(blockIdx.x / blocks) * rounds * kTileWords;
  const auto load = [&](int k) {
    const unsigned* const from = own + size_t(k) * kTileWords;
    const unsigned place = shared_address(tile[k % 2]), told = shared_address(&full[k % 2]);
    const unsigned part = kTileBytes / blocks;
    if (multicast)
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
          "[%0], [%1], %2, [%3], %4;" ::"r"(place + rank * part),
          "l"(from + rank * part / 4), "r"(part), "r"(told),
          "h"(static_cast<short>((1 << blocks) - 1))
          : "memory");
    else
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
          "[%3];" ::"r"(place),
          "l"(from), "r"(kTileBytes), "r"(told)
          : "memory");
  };
  if (threadIdx.x == 0)
    for (Barrier& place : full) initialise(&place, 1);
  if (threadIdx.x == 0)
    for (Barrier& place : full) expect(&place, kTileBytes);
  cluster.sync();
  micro::begin_span(spans);
  if (threadIdx.x == 0) load(0);
  unsigned sum = 0;
  for (int k = 0; k < rounds; ++k) {
    if (threadIdx.x == 0 && k + 1 < rounds) load(k + 1);
    wait(&full[k % 2], k / 2 % 2);
    // Few words are read, so that the copies are what takes the time.
    for (int i = threadIdx.x; i < kTileWords; i += 8 * kThreads) sum += tile[k % 2][i] * (i + k);
    if (threadIdx.x == 0 && k + 2 < rounds) expect(&full[k % 2], kTileBytes);
    cluster.sync();
  }
  micro::end_span(spans);
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

// Each round: every block writes a row of the next one's table, adds to a counter of the first, has
// its own row copied to the one before, and arrives at an mbarrier of each.
__global__ void exchange(unsigned* out, int rounds) {
  __shared__ __align__(16) unsigned row[kThreads], copied[kThreads];
  __shared__ unsigned count;
  __shared__ Barrier arrived, copy;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();
  const unsigned after = (rank + 1) % blocks, before = (rank + blocks - 1) % blocks;
  if (threadIdx.x == 0) {
    count = 0;
    initialise(&arrived, blocks);
    initialise(&copy, 1);
  }
  cluster.sync();
  unsigned sum = 0;
  for (int k = 0; k < rounds; ++k) {
    cluster.map_shared_rank(row, after)[threadIdx.x] = rank * 1000 + threadIdx.x + k;
    atomicAdd(cluster.map_shared_rank(&count, 0), 1u);
    cluster.sync();
    if (threadIdx.x == 0) {
      expect(&copy, sizeof row);
    }
    if (threadIdx.x < blocks)
      asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                       mapped(&arrived, threadIdx.x))
                   : "memory");
    wait(&arrived, k % 2);  // every block awaits its copy
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async;" ::: "memory");
      asm volatile(
          "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, "
          "[%3];" ::"r"(mapped(copied, before)),
          "r"(shared_address(row)), "r"(static_cast<unsigned>(sizeof row)),
          "r"(mapped(&copy, before))
          : "memory");
    }
    wait(&copy, k % 2);
    sum += row[threadIdx.x] + 7 * copied[threadIdx.x];
    cluster.sync();
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum + *cluster.map_shared_rank(&count, 0);
  cluster.sync();
}

// Each round: every thread sends a pair to the next block's table and adds to one of its eight
// counters, and the block's row is added to the next one's sums, all of it awaited at one mbarrier.
__global__ void scatter(unsigned* out, int rounds) {
  __shared__ __align__(16) unsigned row[kThreads], sums[kThreads];
  __shared__ uint2 table[kThreads];
  __shared__ unsigned counts[8];
  __shared__ Barrier full;
  constexpr unsigned kBytes = sizeof table + kThreads * sizeof(unsigned) + sizeof row;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), after = (rank + 1) % cluster.num_blocks();
  const unsigned t = threadIdx.x;
  sums[t] = 0;
  if (t < 8) counts[t] = 0;
  if (t == 0) initialise(&full, 1);
  const unsigned told = mapped(&full, after);
  unsigned sum = 0;
  for (int k = 0; k < rounds; ++k) {
    row[t] = rank * 100 + t + k;
    if (t == 0) expect(&full, kBytes);
    asm volatile("fence.proxy.async;" ::: "memory");
    cluster.sync();
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1, %2}, [%3];" ::
            "r"(mapped(&table[kThreads - 1 - t], after)),
        "r"(rank * 1000 + t), "r"(k), "r"(told)
        : "memory");
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, "
        "[%2];" ::"r"(mapped(&counts[t / 3 % 8], after)),
        "r"(t + 1), "r"(told)
        : "memory");
    if (t == 0)
      asm volatile(
          "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 "
          "[%0], [%1], %2, [%3];" ::"r"(mapped(sums, after)),
          "r"(shared_address(row)), "r"(static_cast<unsigned>(sizeof row)), "r"(told)
          : "memory");
    wait(&full, k % 2);
    sum += table[t].x + 7 * table[t].y + 3 * counts[t % 8] + 5 * sums[t];
    cluster.sync();
  }
  out[blockIdx.x * kThreads + t] = sum;
}

template <class... Parameters, class... Arguments>
void launch(int blocks, int clusters, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = static_cast<unsigned>(blocks);
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(blocks * clusters));
  config.blockDim = dim3(kThreads);
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (blocks > 8)
    CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CHECK_CUDA(cudaLaunchKernelEx(&config, kernel, arguments...));
  workload::finish_kernels();
}

int main(int argc, char** argv) {
  const char* const mode = argc > 1 ? argv[1] : "exchange";
  const auto is = [&](const char* name) { return std::strcmp(mode, name) == 0; };
  const int blocks = workload::size_argument(argc, argv, 2, 4, 1, 16);
  const int clusters = workload::size_argument(argc, argv, 3, 2);
  const int rounds = workload::size_argument(argc, argv, 4, 8);
  workload::no_more_arguments(argc, argv, 4);
  const unsigned all = static_cast<unsigned>(blocks * clusters);
  workload::DeviceArray<micro::Span> spans(all);
  workload::DeviceArray<unsigned> out(std::size_t(all) * kThreads);
  workload::Verdict verdict;
  std::vector<unsigned> want(std::size_t(all) * kThreads, 0);
  if (is("latency")) {
    workload::DeviceArray<unsigned long long> cycles(1);
    launch(blocks, clusters, latency, rounds, static_cast<unsigned*>(out),
           static_cast<unsigned long long*>(cycles));
    const auto sum = static_cast<double>(cycles.download()[0]);
    if (sum > 0) micro::report(sum, micro::loads_of(rounds), "cycles a load");
  } else if (is("bandwidth")) {
    launch(blocks, clusters, bandwidth, rounds, static_cast<unsigned*>(out),
           static_cast<micro::Span*>(spans));
    micro::report(double(rounds) * 4 * kThreads * sizeof(uint4), micro::cycles_of(spans),
                  "bytes a cycle and block");
    for (unsigned i = 0; i < want.size(); ++i) {
      const unsigned rank = (i / kThreads % blocks + 1) % blocks;
      want[i] = static_cast<unsigned>(rounds) * 4 * (rank * 1000 + i % kThreads);
    }
  } else if (is("barrier")) {
    launch(blocks, clusters, barrier, rounds, static_cast<unsigned*>(out),
           static_cast<micro::Span*>(spans));
    const double cycles = micro::cycles_of(spans);
    if (cycles > 0) micro::report(cycles, rounds, "cycles a barrier");
    for (unsigned i = 0; i < all; ++i) want[i] = static_cast<unsigned>(rounds);
  } else if (is("separate") || is("multicast")) {
    std::vector<unsigned> words(std::size_t(clusters) * rounds * kTileWords);
    workload::Random random(1);
    for (unsigned& word : words) word = random.next();
    workload::DeviceArray<unsigned> in(words);
    launch(blocks, clusters, tiles, static_cast<const unsigned*>(in), static_cast<unsigned*>(out),
           rounds, is("multicast"), static_cast<micro::Span*>(spans));
    const double cycles = micro::cycles_of(spans);
    if (cycles > 0) micro::report(cycles, rounds, "cycles a tile");
    for (unsigned i = 0; i < want.size(); ++i)
      for (int k = 0; k < rounds; ++k)
        for (unsigned j = i % kThreads; j < kTileWords; j += 8 * kThreads)
          want[i] +=
              words[(std::size_t(i / kThreads / blocks) * rounds + k) * kTileWords + j] * (j + k);
  } else if (is("exchange")) {
    launch(blocks, clusters, exchange, static_cast<unsigned*>(out), rounds);
    for (unsigned i = 0; i < want.size(); ++i) {
      const unsigned rank = i / kThreads % blocks, t = i % kThreads;
      const unsigned before = (rank + blocks - 1) % blocks;
      want[i] = static_cast<unsigned>(rounds * blocks * kThreads);
      for (int k = 0; k < rounds; ++k) want[i] += before * 1000 + t + k + 7 * (rank * 1000 + t + k);
    }
  } else if (is("scatter")) {
    launch(blocks, clusters, scatter, static_cast<unsigned*>(out), rounds);
    unsigned added[8] = {};  // to each counter in a round
    for (unsigned t = 0; t < kThreads; ++t) added[t / 3 % 8] += t + 1;
    for (unsigned i = 0; i < want.size(); ++i) {
      const unsigned t = i % kThreads, before = (i / kThreads % blocks + blocks - 1) % blocks;
      for (unsigned k = 0, sums = 0; k < static_cast<unsigned>(rounds); ++k) {
        sums += before * 100 + t + k;
        want[i] += before * 1000 + kThreads - 1 - t + 7 * k + 3 * (k + 1) * added[t % 8] + 5 * sums;
      }
    }
  } else {
    std::fprintf(stderr, "%s: mode %s is not one of those in its source\n", argv[0], mode);
    return 1;
  }
  verdict.equal("results of the threads", out.download(), want);
  return verdict.done();
}
