// SPDX-License-Identifier: Apache-2.0
// kvcache [sequences = 4] [tokens = 192] [steps = 2]: decoding. In each step a new key and value of
// every sequence and head go into a cache of pages of 16 tokens, and one query a head attends to
// all that the cache then holds. 4 heads of 64 elements.
//
// Stands for: the append to a paged KV cache and the attention of decoding, as servers of language
// models run them.
// Memory: the append scatters rows of 256 bytes to pages found in a table; the attention streams
// all keys and values of a sequence through that table, each once a step, a row by half a warp:
// bound by bandwidth, no reuse inside a step.
// Measured (16 256 2): un-coalesced, primary-miss-predominant, type 0.
#include <utility>

#include "common/check.hpp"

constexpr int kHeads = 4, kDim = 64;
constexpr int kVector = 4, kLanes = kDim / kVector;  // lanes of a row
constexpr int kPage = 16;                            // tokens
constexpr int kThreads = 128;
constexpr int kGroups = kThreads / kLanes;  // of lanes; each takes a token at a time
constexpr float kLeast = -1e30f;

/// Where a token's row of a head begins, in vectors: pages hold [head][token][dim].
__device__ size_t place(const int* pages, int token, int head) {
  return ((size_t(pages[token / kPage]) * kHeads + head) * kPage + token % kPage) * kLanes;
}

/// A block a sequence: kHeads * kLanes threads, each a vector of the new rows.
__global__ void append(const float4* key, const float4* value, float4* keys, float4* values,
                       const int* pages, const int* length, int pages_each) {
  const int sequence = blockIdx.x, head = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
  const size_t to = place(pages + sequence * pages_each, length[sequence], head) + lane;
  const size_t from = size_t(sequence) * kHeads * kLanes + threadIdx.x;
  keys[to] = key[from];
  values[to] = value[from];
}

__device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ void scale_and_add(float4& sum, float factor, float weight, float4 v) {
  sum.x = sum.x * factor + weight * v.x;
  sum.y = sum.y * factor + weight * v.y;
  sum.z = sum.z * factor + weight * v.z;
  sum.w = sum.w * factor + weight * v.w;
}

/// A block a head of a sequence. Groups of lanes take every kGroups-th token, each with its own
/// running maximum and sum; they are joined at the end.
__global__ void __launch_bounds__(kThreads)
    decode(const float4* query, const float4* keys, const float4* values, float4* out,
           const int* pages, const int* length, int pages_each) {
  __shared__ float most_of[kGroups], total_of[kGroups];
  __shared__ float4 sum_of[kGroups][kLanes];
  const int head = blockIdx.x, sequence = blockIdx.y;
  const int group = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
  const size_t row = (size_t(sequence) * kHeads + head) * kLanes + lane;
  const int tokens = length[sequence] + 1;  // the new one is in the cache
  const int* const mine = pages + sequence * pages_each;
  const float4 q = query[row];

  float most = kLeast, total = 0;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int first = 0; first < tokens; first += kGroups) {  // the same for all lanes of a warp
    const int token = min(first + group, tokens - 1);
    const size_t at = place(mine, token, head) + lane;
    const float4 k = keys[at], v = values[at];
    float score = dot(q, k) * rsqrtf(float(kDim));
    for (int away = kLanes / 2; away > 0; away /= 2)
      score += __shfl_xor_sync(0xffffffff, score, away);
    if (first + group >= tokens) continue;
    const float higher = fmaxf(most, score);
    const float factor = __expf(most - higher), weight = __expf(score - higher);
    scale_and_add(sum, factor, weight, v);
    total = total * factor + weight;
    most = higher;
  }
  sum_of[group][lane] = sum;
  if (lane == 0) most_of[group] = most, total_of[group] = total;
  __syncthreads();
  if (group != 0) return;
  for (int g = 0; g < kGroups; ++g) most = fmaxf(most, most_of[g]);
  total = 0;
  sum = make_float4(0, 0, 0, 0);
  for (int g = 0; g < kGroups; ++g) {
    const float weight = __expf(most_of[g] - most);
    scale_and_add(sum, 1, weight, sum_of[g][lane]);
    total += weight * total_of[g];
  }
  out[row] = make_float4(sum.x / total, sum.y / total, sum.z / total, sum.w / total);
}

