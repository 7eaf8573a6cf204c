// SPDX-License-Identifier: Apache-2.0
// srad_v1 [rows = 502] [columns = 458] [steps = 1]: speckle-reducing anisotropic diffusion of an
// image that is stored column after column, a thread a pixel, without shared memory but for the
// reduction. Two kernels make the image and its picture, four a step: squares, their sums (one
// launch for each factor of 512), coefficients, update.
//
// Stands for: SRAD (v1) of Rodinia.
// Memory: neighbours of a pixel come from global memory, in the same columns (other lanes of the
// warp and the next lines) and in the columns beside it (other warps, 500 pixels away); rows and
// columns beside each other are looked up in four arrays of indices. Hits between warps.
// In the papers: KI (docs/references.md).
// Measured (502 458): coherent, primary-miss-predominant, type 0.
#include <algorithm>

#include "common/check.hpp"

constexpr int kBlock = 512;
constexpr float kLambda = 0.5f;

__global__ void srad1_extract(float* image, int pixels) {
  const int at = blockIdx.x * kBlock + threadIdx.x;
  if (at < pixels) image[at] = expf(image[at] / 255.0f);
}

__global__ void srad1_prepare(const float* image, float* sums, float* squares, int pixels) {
  const int at = blockIdx.x * kBlock + threadIdx.x;
  if (at >= pixels) return;
  sums[at] = image[at];
  squares[at] = image[at] * image[at];
}

// Each block adds up 512 values that are `apart` elements apart, and leaves their sum at the first.
__global__ void srad1_reduce(float* sums, float* squares, int values, int apart) {
  __shared__ float sum[kBlock], square[kBlock];
  const int i = threadIdx.x, value = blockIdx.x * kBlock + i;
  sum[i] = value < values ? sums[value * apart] : 0.0f;
  square[i] = value < values ? squares[value * apart] : 0.0f;
  for (int half = kBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (i < half) {
      sum[i] += sum[i + half];
      square[i] += square[i + half];
    }
  }
  if (i == 0) {
    sums[value * apart] = sum[0];
    squares[value * apart] = square[0];
  }
}

// The pixels beside a row or column; at an edge it is its own neighbour.
struct Beside {
  const int *north, *south, *west, *east;
};

struct Derivatives {
  float *north, *south, *west, *east;
};

__host__ __device__ float coefficient_of(float c, float n, float s, float w, float e, float q0) {
  const float g2 = (n * n + s * s + w * w + e * e) / (c * c);
  const float l = (n + s + w + e) / c;
  const float denominator = 1.0f + 0.25f * l;
  const float q = (0.5f * g2 - (1.0f / 16.0f) * (l * l)) / (denominator * denominator);
  const float k = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
  return k < 0.0f ? 0.0f : k > 1.0f ? 1.0f : k;
}

__global__ void srad1_coefficients(const float* image, Beside beside, Derivatives d,
                                   float* coefficient, int rows, int columns, float q0) {
  const int at = blockIdx.x * kBlock + threadIdx.x;
  if (at >= rows * columns) return;
  const int row = at % rows, column = at / rows;
  const float c = image[at];
  const float n = image[beside.north[row] + rows * column] - c;
  const float s = image[beside.south[row] + rows * column] - c;
  const float w = image[row + rows * beside.west[column]] - c;
  const float e = image[row + rows * beside.east[column]] - c;
  d.north[at] = n;
  d.south[at] = s;
  d.west[at] = w;
  d.east[at] = e;
  coefficient[at] = coefficient_of(c, n, s, w, e, q0);
}

__global__ void srad1_update(float* image, Beside beside, Derivatives d, const float* coefficient,
                             int rows, int columns) {
  const int at = blockIdx.x * kBlock + threadIdx.x;
  if (at >= rows * columns) return;
  const int row = at % rows, column = at / rows;
  const float here = coefficient[at];
  const float south = coefficient[beside.south[row] + rows * column];
  const float east = coefficient[row + rows * beside.east[column]];
  const float divergence =
      here * d.north[at] + south * d.south[at] + here * d.west[at] + east * d.east[at];
  image[at] += 0.25f * kLambda * divergence;
}

