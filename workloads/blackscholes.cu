// SPDX-License-Identifier: Apache-2.0
// blackscholes [options = 65536] [repeats = 2] [blocks = options / 256]: prices of European
// options; 480 blocks in the samples of KI's time, so that a thread goes on to many options.
//
// Stands for: BlackScholes of the CUDA SDK samples.
// Memory: three input and two output streams, coalesced, no reuse within a launch; the arithmetic
// between them hides much of it. Primary misses.
// In the papers: DL, KI (docs/references.md).
// Measured (786432 2): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr float kRate = 0.02f, kVolatility = 0.30f;

/// The normal distribution function by Abramowitz and Stegun 26.2.17.
__device__ float normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float tail =
      0.39894228f * __expf(-0.5f * d * d) *
      (k * (0.31938153f +
            k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

__global__ void blackscholes(const float* price, const float* strike, const float* years,
                             float* call, float* put, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const float s = price[i], x = strike[i], t = years[i];
    const float root = sqrtf(t);
    const float d1 =
        (__logf(s / x) + (kRate + 0.5f * kVolatility * kVolatility) * t) / (kVolatility * root);
    const float d2 = d1 - kVolatility * root;
    const float discount = __expf(-kRate * t);
    const float c = s * normal(d1) - x * discount * normal(d2);
    call[i] = c;
    put[i] = c + x * discount - s;
  }
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 65536);
  const int repeats = workload::size_argument(argc, argv, 2, 2);
  const int blocks = workload::size_argument(argc, argv, 3, workload::blocks_for(n, 256));
  workload::no_more_arguments(argc, argv, 3);
  const auto price = workload::random_floats(n, 1, 5, 30),
             strike = workload::random_floats(n, 2, 1, 100),
             years = workload::random_floats(n, 3, 0.25f, 10);
  const workload::DeviceArray<float> ds(price), dx(strike), dt(years), call(n), put(n);

  for (int r = 0; r < repeats; ++r) blackscholes<<<blocks, 128>>>(ds, dx, dt, call, put, n);
  workload::finish_kernels();

  std::vector<double> expected_call(n), expected_put(n);
  for (int i = 0; i < n; ++i) {
    const double s = price[i], x = strike[i], t = years[i], v = kVolatility;
    const double d1 = (std::log(s / x) + (kRate + 0.5 * v * v) * t) / (v * std::sqrt(t));
    const double d2 = d1 - v * std::sqrt(t), discount = std::exp(-kRate * t);
    const auto cdf = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
    expected_call[i] = s * cdf(d1) - x * discount * cdf(d2);
    expected_put[i] = expected_call[i] + x * discount - s;
  }
  workload::Verdict verdict;
  verdict.close("call", call.download(), expected_call, 1e-4);
  verdict.close("put", put.download(), expected_put, 1e-4);
  return verdict.done();
}
