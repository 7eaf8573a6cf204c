// SPDX-License-Identifier: Apache-2.0
// similarity [vectors = 96] [length = 64]: the cosine similarity of every pair of vectors, a thread
// a pair.
//
// Stands for: SS (similarity score) of Mars.
// Memory: lanes read 32 different vectors in step, one word of each (un-coalesced, 32 lines a
// load), and come back to each line for 32 iterations (secondary misses); one vector is shared.
// In the papers: KI (docs/references.md).
// Measured (224 64): un-coalesced, primary-miss-predominant, type III.
#include "common/check.hpp"

__global__ void inverse_norms(const float* v, float* inverse, int vectors, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= vectors) return;
  float sum = 0.0f;
  for (int k = 0; k < length; ++k) sum += v[i * length + k] * v[i * length + k];
  inverse[i] = rsqrtf(sum);
}

__global__ void scores(const float* v, const float* inverse, float* out, int vectors, int length) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= vectors) return;
  float sum = 0.0f;
  for (int k = 0; k < length; ++k) sum += v[i * length + k] * v[j * length + k];
  out[i * vectors + j] = sum * inverse[i] * inverse[j];
}

int main(int argc, char** argv) {
  const int vectors = workload::size_argument(argc, argv, 1, 96, 1, 16384);
  const int length = workload::size_argument(argc, argv, 2, 64, 1, 16384);
  workload::no_more_arguments(argc, argv, 2);
  const auto v = workload::random_floats(std::size_t(vectors) * length, 1, 0.1f, 1.0f);
  const workload::DeviceArray<float> dv(v), dinverse(vectors);
  const workload::DeviceArray<float> dout(std::size_t(vectors) * vectors);

  constexpr unsigned kBlock = 64;
  const unsigned blocks = workload::blocks_for(vectors, kBlock);
  inverse_norms<<<blocks, kBlock>>>(dv, dinverse, vectors, length);
  scores<<<dim3(blocks, vectors), kBlock>>>(dv, dinverse, dout, vectors, length);
  workload::finish_kernels();

  std::vector<double> norm(vectors), expected(dout.size());
  const auto dot = [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < length; ++k)
      sum += double(v[std::size_t(i) * length + k]) * v[std::size_t(j) * length + k];
    return sum;
  };
  for (int i = 0; i < vectors; ++i) norm[i] = std::sqrt(dot(i, i));
  for (int i = 0; i < vectors; ++i)
    for (int j = 0; j < vectors; ++j)
      expected[std::size_t(i) * vectors + j] = dot(i, j) / (norm[i] * norm[j]);
  workload::Verdict verdict;
  verdict.close("score", dout.download(), expected, 1e-5);
  return verdict.done();
}
