// SPDX-License-Identifier: Apache-2.0
// flashattention [heads = 2] [tokens = 128] [causal = 0]: O = softmax(Q K^T / sqrt(d)) V per head,
// for d = 64, without the matrix of scores in memory: its columns come in tiles, and each row keeps
// a running maximum and sum.
//
// Stands for: the forward pass of FlashAttention, as transformers use it.
// Memory: a block reads its 32 queries once and all keys and values of its head in tiles of 32 by
// loads of 16 bytes, so that K and V are read tokens / 32 times, by blocks that run together: reuse
// between SMs in L2. Scores stay in shared memory.
// Measured (4 224): un-coalesced, primary-miss-predominant (no fails), type 0.
#include "common/check.hpp"

constexpr int kDim = 64;
constexpr int kTile = 32;      // queries of a block, keys of a step
constexpr int kThreads = 128;  // four threads a query
constexpr int kParts = kThreads / kTile;
constexpr int kVector = 4;
constexpr int kMine = kDim / kParts;  // elements of the output for a thread
constexpr int kRow = kDim + kVector;  // rows begin at different banks
constexpr float kNone = -1e30f;       // the score of a key that a query does not see

__device__ void load_tile(float (*to)[kRow], const float* from, int first, int tokens) {
  constexpr int per_row = kDim / kVector;
  for (int i = threadIdx.x; i < kTile * per_row; i += kThreads) {
    const int r = i / per_row, c = i % per_row * kVector;
    float4 got = make_float4(0, 0, 0, 0);
    if (first + r < tokens)
      got = *reinterpret_cast<const float4*>(from + size_t(first + r) * kDim + c);
    *reinterpret_cast<float4*>(&to[r][c]) = got;
  }
}

__global__ void __launch_bounds__(kThreads)
    attention(const float* q, const float* k, const float* v, float* out, int tokens, int causal) {
  __shared__ __align__(16) float query[kTile][kRow], key[kTile][kRow], value[kTile][kRow];
  __shared__ float weight[kTile][kTile + 1];
  const size_t head = size_t(blockIdx.y) * tokens * kDim;
  const int first = blockIdx.x * kTile;
  const int row = threadIdx.x / kParts, part = threadIdx.x % kParts;
  const float scale = rsqrtf(float(kDim));

  load_tile(query, q + head, first, tokens);
  float sum[kMine] = {}, most = kNone, total = 0;
  const int end = causal ? min(tokens, first + kTile) : tokens;
  for (int begin = 0; begin < end; begin += kTile) {
    __syncthreads();  // the tiles before are used up
    load_tile(key, k + head, begin, tokens);
    load_tile(value, v + head, begin, tokens);
    __syncthreads();

    // The row's scores, kParts apart so that neighbours read different rows of keys.
    float score[kTile / kParts], here = most;
#pragma unroll
    for (int i = 0; i < kTile / kParts; ++i) {
      const int column = i * kParts + part;
      float dot = 0;
#pragma unroll
      for (int c = 0; c < kDim; c += kVector) {
        const float4 x = *reinterpret_cast<const float4*>(&query[row][c]);
        const float4 y = *reinterpret_cast<const float4*>(&key[column][c]);
        dot += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
      }
      const bool seen = begin + column < tokens && (!causal || begin + column <= first + row);
      score[i] = seen ? dot * scale : kNone;
      here = fmaxf(here, score[i]);
    }
    for (int away = kParts / 2; away > 0; away /= 2)
      here = fmaxf(here, __shfl_xor_sync(0xffffffff, here, away));

    // What was summed under the old maximum is scaled to the new one.
    const float correction = __expf(most - here);
    float added = 0;
#pragma unroll
    for (int i = 0; i < kTile / kParts; ++i) {
      const float w = score[i] == kNone ? 0.0f : __expf(score[i] - here);
      weight[row][i * kParts + part] = w;
      added += w;
    }
    for (int away = kParts / 2; away > 0; away /= 2)
      added += __shfl_xor_sync(0xffffffff, added, away);
    total = total * correction + added;
    most = here;
    __syncwarp();  // a row's four threads are of one warp
#pragma unroll
    for (int c = 0; c < kMine; ++c) sum[c] *= correction;
    for (int column = 0; column < kTile; ++column) {
      const float w = weight[row][column];
#pragma unroll
      for (int c = 0; c < kMine; ++c) sum[c] += w * value[column][c * kParts + part];
    }
  }
  if (first + row >= tokens) return;
  for (int c = 0; c < kMine; ++c)
    out[head + size_t(first + row) * kDim + c * kParts + part] = sum[c] / total;
}

static std::vector<double> reference(const std::vector<float>& q, const std::vector<float>& k,
                                     const std::vector<float>& v, int heads, int tokens,
                                     bool causal) {
  std::vector<double> out(q.size());
  std::vector<double> score(tokens);
  for (int h = 0; h < heads; ++h)
    for (int i = 0; i < tokens; ++i) {
      const std::size_t head = std::size_t(h) * tokens * kDim, row = head + std::size_t(i) * kDim;
      const int end = causal ? i + 1 : tokens;
      double most = -HUGE_VAL, total = 0;
      for (int j = 0; j < end; ++j) {
        score[j] = 0;
        for (int c = 0; c < kDim; ++c) score[j] += double(q[row + c]) * k[head + j * kDim + c];
        score[j] /= std::sqrt(double(kDim));
        most = std::fmax(most, score[j]);
      }
      for (int j = 0; j < end; ++j) total += score[j] = std::exp(score[j] - most);
      for (int j = 0; j < end; ++j)
        for (int c = 0; c < kDim; ++c) out[row + c] += score[j] / total * v[head + j * kDim + c];
    }
  return out;
}

int main(int argc, char** argv) {
  const int heads = workload::size_argument(argc, argv, 1, 2, 1, 1024);
  const int tokens = workload::size_argument(argc, argv, 2, 128, 1, 16384);
  const int causal = workload::size_argument(argc, argv, 3, 0, 0, 1);
  workload::no_more_arguments(argc, argv, 3);
  const std::size_t size = std::size_t(heads) * tokens * kDim;
  const auto q = workload::random_floats(size, 1, -1, 1);
  const auto k = workload::random_floats(size, 2, -1, 1);
  const auto v = workload::random_floats(size, 3, -1, 1);
  const workload::DeviceArray<float> dq(q), dk(k), dv(v), out(size);
  attention<<<dim3(workload::blocks_for(tokens, kTile), heads), kThreads>>>(dq, dk, dv, out, tokens,
                                                                            causal);
  workload::finish_kernels();

  workload::Verdict verdict;
  verdict.close("out", out.download(), reference(q, k, v, heads, tokens, causal != 0), 1e-4);
  return verdict.done();
}
