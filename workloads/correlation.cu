// SPDX-License-Identifier: Apache-2.0
// correlation [n = 256] [m = n]: the correlation matrix of m variables with n samples each.
//
// Stands for: CORR of PolyBench/GPU.
// Memory: mean and deviation walk columns (coalesced); the last kernel gives each thread a variable
// and walks triangles of the matrix, with few warps and long loops.
// In the papers: GU (docs/references.md).
// Measured (320): coherent, secondary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr float kEpsilon = 0.005f;  // smaller deviations count as 1

__global__ void mean_of(const float* data, float* mean, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= m) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += data[i * m + j];
  mean[j] = sum / n;
}

__global__ void deviation_of(const float* data, const float* mean, float* deviation, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= m) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) {
    const float d = data[i * m + j] - mean[j];
    sum += d * d;
  }
  const float s = sqrtf(sum / n);
  deviation[j] = s <= kEpsilon ? 1.0f : s;
}

__global__ void normalise(float* data, const float* mean, const float* deviation, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= m) return;
  data[i * m + j] = (data[i * m + j] - mean[j]) / (sqrtf(float(n)) * deviation[j]);
}

__global__ void correlate(const float* data, float* out, int n, int m) {
  const int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 >= m) return;
  out[j1 * m + j1] = 1.0f;
  for (int j2 = j1 + 1; j2 < m; ++j2) {
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += data[i * m + j1] * data[i * m + j2];
    out[j1 * m + j2] = sum;
    out[j2 * m + j1] = sum;
  }
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 256, 2, 4096);
  const int m = workload::size_argument(argc, argv, 2, n, 1, 4096);
  workload::no_more_arguments(argc, argv, 2);
  const auto data = workload::random_floats(std::size_t(n) * m, 1);
  const workload::DeviceArray<float> ddata(data), dmean(m), ddeviation(m);
  const workload::DeviceArray<float> dout(std::size_t(m) * m);

  constexpr unsigned kBlock = 256;
  const unsigned columns = workload::blocks_for(m, kBlock);
  const dim3 block(32, 8);
  const dim3 grid(workload::blocks_for(m, block.x), workload::blocks_for(n, block.y));
  mean_of<<<columns, kBlock>>>(ddata, dmean, n, m);
  deviation_of<<<columns, kBlock>>>(ddata, dmean, ddeviation, n, m);
  normalise<<<grid, block>>>(ddata, dmean, ddeviation, n, m);
  correlate<<<columns, kBlock>>>(ddata, dout, n, m);
  workload::finish_kernels();

  std::vector<double> z(data.begin(), data.end()), expected(std::size_t(m) * m);
  for (int j = 0; j < m; ++j) {
    double mean = 0, square = 0;
    for (int i = 0; i < n; ++i) mean += z[std::size_t(i) * m + j] / n;
    for (int i = 0; i < n; ++i) square += std::pow(z[std::size_t(i) * m + j] - mean, 2) / n;
    const double s = std::sqrt(square);
    for (int i = 0; i < n; ++i) {
      double& v = z[std::size_t(i) * m + j];
      v = (v - mean) / (std::sqrt(double(n)) * (s <= kEpsilon ? 1.0 : s));
    }
  }
  for (int j1 = 0; j1 < m; ++j1)
    for (int j2 = j1; j2 < m; ++j2) {
      double sum = j1 == j2 ? 1.0 : 0.0;
      for (int i = 0; j1 != j2 && i < n; ++i)
        sum += z[std::size_t(i) * m + j1] * z[std::size_t(i) * m + j2];
      expected[std::size_t(j1) * m + j2] = expected[std::size_t(j2) * m + j1] = sum;
    }
  workload::Verdict verdict;
  verdict.close("correlation", dout.download(), expected, 1e-3);
  return verdict.done();
}
