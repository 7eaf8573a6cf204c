// SPDX-License-Identifier: Apache-2.0
// scan [n = 262144]: exclusive prefix sums: blocks scan 512 elements in shared memory, the sums of
// the blocks are scanned in turn and added.
//
// Stands for: scan of the CUDA SDK samples (and of SHOC).
// Memory: streams, coalesced; up- and down-sweep in shared memory with growing strides (bank
// conflicts) and a barrier a step. Primary misses.
// In the papers: DL, KI (docs/references.md).
// Measured (2621440): coherent, secondary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kBlock = 256;
constexpr int kChunk = 2 * kBlock;

__global__ void scan_chunks(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  __shared__ unsigned s[kChunk];
  const int base = blockIdx.x * kChunk, t = threadIdx.x;
  s[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
  s[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
  int stride = 1;
  for (int active = kBlock; active > 0; active /= 2) {
    __syncthreads();
    if (t < active) s[stride * (2 * t + 2) - 1] += s[stride * (2 * t + 1) - 1];
    stride *= 2;
  }
  if (t == 0) {
    sums[blockIdx.x] = s[kChunk - 1];
    s[kChunk - 1] = 0;
  }
  for (int active = 1; active <= kBlock; active *= 2) {
    stride /= 2;
    __syncthreads();
    if (t < active) {
      const int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
      const unsigned value = s[left];
      s[left] = s[right];
      s[right] += value;
    }
  }
  __syncthreads();
  if (base + 2 * t < n) out[base + 2 * t] = s[2 * t];
  if (base + 2 * t + 1 < n) out[base + 2 * t + 1] = s[2 * t + 1];
}

__global__ void scan_add(unsigned* out, const unsigned* offsets, int n) {
  const unsigned offset = offsets[blockIdx.x];
  for (int i = blockIdx.x * kChunk + threadIdx.x; i < min((blockIdx.x + 1) * kChunk, n);
       i += kBlock)
    out[i] += offset;
}

static void scan(const unsigned* in, unsigned* out, int n) {
  const unsigned chunks = workload::blocks_for(n, kChunk);
  const workload::DeviceArray<unsigned> sums(chunks);
  scan_chunks<<<chunks, kBlock>>>(in, out, sums, n);
  if (chunks == 1) return;
  const workload::DeviceArray<unsigned> offsets(chunks);
  scan(sums, offsets, static_cast<int>(chunks));
  scan_add<<<chunks, kBlock>>>(out, offsets, n);
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 262144);
  workload::no_more_arguments(argc, argv, 1);
  workload::Random random(1);
  std::vector<unsigned> values(n), expected(n);
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    expected[i] = sum;
    values[i] = random.below(100);
    sum += values[i];
  }
  const workload::DeviceArray<unsigned> in(values), out(n);
  scan(in, out, n);
  workload::finish_kernels();
  workload::Verdict verdict;
  verdict.equal("prefix", out.download(), expected);
  return verdict.done();
}
