// SPDX-License-Identifier: Apache-2.0
// layernorm [rows = 256] [columns = 768]: each row minus its mean, over its standard deviation,
// times gamma plus beta; a block a row.
//
// Stands for: the layer normalisation of transformers.
// Memory: a row is read once by loads of 16 bytes, held in registers, and written once; gamma and
// beta are read by every block: a stream past two rows that stay in L1D. Two sums over the block,
// by shuffles and through shared memory. Columns are a multiple of 4, at most 4096.
// Measured (1024 768): un-coalesced, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / 32;
constexpr int kVector = 4;
constexpr int kHeld = 8;  // vectors of a row that a thread holds
constexpr int kMostColumns = kThreads * kVector * kHeld;
constexpr float kEpsilon = 1e-5f;

__device__ float sum_of_block(float v, float* partial) {
  for (int away = 16; away > 0; away /= 2) v += __shfl_xor_sync(0xffffffff, v, away);
  __syncthreads();  // the sum before has been read
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  float sum = 0;
  for (int w = 0; w < kWarps; ++w) sum += partial[w];
  return sum;
}

__global__ void __launch_bounds__(kThreads)
    layernorm(const float* in, const float4* gamma, const float4* beta, float* out, int columns) {
  __shared__ float partial[kWarps];
  const auto* const from = reinterpret_cast<const float4*>(in + size_t(blockIdx.x) * columns);
  auto* const to = reinterpret_cast<float4*>(out + size_t(blockIdx.x) * columns);
  const int vectors = columns / kVector;

  float4 held[kHeld];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int at = i * kThreads + threadIdx.x;
    if (at >= vectors) continue;
    held[i] = from[at];
    sum += held[i].x + held[i].y + held[i].z + held[i].w;
  }
  const float mean = sum_of_block(sum, partial) / columns;
  float squares = 0;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (i * kThreads + int(threadIdx.x) >= vectors) continue;
    held[i].x -= mean, held[i].y -= mean, held[i].z -= mean, held[i].w -= mean;
    squares += held[i].x * held[i].x + held[i].y * held[i].y + held[i].z * held[i].z +
               held[i].w * held[i].w;
  }
  const float factor = rsqrtf(sum_of_block(squares, partial) / columns + kEpsilon);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int at = i * kThreads + threadIdx.x;
    if (at >= vectors) continue;
    const float4 g = gamma[at], b = beta[at];
    to[at] = make_float4(held[i].x * factor * g.x + b.x, held[i].y * factor * g.y + b.y,
                         held[i].z * factor * g.z + b.z, held[i].w * factor * g.w + b.w);
  }
}

int main(int argc, char** argv) {
  const int rows = workload::size_argument(argc, argv, 1, 256, 1, 1 << 20);
  const int columns = workload::size_argument(argc, argv, 2, 768, kVector, kMostColumns);
  workload::no_more_arguments(argc, argv, 2);
  if (columns % kVector != 0) {
    std::fprintf(stderr, "%s: %d columns; they are a multiple of %d\n", argv[0], columns, kVector);
    return 1;
  }
  const auto in = workload::random_floats(std::size_t(rows) * columns, 1, -3, 5);
  const auto gamma = workload::random_floats(columns, 2, 0.5f, 2);
  const auto beta = workload::random_floats(columns, 3, -1, 1);
  const workload::DeviceArray<float> din(in), dgamma(gamma), dbeta(beta), out(in.size());
  layernorm<<<rows, kThreads>>>(din, reinterpret_cast<const float4*>(dgamma.get()),
                                reinterpret_cast<const float4*>(dbeta.get()), out, columns);
  workload::finish_kernels();

  std::vector<double> expected(in.size());
  for (int r = 0; r < rows; ++r) {
    const float* const x = &in[std::size_t(r) * columns];
    double mean = 0, variance = 0;
    for (int c = 0; c < columns; ++c) mean += double(x[c]) / columns;
    for (int c = 0; c < columns; ++c) variance += (x[c] - mean) * (x[c] - mean) / columns;
    for (int c = 0; c < columns; ++c)
      expected[std::size_t(r) * columns + c] =
          (x[c] - mean) / std::sqrt(variance + double(kEpsilon)) * gamma[c] + beta[c];
  }
  workload::Verdict verdict;
  verdict.close("out", out.download(), expected, 1e-4);
  return verdict.done();
}
