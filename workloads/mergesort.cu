// SPDX-License-Identifier: Apache-2.0
// mergesort [log2n = 15]: runs of 512 sorted in shared memory, then merged pairwise: each element
// finds its place in the other run by binary search.
//
// Stands for: mergeSort of the CUDA SDK samples.
// Memory: binary searches read data-dependent addresses (coherent at first, un-coalesced at the end
// of a search, hot upper levels), the stores scatter over few lines. Secondary misses and hits.
// In the papers: DL (docs/references.md).
// Measured (18): coherent, secondary-miss-predominant, type III.
#include <algorithm>

#include "common/check.hpp"

constexpr unsigned kBlock = 256;
constexpr unsigned kRun = 2 * kBlock;

/// Elements of sorted a[0..n) that go before `key`: those less, or also those equal.
__device__ unsigned rank_of(const unsigned* a, unsigned n, unsigned key, bool with_equal) {
  unsigned low = 0, high = n;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (a[middle] < key || (with_equal && a[middle] == key))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__global__ void sort_runs(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[kRun];
  const unsigned base = blockIdx.x * kRun, t = threadIdx.x;
  s[t] = in[base + t];
  s[t + kBlock] = in[base + t + kBlock];
  for (unsigned width = 1; width < kRun; width *= 2) {
    const unsigned in_run = t & (width - 1), start = 2 * (t - in_run);
    unsigned* const left = s + start;
    __syncthreads();
    const unsigned a = left[in_run], b = left[in_run + width];
    const unsigned place_a = rank_of(left + width, width, a, false) + in_run;
    const unsigned place_b = rank_of(left, width, b, true) + in_run;
    __syncthreads();
    left[place_a] = a;
    left[place_b] = b;
  }
  __syncthreads();
  out[base + t] = s[t];
  out[base + t + kBlock] = s[t + kBlock];
}

__global__ void merge_runs(const unsigned* in, unsigned* out, unsigned width) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned in_pair = i & (2 * width - 1), start = i - in_pair;
  const bool right = in_pair >= width;
  const unsigned key = in[i];
  const unsigned* const other = in + start + (right ? 0 : width);
  const unsigned place = rank_of(other, width, key, right) + (in_pair & (width - 1));
  out[start + place] = key;
}

int main(int argc, char** argv) {
  const int log2n = workload::size_argument(argc, argv, 1, 15, 9, 26);
  workload::no_more_arguments(argc, argv, 1);
  const unsigned n = 1u << log2n;
  workload::Random random(1);
  std::vector<unsigned> keys(n);
  for (unsigned& k : keys) k = random.below(n);  // with equal keys
  workload::DeviceArray<unsigned> first(keys), second(n);

  unsigned* from = second;
  unsigned* to = first;
  sort_runs<<<n / kRun, kBlock>>>(first, second);
  for (unsigned width = kRun; width < n; width *= 2) {
    merge_runs<<<n / kBlock, kBlock>>>(from, to, width);
    std::swap(from, to);
  }
  workload::finish_kernels();
  std::vector<unsigned> got(n);
  CHECK_CUDA(cudaMemcpy(got.data(), from, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  std::sort(keys.begin(), keys.end());
  workload::Verdict verdict;
  verdict.equal("keys", got, keys);
  return verdict.done();
}
