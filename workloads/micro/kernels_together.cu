// SPDX-License-Identifier: Apache-2.0
// Kernels in streams of their own, each of BLOCKS blocks whose threads add up PIECES numbers each.
// With gpu.concurrent_kernels several run at a time, which takes no longer than one where each
// leaves the others room. MODE says how they stand to each other:
//   streams   each has a stream; none waits for another
//   one       all have the same stream
//   events    each has a stream, which waits for an event behind the kernel before
//   default   as streams, with another kernel in the default stream halfway, which waits for those
//             before it and for which the others wait
//   threads   as streams, but every second stream does not wait for the default stream, in which
//             the last kernel runs
// Prints how long all took by events around them.
//
// arguments: [MODE [KERNELS [BLOCKS [PIECES]]]] (streams, 4, 2, 64)
#include <cstdio>
#include <cstring>
#include <vector>

#include "../common/check.hpp"

constexpr int kThreads = 64;

__global__ void add_up(const int* from, int pieces, int* sum) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int own = 0;
  for (int i = 0; i < pieces; ++i) own += from[(thread * pieces + i) % (pieces * kThreads)];
  atomicAdd(sum, own);
}

// A kernel of another shape, with shared memory, that works on what the one before has left.
__global__ void double_all(int* sums, int count) {
  __shared__ int tile[256];
  const int i = threadIdx.x;
  tile[i] = i < count ? sums[i] : 0;
  __syncthreads();
  if (i < count) sums[i] = 2 * tile[i];
}

int main(int argc, char** argv) {
  const char* const mode = argc > 1 ? argv[1] : "streams";
  const bool one = std::strcmp(mode, "one") == 0, events = std::strcmp(mode, "events") == 0;
  const bool in_default = std::strcmp(mode, "default") == 0;
  const bool threads = std::strcmp(mode, "threads") == 0;
  if (!one && !events && !in_default && !threads && std::strcmp(mode, "streams") != 0) {
    std::fprintf(stderr, "%s: mode %s; it is streams, one, events, default or threads\n", argv[0],
                 mode);
    return 1;
  }
  const int kernels = workload::size_argument(argc, argv, 2, 4, 1, 256);
  const int blocks = workload::size_argument(argc, argv, 3, 2);
  const int pieces = workload::size_argument(argc, argv, 4, 64);
  workload::no_more_arguments(argc, argv, 4);

  std::vector<int> numbers(static_cast<std::size_t>(pieces) * kThreads);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i % 7);
  workload::DeviceArray<int> from(numbers);
  workload::DeviceArray<int> sums(std::vector<int>(kernels, 0));
  std::vector<cudaStream_t> streams(one ? 1 : kernels);
  for (std::size_t i = 0; i < streams.size(); ++i)
    CHECK_CUDA(cudaStreamCreateWithFlags(
        &streams[i], threads && i % 2 == 1 ? cudaStreamNonBlocking : cudaStreamDefault));
  cudaEvent_t begin, end, behind;
  for (cudaEvent_t* event : {&begin, &end, &behind}) CHECK_CUDA(cudaEventCreate(event));

  CHECK_CUDA(cudaEventRecord(begin));
  for (int k = 0; k < kernels; ++k) {
    const cudaStream_t stream = streams[one ? 0 : k];
    if (events && k > 0) CHECK_CUDA(cudaStreamWaitEvent(stream, behind, 0));
    add_up<<<blocks, kThreads, 0, stream>>>(from, pieces, sums.get() + k);
    CHECK_CUDA(cudaGetLastError());
    if (events) CHECK_CUDA(cudaEventRecord(behind, stream));
    if (in_default && k == kernels / 2) double_all<<<1, 256>>>(sums, kernels);
  }
  if (threads) {
    for (int k = 1; k < kernels; k += 2) CHECK_CUDA(cudaStreamSynchronize(streams[k]));
    double_all<<<1, 256>>>(sums, kernels);
  }
  CHECK_CUDA(cudaEventRecord(end));
  CHECK_CUDA(cudaEventSynchronize(end));
  float milliseconds = 0;
  CHECK_CUDA(cudaEventElapsedTime(&milliseconds, begin, end));

  long total = 0;
  for (int t = 0; t < blocks * kThreads; ++t)
    for (int i = 0; i < pieces; ++i)
      total += numbers[(static_cast<std::size_t>(t) * pieces + i) % numbers.size()];
  std::vector<int> expected(kernels, static_cast<int>(total));
  for (int k = 0; k < kernels; ++k)
    if (threads || (in_default && k <= kernels / 2)) expected[k] *= 2;
  workload::Verdict verdict;
  verdict.equal("sums", sums.download(), expected);
  if (milliseconds > 0) std::printf("together %.3f us\n", milliseconds * 1000);
  for (const cudaStream_t stream : streams) CHECK_CUDA(cudaStreamDestroy(stream));
  return verdict.done();
}
