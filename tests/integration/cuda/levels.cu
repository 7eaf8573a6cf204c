// SPDX-License-Identifier: Apache-2.0
// Mipmapped arrays: levels that a fetch names or that gradients ask for, nearest and blended, with
// a bias and limits, in functions and in instructions; and surfaces read and written by
// instructions.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "common/check.hpp"

constexpr int kWidth = 16, kHeight = 8, kLevels = 4, kFetches = 64;

struct Fetch {
  float x, y, level;
};

__global__ void by_level(cudaTextureObject_t texture, const Fetch* at, float* out) {
  const Fetch f = at[threadIdx.x];
  float* const mine = out + 4 * threadIdx.x;
  mine[0] = tex2DLod<float>(texture, f.x, f.y, f.level);
  mine[1] = tex2D<float>(texture, f.x, f.y);
  // One texel of the first level in x, two to the power of the level in all.
  const float step = exp2f(f.level) / kWidth;
  mine[2] =
      tex2DGrad<float>(texture, f.x, f.y, make_float2(step, 0), make_float2(0, 0.25f / kHeight));
  float v[4] = {};
#if defined(__CUDA_ARCH__)
  asm volatile("tex.level.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;"
               : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
               : "l"(texture), "f"(f.x), "f"(f.y), "f"(f.level));
#endif
  mine[3] = v[0];
}

__global__ void by_instruction(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = threadIdx.x, y = threadIdx.y;
#if defined(__CUDA_ARCH__)
  unsigned value;
  asm volatile("suld.b.2d.b32.trap {%0}, [%1, {%2, %3}];"
               : "=r"(value)
               : "l"(from), "r"(4 * x), "r"(y));
  asm volatile("sust.b.2d.b32.zero [%0, {%1, %2}], {%3};" ::"l"(to), "r"(4 * (x + 1)), "r"(y),
               "r"(value + 1)
               : "memory");
#endif
}

template <class T>
T limited(T value, T least, T most) {
  return std::min(std::max(value, least), most);
}

/// Texel (x, y) of a level.
float texel(int level, int x, int y) { return 1000.0f * level + 20.0f * y + x; }

/// A linear fetch of one level, clamped.
double sample(int level, double x, double y) {
  const int w = kWidth >> level, h = std::max(kHeight >> level, 1);
  const double u = float(x) * w - 0.5, v = float(y) * h - 0.5;
  const int i = int(std::floor(u)), j = int(std::floor(v));
  const double a = std::nearbyint((u - i) * 256) / 256, b = std::nearbyint((v - j) * 256) / 256;
  const auto at = [&](int p, int q) {
    return double(texel(level, limited(p, 0, w - 1), limited(q, 0, h - 1)));
  };
  return (at(i, j) * (1 - a) + at(i + 1, j) * a) * (1 - b) +
         (at(i, j + 1) * (1 - a) + at(i + 1, j + 1) * a) * b;
}

double expected(const Fetch& f, double level, bool blended, const cudaTextureDesc& d) {
  level = limited(level + d.mipmapLevelBias, double(d.minMipmapLevelClamp),
                  double(d.maxMipmapLevelClamp));
  level = limited(level, 0.0, kLevels - 1.0);
  if (!blended) return sample(int(std::floor(level + 0.5)), f.x, f.y);
  const int lower = int(level);
  const double w = std::nearbyint((level - lower) * 256) / 256;
  return sample(lower, f.x, f.y) * (1 - w) + sample(std::min(lower + 1, kLevels - 1), f.x, f.y) * w;
}

cudaMipmappedArray_t make_levels() {
  const cudaChannelFormatDesc of_float = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t levels = nullptr;
  CHECK_CUDA(
      cudaMallocMipmappedArray(&levels, &of_float, make_cudaExtent(kWidth, kHeight, 0), kLevels));
  for (int level = 0; level < kLevels; ++level) {
    cudaArray_t array = nullptr;
    CHECK_CUDA(cudaGetMipmappedArrayLevel(&array, levels, level));
    const int w = kWidth >> level, h = kHeight >> level;
    std::vector<float> texels(w * h);
    for (int i = 0; i < w * h; ++i) texels[i] = texel(level, i % w, i / w);
    CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, texels.data(), w * sizeof(float), w * sizeof(float),
                                   h, cudaMemcpyHostToDevice));
  }
  return levels;
}

