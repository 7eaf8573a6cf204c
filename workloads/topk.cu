// SPDX-License-Identifier: Apache-2.0
// topk [rows = 16] [columns = 4096] [k = 32]: the k largest of each row and where they are, largest
// first; of equal ones the first. k is at most 256.
//
// Stands for: top-k of samplers and of routers between experts, by radix select.
// Memory: a block streams its row up to five times, four times to count the digits of candidates in
// shared memory with atomics, once to pick; the row stays in L1D or L2 if it fits. Then k values
// are sorted in shared memory.
// Measured (64 4096 32): coherent, primary-miss-predominant (no fails), type 0.
#include <algorithm>

#include "common/check.hpp"

constexpr int kThreads = 256;
constexpr int kDigits = 256, kBits = 8;
constexpr int kMost = 256;  // of k
static_assert(kThreads == kDigits && kThreads == kMost, "a thread is a digit, then a result");

/// Unsigned integers in the order of the floats.
__host__ __device__ inline unsigned ordered(unsigned bits) {
  return bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
}

/// The inclusive sum of `v` over the threads from this one up.
__device__ int sum_from_here(int v, int* scratch) {
  scratch[threadIdx.x] = v;
  __syncthreads();
  for (int away = 1; away < kThreads; away *= 2) {
    const int other = threadIdx.x + away < kThreads ? scratch[threadIdx.x + away] : 0;
    __syncthreads();
    scratch[threadIdx.x] += other;
    __syncthreads();
  }
  return scratch[threadIdx.x];
}

__global__ void __launch_bounds__(kThreads)
    topk(const float* in, float* best, int* where, int columns, int k) {
  __shared__ int count[kDigits], scratch[kThreads];
  __shared__ unsigned long long picked[kMost];
  __shared__ unsigned chosen_digit;
  __shared__ int wanted, larger, equals_before;
  const float* const row = in + size_t(blockIdx.x) * columns;

  // Digit by digit the key that is the k-th largest.
  unsigned prefix = 0, known = 0;
  if (threadIdx.x == 0) wanted = k, larger = 0, equals_before = 0;
  for (int shift = 32 - kBits; shift >= 0; shift -= kBits) {
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < columns; i += kThreads) {
      const unsigned key = ordered(__float_as_uint(row[i]));
      if ((key & known) == prefix) atomicAdd(&count[key >> shift & (kDigits - 1)], 1);
    }
    __syncthreads();
    const int from_here = sum_from_here(count[threadIdx.x], scratch), need = wanted;
    __syncthreads();
    if (from_here >= need && from_here - count[threadIdx.x] < need) {
      chosen_digit = threadIdx.x;
      wanted = need - (from_here - count[threadIdx.x]);
    }
    __syncthreads();
    prefix |= chosen_digit << shift;
    known |= unsigned(kDigits - 1) << shift;
  }

  // All that are larger, and of those that equal it the first ones that are wanted.
  const int ties = wanted;
  picked[threadIdx.x] = 0;
  __syncthreads();
  for (int begin = 0; begin < columns; begin += kThreads) {
    const int i = begin + threadIdx.x;
    const unsigned key = i < columns ? ordered(__float_as_uint(row[i])) : 0;
    const bool equal = i < columns && key == prefix;
    // Higher for larger keys, then for lower places; no entry of a row is 0.
    const auto entry = (unsigned long long)key << 32 | (0xffffffffu - unsigned(i));
    if (i < columns && key > prefix) picked[atomicAdd(&larger, 1)] = entry;
    const int before = equals_before;
    const int later = sum_from_here(equal, scratch);  // this one and those behind it
    const int all = scratch[0];
    if (equal && before + all - later < ties) picked[k - ties + before + all - later] = entry;
    __syncthreads();
    if (threadIdx.x == 0) equals_before = before + all;
    __syncthreads();
  }

  // A bitonic sort, largest first; places without a result hold 0 and end behind them.
  for (int size = 2; size <= kMost; size *= 2)
    for (int away = size / 2; away > 0; away /= 2) {
      const int other = threadIdx.x ^ away;
      if (other > int(threadIdx.x)) {
        const bool descending = (threadIdx.x & size) == 0;
        const auto a = picked[threadIdx.x], b = picked[other];
        if ((a < b) == descending) picked[threadIdx.x] = b, picked[other] = a;
      }
      __syncthreads();
    }
  if (int(threadIdx.x) < k) {
    const int at = static_cast<int>(0xffffffffu - unsigned(picked[threadIdx.x]));
    where[blockIdx.x * k + threadIdx.x] = at;
    best[blockIdx.x * k + threadIdx.x] = row[at];
  }
}

int main(int argc, char** argv) {
  const int rows = workload::size_argument(argc, argv, 1, 16, 1, 1 << 16);
  const int columns = workload::size_argument(argc, argv, 2, 4096, 1, 1 << 20);
  const int k =
      workload::size_argument(argc, argv, 3, std::min(32, columns), 1, std::min(kMost, columns));
  workload::no_more_arguments(argc, argv, 3);
  auto in = workload::random_floats(std::size_t(rows) * columns, 1, -4, 4);
  for (std::size_t i = 0; i < in.size(); i += 3) in[i] = std::floor(in[i] * 16) / 16;  // ties
  const workload::DeviceArray<float> din(in), best(std::size_t(rows) * k);
  const workload::DeviceArray<int> where(best.size());
  topk<<<rows, kThreads>>>(din, best, where, columns, k);
  workload::finish_kernels();

  std::vector<float> expected_best;
  std::vector<int> expected_where, order(columns);
  for (int r = 0; r < rows; ++r) {
    const float* const row = &in[std::size_t(r) * columns];
    for (int c = 0; c < columns; ++c) order[c] = c;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return row[a] > row[b]; });
    for (int i = 0; i < k; ++i) {
      expected_where.push_back(order[i]);
      expected_best.push_back(row[order[i]]);
    }
  }
  workload::Verdict verdict;
  verdict.close("best", best.download(), expected_best, 0);
  verdict.equal("where", where.download(), expected_where);
  return verdict.done();
}