__global__ void lengthen(int* length, int sequences) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < sequences) ++length[i];
}

/// The rows of one head of one sequence, oldest first, attended to by one query.
static void attend(const float* query, const std::vector<const float*>& keys,
                   const std::vector<const float*>& values, double* out) {
  std::vector<double> score(keys.size(), 0.0);
  double total = 0;
  for (std::size_t t = 0; t < keys.size(); ++t) {
    for (int c = 0; c < kDim; ++c) score[t] += double(query[c]) * keys[t][c];
    total += score[t] = std::exp(score[t] / std::sqrt(double(kDim)));
  }
  for (int c = 0; c < kDim; ++c) {
    out[c] = 0;
    for (std::size_t t = 0; t < keys.size(); ++t) out[c] += score[t] / total * values[t][c];
  }
}

int main(int argc, char** argv) {
  const int sequences = workload::size_argument(argc, argv, 1, 4, 1, 4096);
  const int tokens = workload::size_argument(argc, argv, 2, 192, 1, 1 << 16);
  const int steps = workload::size_argument(argc, argv, 3, 2, 1, 64);
  workload::no_more_arguments(argc, argv, 3);
  const int row = kHeads * kDim;  // of all heads of a token
  const int pages_each = (tokens + steps + kPage - 1) / kPage;
  const int pages = sequences * pages_each;

  // Sequences have from half of `tokens` to all of them, on pages in random order.
  workload::Random random(4);
  std::vector<int> length(sequences), page(pages);
  for (int& l : length) l = tokens - static_cast<int>(random.below(tokens / 2 + 1));
  for (int p = 0; p < pages; ++p) page[p] = p;
  for (int p = pages - 1; p > 0; --p) std::swap(page[p], page[random.below(p + 1)]);
  const std::size_t held = std::size_t(pages) * kPage * row;
  const auto keys = workload::random_floats(held, 1, -1, 1);
  const auto values = workload::random_floats(held, 2, -1, 1);

  const workload::DeviceArray<float> dkeys(keys), dvalues(values);
  const workload::DeviceArray<int> dpage(page), dlength(length);
  const std::size_t made = std::size_t(sequences) * row;
  workload::DeviceArray<float> query(made), key(made), value(made), out(made);
  const auto vectors = [](const workload::DeviceArray<float>& a) {
    return reinterpret_cast<float4*>(a.get());
  };
  const auto at = [&](const std::vector<float>& cache, int sequence, int token, int head) {
    const std::size_t p = page[sequence * pages_each + token / kPage];
    return &cache[((p * kHeads + head) * kPage + token % kPage) * kDim];
  };

  workload::Verdict verdict;
  std::vector<std::vector<float>> new_keys, new_values;  // of each step
  for (int step = 0; step < steps; ++step) {
    const auto queries = workload::random_floats(made, 10 + 3 * step, -1, 1);
    new_keys.push_back(workload::random_floats(made, 11 + 3 * step, -1, 1));
    new_values.push_back(workload::random_floats(made, 12 + 3 * step, -1, 1));
    query.upload(queries), key.upload(new_keys.back()), value.upload(new_values.back());
    append<<<sequences, kHeads * kLanes>>>(vectors(key), vectors(value), vectors(dkeys),
                                           vectors(dvalues), dpage, dlength, pages_each);
    decode<<<dim3(kHeads, sequences), kThreads>>>(vectors(query), vectors(dkeys), vectors(dvalues),
                                                  vectors(out), dpage, dlength, pages_each);
    lengthen<<<workload::blocks_for(sequences, kThreads), kThreads>>>(dlength, sequences);
    workload::finish_kernels();

    std::vector<double> expected(made);
    for (int s = 0; s < sequences; ++s)
      for (int h = 0; h < kHeads; ++h) {
        const std::size_t mine = std::size_t(s) * row + h * kDim;
        std::vector<const float*> k, v;
        for (int t = 0; t < length[s]; ++t) {
          k.push_back(at(keys, s, t, h));
          v.push_back(at(values, s, t, h));
        }
        for (int past = 0; past <= step; ++past) {
          k.push_back(&new_keys[past][mine]);
          v.push_back(&new_values[past][mine]);
        }
        attend(&queries[mine], k, v, &expected[mine]);
      }
    verdict.close("out", out.download(), expected, 1e-4);
  }
  return verdict.done();
}
