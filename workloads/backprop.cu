// SPDX-License-Identifier: Apache-2.0
// backprop [inputs = 16384] [unshared = 0]: one training step of a layer with 16 hidden units.
//
// Stands for: Backprop of Rodinia.
// Memory: the weight matrix is streamed twice, rows of 17 words, half-warps in different rows
// (two to three lines a warp); partial sums in shared memory. Coalesced, primary misses.
// unshared 1: inputs and products in global memory (MR 5.6).
// In the papers: DL, GU, MR, BU (docs/references.md).
// Measured (131072): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"
#include "common/rows.hpp"

constexpr int kHidden = 16;
constexpr int kRow = kHidden + 1;  // weight 0 of a row belongs to the bias
constexpr int kInputsPerBlock = 16;
constexpr float kEta = 0.3f, kMomentum = 0.3f;

// Adds the rows of a block's products into the first.
template <class Products>
__device__ __forceinline__ void add_rows(Products&& product) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int half = kInputsPerBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (ty < half) product[ty][tx] += product[ty + half][tx];
  }
}

// Sums of 16 inputs times their weights, for each hidden unit.
__global__ void backprop_forward(const float* input, float* weights, float* partial) {
  __shared__ float x[kInputsPerBlock];
  __shared__ float product[kInputsPerBlock][kHidden];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.x * kInputsPerBlock + ty + 1;
  if (tx == 0) x[ty] = input[i];
  __syncthreads();
  product[ty][tx] = weights[i * kRow + tx + 1] * x[ty];
  add_rows(product);
  if (ty == 0) partial[blockIdx.x * kHidden + tx] = product[0][tx];
}

__global__ void backprop_forward_unshared(const float* input, const float* weights, float* products,
                                          float* partial) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.x * kInputsPerBlock + ty + 1;
  const Rows<float> product{products + blockIdx.x * kInputsPerBlock * kHidden, kHidden};
  product[ty][tx] = weights[i * kRow + tx + 1] * input[i];
  add_rows(product);
  if (ty == 0) partial[blockIdx.x * kHidden + tx] = product[0][tx];
}

__global__ void backprop_adjust(const float* delta, const float* input, float* weights,
                                float* old_change) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.x * kInputsPerBlock + ty + 1;
  const int at = i * kRow + tx + 1;
  const float change = kEta * delta[tx + 1] * input[i] + kMomentum * old_change[at];
  weights[at] += change;
  old_change[at] = change;
}

int main(int argc, char** argv) {
  const int inputs = (workload::size_argument(argc, argv, 1, 16384, 16, 1 << 24) + 15) / 16 * 16;
  const bool unshared = workload::size_argument(argc, argv, 2, 0, 0, 1) != 0;
  workload::no_more_arguments(argc, argv, 2);
  const auto input = workload::random_floats(inputs + 1, 1),
             weights = workload::random_floats(std::size_t(inputs + 1) * kRow, 2, -0.01f, 0.01f),
             change = workload::random_floats(std::size_t(inputs + 1) * kRow, 3, -0.01f, 0.01f),
             target = workload::random_floats(kHidden + 1, 4);
  const int blocks = inputs / kInputsPerBlock;
  const workload::DeviceArray<float> dx(input), dw(weights), dc(change),
      partial(std::size_t(blocks) * kHidden), delta(kHidden + 1),
      products(unshared ? std::size_t(inputs) * kHidden : 1);

  const dim3 block(kHidden, kInputsPerBlock);
  if (unshared)
    backprop_forward_unshared<<<blocks, block>>>(dx, dw, products, partial);
  else
    backprop_forward<<<blocks, block>>>(dx, dw, partial);
  // The host adds the blocks' sums and computes the error, as in the original.
  const auto sums = partial.download();
  std::vector<float> error(kHidden + 1), hidden(kHidden + 1);
  std::vector<double> exact(kHidden + 1);
  for (int h = 1; h <= kHidden; ++h) {
    float sum = weights[h];
    for (int b = 0; b < blocks; ++b) sum += sums[std::size_t(b) * kHidden + h - 1];
    hidden[h] = 1.0f / (1.0f + std::exp(-sum));
    error[h] = hidden[h] * (1.0f - hidden[h]) * (target[h] - hidden[h]);
    double reference = weights[h];
    for (int i = 1; i <= inputs; ++i)
      reference += double(weights[std::size_t(i) * kRow + h]) * input[i];
    exact[h] = 1.0 / (1.0 + std::exp(-reference));
  }
  CHECK_CUDA(cudaMemcpy(delta, error.data(), error.size() * sizeof(float), cudaMemcpyHostToDevice));
  backprop_adjust<<<blocks, block>>>(delta, dx, dw, dc);
  workload::finish_kernels();

  std::vector<double> expected(weights.begin(), weights.end());
  for (int i = 1; i <= inputs; ++i)
    for (int h = 1; h <= kHidden; ++h) {
      const std::size_t at = std::size_t(i) * kRow + h;
      expected[at] += double(kEta) * error[h] * input[i] + double(kMomentum) * change[at];
    }
  workload::Verdict verdict;
  verdict.close("hidden", hidden, exact, 1e-4);
  verdict.close("weights", dw.download(), expected, 1e-5);
  return verdict.done();
}
