// SPDX-License-Identifier: Apache-2.0
// Groups of threads smaller than a block: tiles of several sizes with reductions and scans, the
// lanes that happen to be together, groups passed to functions by their base class.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "../runtime/check.h"

namespace cg = cooperative_groups;

__device__ int sum_of(const cg::thread_group& group, int* scratch, int value) {
  for (unsigned reach = group.size() / 2; reach > 0; reach /= 2) {
    scratch[group.thread_rank()] = value;
    group.sync();
    if (group.thread_rank() < reach) value += scratch[group.thread_rank() + reach];
    group.sync();
  }
  return value;
}

template <unsigned kSize>
__device__ void tile(const cg::thread_block& block, const int* in, int* out) {
  const cg::thread_block_tile<kSize> part = cg::tiled_partition<kSize>(block);
  const int v = in[block.thread_rank()];
  const int sum = cg::reduce(part, v, cg::plus<int>());
  const int most = cg::reduce(part, v, cg::greater<int>());
  const int before = cg::exclusive_scan(part, v, cg::plus<int>());
  out[block.thread_rank()] = sum * 7 + most * 3 + before + part.shfl(v, kSize - 1) +
                             static_cast<int>(part.meta_group_rank() * part.num_threads());
}

__global__ void run(const int* in, int* out, int* picked, unsigned* count) {
  __shared__ int scratch[128];
  const cg::thread_block block = cg::this_thread_block();
  tile<4>(block, in, out);
  tile<16>(block, in, out + 128);
  tile<32>(block, in, out + 256);
  const cg::thread_group half = cg::tiled_partition(block, 16);
  const int first = block.thread_rank() / 16 * 16;
  const int sum = sum_of(half, scratch + first, in[block.thread_rank()]);
  const cg::thread_block_tile<1> alone = cg::this_thread();
  alone.sync();
  if (alone.num_threads() != 1 || alone.thread_rank() != 0 || alone.shfl(sum, 0) != sum) return;
  if (half.thread_rank() == 0) out[384 + block.thread_rank() / 16] = sum;
  if (in[block.thread_rank()] % 3 == 0) {  // one atomic for the lanes that are here
    const cg::coalesced_group here = cg::coalesced_threads();
    unsigned place = 0;
    if (here.thread_rank() == 0) place = atomicAdd(count, here.size());
    place = here.shfl(place, 0) + here.thread_rank();
    picked[place] = in[block.thread_rank()];
  }
}

template <int kSize>
static void check(const int* in, const int* out) {
  for (int t = 0; t < 128; ++t) {
    int sum = 0, most = in[t], before = 0;
    const int first = t / kSize * kSize;
    for (int i = first; i < first + kSize; ++i) {
      sum += in[i];
      most = in[i] > most ? in[i] : most;
      if (i < t) before += in[i];
    }
    CHECK(out[t] == sum * 7 + most * 3 + before + in[first + kSize - 1] + first);
  }
}

int main() {
  int in[128], out[392], picked[128], *device_in, *device_out, *device_picked;
  unsigned *count, host_count = 0;
  for (int i = 0; i < 128; ++i) in[i] = i * 37 % 101;
  OK(cudaMalloc(&device_in, sizeof in));
  OK(cudaMalloc(&device_out, sizeof out));
  OK(cudaMalloc(&device_picked, sizeof picked));
  OK(cudaMalloc(&count, sizeof *count));
  OK(cudaMemset(count, 0, sizeof *count));
  OK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
  run<<<1, 128>>>(device_in, device_out, device_picked, count);
  OK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(picked, device_picked, sizeof picked, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(&host_count, count, sizeof host_count, cudaMemcpyDeviceToHost));
  check<4>(in, out);
  check<16>(in, out + 128);
  check<32>(in, out + 256);
  unsigned wanted = 0;
  int sum = 0;
  for (int t = 0; t < 128; ++t) {
    if (t % 16 == 0) sum = 0;
    sum += in[t];
    if (t % 16 == 15) CHECK(out[384 + t / 16] == sum);
    wanted += in[t] % 3 == 0;
  }
  CHECK(host_count == wanted);
  int total = 0, expected = 0;
  for (unsigned i = 0; i < host_count && i < 128; ++i) total += picked[i];
  for (int v : in) expected += v % 3 == 0 ? v : 0;
  CHECK(total == expected);
  return finish();
}