void check_levels(workload::Verdict& verdict, cudaMipmappedArray_t levels, bool blended, float bias,
                  float least, float most) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = levels;
  cudaTextureDesc d;
  std::memset(&d, 0, sizeof d);
  d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
  d.filterMode = cudaFilterModeLinear;
  d.normalizedCoords = 1;
  d.mipmapFilterMode = blended ? cudaFilterModeLinear : cudaFilterModePoint;
  d.mipmapLevelBias = bias;
  d.minMipmapLevelClamp = least;
  d.maxMipmapLevelClamp = most;
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &d, nullptr));
  std::vector<Fetch> fetches(kFetches);
  for (int i = 0; i < kFetches; ++i)
    fetches[i] = {(i % 13) / 12.0f, (i % 7) / 6.0f, -1.0f + i * (5.0f / kFetches)};
  const workload::DeviceArray<Fetch> at(fetches);
  workload::DeviceArray<float> out(4 * kFetches);
  by_level<<<1, kFetches>>>(texture, at, out);
  const auto v = out.download();
  const auto close = [](double a, double b) {
    return std::fabs(a - b) < 0.02 * (1 + std::fabs(b));
  };
  for (int i = 0; i < kFetches; ++i) {
    const Fetch& f = fetches[i];
    const double want = expected(f, f.level, blended, d);
    verdict.require(close(v[4 * i], want), "a named level");
    if (bias == 0) verdict.require(close(v[4 * i + 1], sample(0, f.x, f.y)), "without a level");
    // The gradient in y is a quarter of a texel: below level -2 it would be the longer one. Where
    // the nearest level is near to another one, rounding decides.
    const double edge = f.level + bias - std::floor(f.level + bias);
    if (blended || std::fabs(edge - 0.5) > 0.01)
      verdict.require(close(v[4 * i + 2], want), "a level by gradients");
    verdict.require(v[4 * i + 3] == v[4 * i], "tex.level and tex2DLod");
  }
  CHECK_CUDA(cudaDestroyTextureObject(texture));
}

void check_surfaces(workload::Verdict& verdict) {
  const cudaChannelFormatDesc of_int = cudaCreateChannelDesc<int>();
  cudaArray_t array[2];
  cudaSurfaceObject_t surface[2];
  std::vector<int> value(kWidth * kHeight), moved(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) value[i] = 5 * i;
  const std::size_t row = kWidth * sizeof(int);
  for (int i = 0; i < 2; ++i) {
    CHECK_CUDA(cudaMallocArray(&array[i], &of_int, kWidth, kHeight, cudaArraySurfaceLoadStore));
    CHECK_CUDA(cudaMemcpy2DToArray(array[i], 0, 0, value.data(), row, row, kHeight,
                                   cudaMemcpyHostToDevice));
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array[i];
    CHECK_CUDA(cudaCreateSurfaceObject(&surface[i], &resource));
  }
  by_instruction<<<1, dim3(kWidth, kHeight)>>>(surface[0], surface[1]);
  CHECK_CUDA(cudaMemcpy2DFromArray(moved.data(), row, array[1], 0, 0, row, kHeight,
                                   cudaMemcpyDeviceToHost));
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      verdict.require(
          moved[y * kWidth + x] == (x == 0 ? value[y * kWidth] : value[y * kWidth + x - 1] + 1),
          "suld and sust");
  for (int i = 0; i < 2; ++i) {
    CHECK_CUDA(cudaDestroySurfaceObject(surface[i]));
    CHECK_CUDA(cudaFreeArray(array[i]));
  }
}

int main() {
  workload::Verdict verdict;
  const cudaMipmappedArray_t levels = make_levels();
  check_levels(verdict, levels, true, 0, 0, 100);
  check_levels(verdict, levels, false, 0, 0, 100);
  check_levels(verdict, levels, true, 0.75f, 0.5f, 2.25f);
  cudaArray_t none = nullptr;
  verdict.require(cudaGetMipmappedArrayLevel(&none, levels, kLevels) == cudaErrorInvalidValue,
                  "a level that is not there");
  CHECK_CUDA(cudaFreeMipmappedArray(levels));
  verdict.require(cudaFreeMipmappedArray(levels) == cudaErrorInvalidResourceHandle, "freed twice");
  check_surfaces(verdict);
  return verdict.done();
}
