// SPDX-License-Identifier: Apache-2.0
// montecarlo [options = 16] [paths = 16384]: option prices by Monte Carlo over one array of normal
// samples, a block an option.
//
// Stands for: MonteCarlo of the CUDA SDK samples.
// Memory: every block streams the same samples (coalesced, shared through L2), exponentials
// between; a tree in shared memory. Primary misses.
// In the papers: KI (docs/references.md).
// Measured (8 1572864): coherent, primary-miss-predominant (no fails), type 0.
#include "common/check.hpp"

constexpr int kBlock = 256;
constexpr float kRate = 0.06f, kVolatility = 0.10f;

__global__ void montecarlo(const float* samples, const float* price, const float* strike,
                           const float* years, float* mean, int paths) {
  __shared__ float sum[kBlock];
  const int option = blockIdx.x;
  const float s = price[option], x = strike[option], t = years[option];
  const float drift = (kRate - 0.5f * kVolatility * kVolatility) * t;
  const float spread = kVolatility * sqrtf(t);
  float part = 0.0f;
  for (int i = threadIdx.x; i < paths; i += kBlock)
    part += fmaxf(s * expf(drift + spread * samples[i]) - x, 0.0f);
  sum[threadIdx.x] = part;
  for (int half = kBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sum[threadIdx.x] += sum[threadIdx.x + half];
  }
  if (threadIdx.x == 0) mean[option] = expf(-kRate * t) * sum[0] / paths;
}

int main(int argc, char** argv) {
  const int options = workload::size_argument(argc, argv, 1, 16, 1, 65535);
  const int paths = workload::size_argument(argc, argv, 2, 16384);
  workload::no_more_arguments(argc, argv, 2);
  std::vector<float> samples(paths);
  workload::Random random(4);
  for (float& v : samples) {  // sum of twelve uniform numbers
    v = -6.0f;
    for (int i = 0; i < 12; ++i) v += random.unit();
  }
  const auto price = workload::random_floats(options, 1, 5, 50),
             strike = workload::random_floats(options, 2, 10, 25),
             years = workload::random_floats(options, 3, 1, 5);
  const workload::DeviceArray<float> dn(samples), ds(price), dx(strike), dt(years), mean(options);

  montecarlo<<<options, kBlock>>>(dn, ds, dx, dt, mean, paths);
  workload::finish_kernels();

  std::vector<double> expected(options);
  for (int o = 0; o < options; ++o) {
    const double t = years[o], drift = (kRate - 0.5 * kVolatility * kVolatility) * t;
    for (float z : samples)
      expected[o] +=
          std::fmax(price[o] * std::exp(drift + kVolatility * std::sqrt(t) * z) - strike[o], 0.0);
    expected[o] *= std::exp(-kRate * t) / paths;
  }
  workload::Verdict verdict;
  verdict.close("price", mean.download(), expected, 1e-4);
  return verdict.done();
}
