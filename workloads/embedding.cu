// SPDX-License-Identifier: Apache-2.0
// embedding [tokens = 2048] [words = 16384] [bag = 4]: rows of a table of 64 floats, one for each
// token, then the sum of the rows of each bag of tokens, as recommenders have it.
//
// Stands for: embedding lookup (a gather of rows) and embedding bags.
// Memory: a row is 256 bytes, read by 16 lanes of 16 bytes each, so that a warp touches two rows at
// random: four lines. Few words are frequent, which is the only reuse; the table is larger than
// caches when words are many.
// Measured (16384 65536): un-coalesced, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kDim = 64;
constexpr int kVector = 4;
constexpr int kLanes = kDim / kVector;  // of a row
constexpr int kThreads = 256;

__global__ void gather(const float4* table, const int* word, float4* out, int tokens) {
  const int at = blockIdx.x * kThreads + threadIdx.x;
  const int token = at / kLanes, lane = at % kLanes;
  if (token >= tokens) return;
  out[at] = table[size_t(word[token]) * kLanes + lane];
}

__global__ void sum_bags(const float4* table, const int* word, float4* out, int bags, int bag) {
  const int at = blockIdx.x * kThreads + threadIdx.x;
  const int which = at / kLanes, lane = at % kLanes;
  if (which >= bags) return;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int i = 0; i < bag; ++i) {
    const float4 row = table[size_t(word[which * bag + i]) * kLanes + lane];
    sum.x += row.x, sum.y += row.y, sum.z += row.z, sum.w += row.w;
  }
  out[at] = sum;
}

int main(int argc, char** argv) {
  const int tokens = workload::size_argument(argc, argv, 1, 2048, 1, 1 << 24);
  const int words = workload::size_argument(argc, argv, 2, 16384, 1, 1 << 22);
  const int bag = workload::size_argument(argc, argv, 3, 4, 1, tokens);
  workload::no_more_arguments(argc, argv, 3);
  const int bags = tokens / bag;
  workload::Random random(2);
  std::vector<int> word(tokens);
  // The product of two uniform numbers: low ones are frequent.
  for (int& w : word) w = static_cast<int>(random.unit() * random.unit() * words);
  const auto table = workload::random_floats(std::size_t(words) * kDim, 1, -1, 1);
  const workload::DeviceArray<float> dtable(table), rows(std::size_t(tokens) * kDim);
  const workload::DeviceArray<float> sums(std::size_t(bags) * kDim);
  const workload::DeviceArray<int> dword(word);
  const auto* const from = reinterpret_cast<const float4*>(dtable.get());
  gather<<<workload::blocks_for(std::size_t(tokens) * kLanes, kThreads), kThreads>>>(
      from, dword, reinterpret_cast<float4*>(rows.get()), tokens);
  sum_bags<<<workload::blocks_for(std::size_t(bags) * kLanes, kThreads), kThreads>>>(
      from, dword, reinterpret_cast<float4*>(sums.get()), bags, bag);
  workload::finish_kernels();

  std::vector<float> expected_rows(rows.size()), expected_sums(sums.size(), 0.0f);
  for (int t = 0; t < tokens; ++t)
    for (int c = 0; c < kDim; ++c) {
      const float v = table[std::size_t(word[t]) * kDim + c];
      expected_rows[std::size_t(t) * kDim + c] = v;
      if (t / bag < bags) expected_sums[std::size_t(t / bag) * kDim + c] += v;
    }
  workload::Verdict verdict;
  verdict.close("rows", rows.download(), expected_rows, 0);
  verdict.close("sums", sums.download(), expected_sums, 0);
  return verdict.done();
}
