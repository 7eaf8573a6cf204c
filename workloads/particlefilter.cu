// SPDX-License-Identifier: Apache-2.0
// particlefilter [particles = 2048] [frames = 4]: follows a bright disc through noisy frames with a
// particle filter: move and weigh, sum, normalise, resample.
//
// Stands for: Particle Filter of Rodinia (in double precision, as there).
// Memory: each particle writes the places of the 69 pixels around it to an array in global memory
// and reads them back from there (lanes are 276 B apart: un-coalesced), then the pixels
// (data-dependent, those of all frames interleaved); resampling searches the running sums from the
// front (all lanes read the same words, then diverge).
// In the papers: GU, BU (docs/references.md).
// Measured (1000 10): un-coalesced, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kWidth = 128;
constexpr int kRadius = 5;  // of the disc; pixels less than that from its centre belong to it
constexpr unsigned kBlock = 128;

struct Offset {
  int x, y;
};

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

/// Where the pixel at `offset` of (x, y) lies in a film of `frames` frames, in frame `frame`.
__host__ __device__ int place(double x, double y, const Offset& offset, int frames, int frame) {
  int px = int(x + 0.5) + offset.x, py = int(y + 0.5) + offset.y;
  px = px < 0 ? 0 : px >= kWidth ? kWidth - 1 : px;
  py = py < 0 ? 0 : py >= kWidth ? kWidth - 1 : py;
  return (px * kWidth + py) * frames + frame;
}

/// How much a pixel looks like the disc rather than the background (logarithm).
__host__ __device__ double resemblance(unsigned char pixel) {
  const double v = pixel;
  return ((v - 100.0) * (v - 100.0) - (v - 228.0) * (v - 228.0)) / 5000.0;
}

__global__ void particle_move(const unsigned char* film, const Offset* disc, int* places, double* x,
                              double* y, double* weight, unsigned* state, int points, int frames,
                              int frame, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= n) return;
  unsigned s = state[p];
  x[p] += 1.0 + 2.0 * draw_normal(s);
  y[p] += 0.5 + 2.0 * draw_normal(s);
  state[p] = s;
  for (int i = 0; i < points; ++i)
    places[p * points + i] = place(x[p], y[p], disc[i], frames, frame);
  double sum = 0.0;
  for (int i = 0; i < points; ++i) sum += resemblance(film[places[p * points + i]]);
  weight[p] *= exp(sum / points);
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

static std::vector<Offset> offsets_of_disc() {
  std::vector<Offset> disc;
  for (int y = 1 - kRadius; y < kRadius; ++y)
    for (int x = 1 - kRadius; x < kRadius; ++x)
      if (x * x + y * y < kRadius * kRadius) disc.push_back({x, y});
  return disc;
}

constexpr double kFirstX = 20, kFirstY = 24;
static double disc_x(int frame) { return kFirstX + frame + 1; }
static double disc_y(int frame) { return kFirstY + 0.5 * (frame + 1); }

static std::vector<unsigned char> noisy_film(int frames, workload::Random& random) {
  std::vector<unsigned char> film(std::size_t(kWidth) * kWidth * frames);
  for (int f = 0; f < frames; ++f)
    for (int px = 0; px < kWidth; ++px)
      for (int py = 0; py < kWidth; ++py) {
        const double dx = px - disc_x(f), dy = py - disc_y(f);
        const int mean = dx * dx + dy * dy < kRadius * kRadius ? 228 : 100;
        film[(px * kWidth + py) * frames + f] =
            static_cast<unsigned char>(mean + int(random.below(21)) - 10);
      }
  return film;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 2048, 1, 1 << 20);
  const int frames = workload::size_argument(argc, argv, 2, 4, 1, 24);
  workload::no_more_arguments(argc, argv, 2);
  workload::Random random(1);
  const std::vector<unsigned char> film = noisy_film(frames, random);
  const std::vector<Offset> disc = offsets_of_disc();
  const int points = static_cast<int>(disc.size());
  std::vector<double> x(n, kFirstX), y(n, kFirstY), weight(n, 1.0 / n);
  std::vector<unsigned> state(n);
  for (unsigned& s : state) s = random.next();
  const unsigned blocks = workload::blocks_for(n, kBlock);
  workload::DeviceArray<double> dx(x), dy(y), dweight(weight), partial(blocks), running(n), nx(n),
      ny(n);
  const workload::DeviceArray<unsigned> dstate(state);
  const workload::DeviceArray<unsigned char> dfilm(film);
  const workload::DeviceArray<Offset> ddisc(disc);
  const workload::DeviceArray<int> places(disc.size() * n);

  workload::Verdict verdict;
  for (int f = 0; f < frames; ++f) {
    const double start = random.unit() / n;
    particle_move<<<blocks, kBlock>>>(dfilm, ddisc, places, dx, dy, dweight, dstate, points, frames,
                                      f, n);
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
      double sum = 0.0;
      for (const Offset& offset : disc)
        sum += resemblance(film[place(x[p], y[p], offset, frames, f)]);
      weight[p] = std::exp(sum / points) / n;
      total += weight[p];
    }
    for (int p = 0; p < n; ++p) {
      weight[p] /= total;
      estimate_x += weight[p] * x[p];
    }
    verdict.close("x", got_x, x, 1e-12);
    verdict.close("weights", got_weight, weight, 1e-9, 1e-6);
    if (n >= 500) verdict.require(std::fabs(estimate_x - disc_x(f)) < 4, "the disc is lost");
    CHECK_CUDA(cudaMemcpy(dx, nx, n * sizeof(double), cudaMemcpyDeviceToDevice));
    CHECK_CUDA(cudaMemcpy(dy, ny, n * sizeof(double), cudaMemcpyDeviceToDevice));
    x = nx.download();
    y = ny.download();
  }
  workload::finish_kernels();
  return verdict.done();
}
