// SPDX-License-Identifier: Apache-2.0
// particlefilter [particles = 2048] [frames = 4]: follows a bright disc through noisy frames with a
// particle filter: move and weigh, sum, normalise, resample.
//
// Stands for: Particle Filter of Rodinia (in double precision, as there).
// Memory: each particle reads the pixels around its place (data-dependent, un-coalesced, hot
// lines); resampling searches the running sums from the front (all lanes read the same words, then
// diverge). Secondary misses and hits.
// In the papers: GU, BU (docs/references.md).
// Measured (6704 4): coherent, secondary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kWidth = 64;
constexpr int kRadius = 4;
constexpr unsigned kBlock = 128;

/// A number in (0, 1) and the next state of a linear congruential generator.
__host__ __device__ double draw(unsigned& state) {
  state = state * 1103515245u + 12345u;
  return ((state >> 8) + 0.5) * (1.0 / 16777216.0);
}

/// The sum of four: bell-shaped, deviation 1.
__host__ __device__ double draw_normal(unsigned& state) {
  double sum = -2.0;
  for (int i = 0; i < 4; ++i) sum += draw(state);
  return 1.7320508075688772 * sum;
}

/// Logarithm of how well the pixels around (x, y) look like the disc rather than the background.
__host__ __device__ double likelihood(const unsigned char* frame, double x, double y) {
  double sum = 0.0;
  int count = 0;
  for (int dy = -kRadius; dy <= kRadius; ++dy)
    for (int dx = -kRadius; dx <= kRadius; ++dx) {
      if (dx * dx + dy * dy > kRadius * kRadius) continue;
      int px = int(x + 0.5) + dx, py = int(y + 0.5) + dy;
      px = px < 0 ? 0 : px >= kWidth ? kWidth - 1 : px;
      py = py < 0 ? 0 : py >= kWidth ? kWidth - 1 : py;
      const double v = frame[py * kWidth + px];
      sum += ((v - 100.0) * (v - 100.0) - (v - 228.0) * (v - 228.0)) / 5000.0;
      ++count;
    }
  return sum / count;
}

__global__ void particle_move(const unsigned char* frame, double* x, double* y, double* weight,
                              unsigned* state, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= n) return;
  unsigned s = state[p];
  x[p] += 1.0 + 2.0 * draw_normal(s);
  y[p] += 0.5 + 2.0 * draw_normal(s);
  state[p] = s;
  weight[p] *= exp(likelihood(frame, x[p], y[p]));
}

__global__ void particle_sum(const double* weight, double* partial, int n) {
  __shared__ double s[kBlock];
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = p < n ? weight[p] : 0.0;
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

__global__ void particle_normalise(double* weight, const double* partial, int blocks, int n) {
  __shared__ double total;
  if (threadIdx.x == 0) {
    total = 0.0;
    for (int b = 0; b < blocks; ++b) total += partial[b];
  }
  __syncthreads();
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < n) weight[p] /= total;
}

// One thread adds up, as in the original.
__global__ void particle_accumulate(const double* weight, double* running, int n) {
  double sum = 0.0;
  for (int p = 0; p < n; ++p) running[p] = sum += weight[p];
}

__global__ void particle_resample(const double* running, const double* x, const double* y,
                                  double* new_x, double* new_y, double* weight, double start,
                                  int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= n) return;
  const double u = start + p * (1.0 / n);
  int found = n - 1;
  for (int k = 0; k < n; ++k)
    if (running[k] >= u) {
      found = k;
      break;
    }
  new_x[p] = x[found];
  new_y[p] = y[found];
  weight[p] = 1.0 / n;
}

static std::vector<unsigned char> picture(double x, double y, workload::Random& random) {
  std::vector<unsigned char> frame(kWidth * kWidth);
  for (int py = 0; py < kWidth; ++py)
    for (int px = 0; px < kWidth; ++px) {
      const bool disc = (px - x) * (px - x) + (py - y) * (py - y) <= kRadius * kRadius;
      frame[py * kWidth + px] =
          static_cast<unsigned char>((disc ? 228 : 100) + int(random.below(21)) - 10);
    }
  return frame;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 2048, 1, 1 << 20);
  const int frames = workload::size_argument(argc, argv, 2, 4, 1, 24);
  workload::Random random(1);
  const double first_x = 20, first_y = 24;
  std::vector<double> x(n, first_x), y(n, first_y), weight(n, 1.0 / n);
  std::vector<unsigned> state(n);
  for (unsigned& s : state) s = random.next();
  const unsigned blocks = workload::blocks_for(n, kBlock);
  workload::DeviceArray<double> dx(x), dy(y), dweight(weight), partial(blocks), running(n), nx(n),
      ny(n);
  const workload::DeviceArray<unsigned> dstate(state);
  workload::DeviceArray<unsigned char> dframe(kWidth * kWidth);

  workload::Verdict verdict;
  for (int f = 1; f <= frames; ++f) {
    const double true_x = first_x + f, true_y = first_y + 0.5 * f;
    const auto frame = picture(true_x, true_y, random);
    const double start = random.unit() / n;
    dframe.upload(frame);
    particle_move<<<blocks, kBlock>>>(dframe, dx, dy, dweight, dstate, n);
    particle_sum<<<blocks, kBlock>>>(dweight, partial, n);
    particle_normalise<<<blocks, kBlock>>>(dweight, partial, static_cast<int>(blocks), n);
    particle_accumulate<<<1, 1>>>(dweight, running, n);
    workload::finish_kernels();
    const auto got_x = dx.download(), got_weight = dweight.download();
    particle_resample<<<blocks, kBlock>>>(running, dx, dy, nx, ny, dweight, start, n);

    // The reference takes the device's particles of the frame before, so that a resampling decided
    // by the last bit of an exponential does not count as a difference.
    double total = 0, estimate_x = 0;
    for (int p = 0; p < n; ++p) {
      x[p] += 1.0 + 2.0 * draw_normal(state[p]);
      y[p] += 0.5 + 2.0 * draw_normal(state[p]);
      weight[p] = std::exp(likelihood(frame.data(), x[p], y[p])) / n;
      total += weight[p];
    }
    for (int p = 0; p < n; ++p) {
      weight[p] /= total;
      estimate_x += weight[p] * x[p];
    }
    verdict.close("x", got_x, x, 1e-12);
    verdict.close("weights", got_weight, weight, 1e-9, 1e-6);
    if (n >= 500) verdict.require(std::fabs(estimate_x - true_x) < 4, "the disc is lost");
    CHECK_CUDA(cudaMemcpy(dx, nx, n * sizeof(double), cudaMemcpyDeviceToDevice));
    CHECK_CUDA(cudaMemcpy(dy, ny, n * sizeof(double), cudaMemcpyDeviceToDevice));
    x = nx.download();
    y = ny.download();
  }
  workload::finish_kernels();
  return verdict.done();
}
