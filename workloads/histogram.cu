// SPDX-License-Identifier: Apache-2.0
// histogram [n = 1048576]: 256 bins of n bytes, once with a histogram a block in shared memory and
// once with atomics straight to global memory.
//
// Stands for: histogram of the CUDA SDK samples and histo of Parboil.
// Memory: the input streams (coalesced); the bins are atomics, to shared memory in the first kernel
// and to eight hot lines of L2 in the second.
// In the papers: KI (docs/references.md).
// Measured (6291456): coherent, primary-miss-predominant (no fails), type 0.
#include "common/check.hpp"

constexpr int kBins = 256;
constexpr unsigned kBlock = 256;
constexpr unsigned kBlocks = 64;

__global__ void histogram_shared(const unsigned* words, int n, unsigned* bins) {
  __shared__ unsigned local[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const unsigned w = words[i];
    for (int byte = 0; byte < 4; ++byte) atomicAdd(&local[(w >> (8 * byte)) & 0xff], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

__global__ void histogram_global(const unsigned* words, int n, unsigned* bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const unsigned w = words[i];
    for (int byte = 0; byte < 4; ++byte) atomicAdd(&bins[(w >> (8 * byte)) & 0xff], 1u);
  }
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 1 << 20);
  workload::no_more_arguments(argc, argv, 1);
  const int words = (n + 3) / 4;  // whole words
  std::vector<unsigned> data(words);
  workload::Random random(1);
  std::vector<unsigned> expected(kBins);
  for (unsigned& w : data) {
    w = 0;
    for (int byte = 0; byte < 4; ++byte) {
      // The lower of two: bins of unequal load.
      const unsigned first = random.below(kBins), second = random.below(kBins);
      const unsigned value = first < second ? first : second;
      w |= value << (8 * byte);
      ++expected[value];
    }
  }
  const workload::DeviceArray<unsigned> input(data);
  workload::DeviceArray<unsigned> shared(kBins), global(kBins);
  shared.zero();
  global.zero();

  histogram_shared<<<kBlocks, kBlock>>>(input, words, shared);
  histogram_global<<<kBlocks, kBlock>>>(input, words, global);
  workload::finish_kernels();

  workload::Verdict verdict;
  verdict.equal("shared", shared.download(), expected);
  verdict.equal("global", global.download(), expected);
  return verdict.done();
}
