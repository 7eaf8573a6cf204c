// SPDX-License-Identifier: Apache-2.0
// CUDA's C++ library as Debian has it (libcu++-dev), as its users write it: atomics of all scopes,
// barriers that lanes of a warp wait at, pipelines of copies, semaphores, latches, arrays.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/tuple>
#include <utility>

#include "runtime/check.h"

namespace cg = cooperative_groups;
using Flag = cuda::atomic<int, cuda::thread_scope_device>;
using Semaphore = cuda::counting_semaphore<cuda::thread_scope_device, 2>;
using Latch = cuda::latch<cuda::thread_scope_device>;
const int kThreads = 128, kTiles = 6, kStages = 2;

struct Shared {
  cuda::std::atomic<int> total;
  cuda::atomic<unsigned, cuda::thread_scope_device> most;
  Flag ready;
  int value, seen;
};

__global__ void count(Shared* s) {
  s->total.fetch_add(1, cuda::std::memory_order_relaxed);
  const unsigned mine = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned most = s->most.load();
  while (most < mine && !s->most.compare_exchange_weak(most, mine)) {
  }
}
/// The second block waits for what the first one writes.
__global__ void publish(Shared* s) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    s->value = 42;
    s->ready.store(1, cuda::std::memory_order_release);
    s->ready.notify_all();
  } else {
    s->ready.wait(0, cuda::std::memory_order_acquire);
    s->seen = s->value;
  }
}
__global__ void rotate(const int* in, int* out, int times) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int held[kThreads];
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  held[threadIdx.x] = in[threadIdx.x];
  for (int i = 0; i < times; ++i) {
    barrier.wait(barrier.arrive());
    const int next = held[(threadIdx.x + 1) % kThreads];
    barrier.arrive_and_wait();
    held[threadIdx.x] = next;
  }
  barrier.arrive_and_wait();
  out[threadIdx.x] = held[threadIdx.x];
}
/// Tiles arrive two ahead of their use.
__global__ void by_pipeline(const int* in, int* out) {
  extern __shared__ int held[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0, next = 0;
  for (int tile = 0; tile < kTiles; ++tile) {
    for (; next < kTiles && next < tile + kStages; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, held + next % kStages * kThreads, in + next * kThreads,
                         cuda::aligned_size_t<16>(sizeof(int) * kThreads), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    block.sync();
    sum += held[tile % kStages * kThreads + (threadIdx.x + 1) % kThreads];
    block.sync();
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}
/// Copies of each thread, of a group with both libraries' sizes, and by a barrier.
__global__ void by_copies(const int* in, int* out) {
  __shared__ __align__(16) int held[3][kThreads];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  auto pipe = cuda::make_pipeline();
  const int t = threadIdx.x;
  pipe.producer_acquire();
  cuda::memcpy_async(&held[0][t], &in[t], cuda::aligned_size_t<4>(sizeof(int)), pipe);
  pipe.producer_commit();
  cuda::memcpy_async(block, held[1], in + kThreads, sizeof held[1], barrier);
  cg::memcpy_async(block, held[2], in + 2 * kThreads, cuda::aligned_size_t<16>(sizeof held[2]));
  pipe.consumer_wait();
  barrier.arrive_and_wait();
  cg::wait(block);
  const cuda::std::array<int, 3> mine = {{held[0][t], held[1][t], held[2][t]}};
  pipe.consumer_release();
  int sum = 0;
  for (int value : mine) sum += value;
  out[t] = sum;
}
/// At most two warps at a time are where the semaphore is, and none comes behind the latch early.
__global__ void meet(Semaphore* semaphore, Latch* latch, int* inside, int* most, int* after) {
  if (threadIdx.x % 32 == 0) {
    semaphore->acquire();
    atomicMax(most, atomicAdd(inside, 1) + 1);
    atomicSub(inside, 1);
    semaphore->release();
  }
  atomicAdd(&after[0], 1);
  latch->arrive_and_wait();
  const auto before = cuda::std::chrono::system_clock::now();
  const cuda::std::tuple<int, bool> found(atomicAdd(&after[0], 0),
                                          cuda::std::chrono::system_clock::now() >= before);
  if (cuda::std::get<0>(found) != static_cast<int>(blockDim.x) || !cuda::std::get<1>(found))
    atomicAdd(&after[1], 1);
}

template <class T>
static T* managed(size_t count) {
  T* p = nullptr;
  OK(cudaMallocManaged(&p, count * sizeof(T)));
  return p;
}
__global__ void turn(cuda::std::complex<double>* numbers) {
  numbers[2] = numbers[0] * numbers[1];
  numbers[3] = numbers[2] / numbers[0];
}

int main() {
  Shared* const s = new (managed<Shared>(1)) Shared;
  s->total = 0;
  s->most = 0;
  s->ready = 0;
  count<<<4, kThreads>>>(s);
  publish<<<2, 32>>>(s);
  OK(cudaDeviceSynchronize());
  CHECK(s->total.load() == 4 * kThreads);
  CHECK(s->most.load() == 4 * kThreads - 1);
  CHECK(s->seen == 42);

  int* const in = managed<int>(kThreads * kTiles);
  int* const out = managed<int>(3 * kThreads);
  for (int i = 0; i < kThreads * kTiles; ++i) in[i] = i * 7 % 1000;
  rotate<<<1, kThreads>>>(in, out, 3);
  by_pipeline<<<1, kThreads, kStages * kThreads * sizeof(int)>>>(in, out + kThreads);
  by_copies<<<1, kThreads>>>(in, out + 2 * kThreads);
  OK(cudaDeviceSynchronize());
  for (int t = 0; t < kThreads; ++t) {
    CHECK(out[t] == in[(t + 3) % kThreads]);
    int sum = 0;
    for (int k = 0; k < kTiles; ++k) sum += in[k * kThreads + (t + 1) % kThreads];
    CHECK(out[kThreads + t] == sum);
    CHECK(out[2 * kThreads + t] == in[t] + in[kThreads + t] + in[2 * kThreads + t]);
  }

  int* const found = managed<int>(4);
  for (int i = 0; i < 4; ++i) found[i] = 0;
  Semaphore* const semaphore = new (managed<Semaphore>(1)) Semaphore(2);
  Latch* const latch = new (managed<Latch>(1)) Latch(kThreads);
  meet<<<1, kThreads>>>(semaphore, latch, &found[0], &found[1], &found[2]);
  OK(cudaDeviceSynchronize());
  CHECK(found[3] == 0);
  CHECK(found[1] == 1 || found[1] == 2);

  using Complex = cuda::std::complex<double>;
  Complex* const numbers = managed<Complex>(4);
  numbers[0] = Complex(1, 2);
  numbers[1] = Complex(0, 1);
  turn<<<1, 1>>>(numbers);
  OK(cudaDeviceSynchronize());
  CHECK(numbers[2] == Complex(-2, 1) && numbers[3] == numbers[1]);
  return finish();
}
