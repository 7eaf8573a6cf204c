// SPDX-License-Identifier: Apache-2.0
// softmax [rows = 256] [columns = 512]: each row's softmax, a warp a row.
//
// Stands for: the softmax of neural networks over attention scores or a vocabulary.
// Memory: rows are read twice and written once by loads and stores of 16 bytes; the first pass
// keeps the maximum and the sum together, so that the second is the only reuse, within a warp and
// as far apart as a row is long. Columns are a multiple of 4.
// Measured (1024 1024): un-coalesced, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kThreads = 256;
constexpr int kVector = 4;
constexpr float kLeast = -1e30f;

/// A maximum and the sum of exponentials relative to it.
struct Running {
  float most, total;
};
__device__ Running joined(Running a, Running b) {
  const float most = fmaxf(a.most, b.most);
  return {most, a.total * __expf(a.most - most) + b.total * __expf(b.most - most)};
}

__global__ void softmax(const float* in, float* out, int rows, int columns) {
  const int row = (blockIdx.x * kThreads + threadIdx.x) / warpSize;
  const int lane = threadIdx.x % warpSize;
  if (row >= rows) return;
  const auto* const from = reinterpret_cast<const float4*>(in + size_t(row) * columns);
  auto* const to = reinterpret_cast<float4*>(out + size_t(row) * columns);
  const int vectors = columns / kVector;

  Running running{kLeast, 0};
  for (int i = lane; i < vectors; i += warpSize) {
    const float4 x = from[i];
    const float most = fmaxf(fmaxf(x.x, x.y), fmaxf(x.z, x.w));
    running = joined(running, {most, __expf(x.x - most) + __expf(x.y - most) + __expf(x.z - most) +
                                         __expf(x.w - most)});
  }
  for (int away = warpSize / 2; away > 0; away /= 2)
    running = joined(running, {__shfl_xor_sync(0xffffffff, running.most, away),
                               __shfl_xor_sync(0xffffffff, running.total, away)});
  const float factor = 1.0f / running.total;
  for (int i = lane; i < vectors; i += warpSize) {
    const float4 x = from[i];
    to[i] = make_float4(__expf(x.x - running.most) * factor, __expf(x.y - running.most) * factor,
                        __expf(x.z - running.most) * factor, __expf(x.w - running.most) * factor);
  }
}

int main(int argc, char** argv) {
  const int rows = workload::size_argument(argc, argv, 1, 256, 1, 1 << 20);
  const int columns = workload::size_argument(argc, argv, 2, 512, kVector, 1 << 16);
  workload::no_more_arguments(argc, argv, 2);
  if (columns % kVector != 0) {
    std::fprintf(stderr, "%s: %d columns; they are a multiple of %d\n", argv[0], columns, kVector);
    return 1;
  }
  const auto in = workload::random_floats(std::size_t(rows) * columns, 1, -8, 8);
  const workload::DeviceArray<float> din(in), out(in.size());
  softmax<<<workload::blocks_for(rows, kThreads / 32), kThreads>>>(din, out, rows, columns);
  workload::finish_kernels();

  std::vector<double> expected(in.size());
  for (int r = 0; r < rows; ++r) {
    const std::size_t row = std::size_t(r) * columns;
    double total = 0;  // exp(8) is no danger in double precision
    for (int c = 0; c < columns; ++c) total += std::exp(double(in[row + c]));
    for (int c = 0; c < columns; ++c) expected[row + c] = std::exp(double(in[row + c])) / total;
  }
  workload::Verdict verdict;
  verdict.close("out", out.download(), expected, 1e-4, 1e-6);
  return verdict.done();
}