__global__ void srad1_compress(float* image, int pixels) {
  const int at = blockIdx.x * kBlock + threadIdx.x;
  if (at < pixels) image[at] = logf(image[at]) * 255.0f;
}

// What the variance of the whole image, relative to its mean, says of the noise.
float noise_of(double sum, double squares, double pixels) {
  const double mean = sum / pixels;
  return static_cast<float>((squares / pixels - mean * mean) / (mean * mean));
}

std::vector<int> neighbours(int count, int step) {
  std::vector<int> all(count);
  for (int i = 0; i < count; ++i) all[i] = std::min(std::max(i + step, 0), count - 1);
  return all;
}

int main(int argc, char** argv) {
  const int rows = workload::size_argument(argc, argv, 1, 502, 2, 8192);
  const int columns = workload::size_argument(argc, argv, 2, 458, 2, 8192);
  const int steps = workload::size_argument(argc, argv, 3, 1, 1, 100);
  workload::no_more_arguments(argc, argv, 3);
  const int pixels = rows * columns;
  const auto picture = workload::random_floats(pixels, 1, 0, 255);
  const std::vector<int> north = neighbours(rows, -1), south = neighbours(rows, 1),
                         west = neighbours(columns, -1), east = neighbours(columns, 1);
  const workload::DeviceArray<int> dn(north), ds(south), dw(west), de(east);
  const Beside beside{dn, ds, dw, de};
  const workload::DeviceArray<float> image(picture), sums(pixels), squares(pixels),
      to_north(pixels), to_south(pixels), to_west(pixels), to_east(pixels), coefficient(pixels);
  const Derivatives derivatives{to_north, to_south, to_west, to_east};
  const unsigned blocks = workload::blocks_for(pixels, kBlock);

  srad1_extract<<<blocks, kBlock>>>(image, pixels);
  for (int step = 0; step < steps; ++step) {
    srad1_prepare<<<blocks, kBlock>>>(image, sums, squares, pixels);
    int apart = 1;
    for (int values = pixels; values > 1; values = workload::blocks_for(values, kBlock)) {
      srad1_reduce<<<workload::blocks_for(values, kBlock), kBlock>>>(sums, squares, values, apart);
      apart *= kBlock;
    }
    float sum, square;
    CHECK_CUDA(cudaMemcpy(&sum, sums, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaMemcpy(&square, squares, sizeof square, cudaMemcpyDeviceToHost));
    const float q0 = noise_of(sum, square, pixels);
    srad1_coefficients<<<blocks, kBlock>>>(image, beside, derivatives, coefficient, rows, columns,
                                           q0);
    srad1_update<<<blocks, kBlock>>>(image, beside, derivatives, coefficient, rows, columns);
  }
  srad1_compress<<<blocks, kBlock>>>(image, pixels);
  workload::finish_kernels();

  std::vector<float> now(pixels), next(pixels), k(pixels);
  for (int at = 0; at < pixels; ++at) now[at] = std::exp(picture[at] / 255.0f);
  for (int step = 0; step < steps; ++step) {
    double sum = 0, square = 0;
    for (const float v : now) {
      sum += v;
      square += double(v) * v;
    }
    const float q0 = noise_of(sum, square, pixels);
    const auto difference = [&](int at, int row, int column) {
      return now[row + rows * column] - now[at];
    };
    for (int at = 0; at < pixels; ++at) {
      const int row = at % rows, column = at / rows;
      k[at] = coefficient_of(now[at], difference(at, north[row], column),
                             difference(at, south[row], column), difference(at, row, west[column]),
                             difference(at, row, east[column]), q0);
    }
    for (int at = 0; at < pixels; ++at) {
      const int row = at % rows, column = at / rows;
      next[at] = now[at] + 0.25f * kLambda *
                               (k[at] * difference(at, north[row], column) +
                                k[south[row] + rows * column] * difference(at, south[row], column) +
                                k[at] * difference(at, row, west[column]) +
                                k[row + rows * east[column]] * difference(at, row, east[column]));
    }
    now.swap(next);
  }
  for (float& v : now) v = std::log(v) * 255.0f;
  workload::Verdict verdict;
  verdict.close("image", image.download(), now, 1e-3);
  return verdict.done();
}
