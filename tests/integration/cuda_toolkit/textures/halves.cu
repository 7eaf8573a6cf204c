// SPDX-License-Identifier: Apache-2.0
// Textures of floats of 16 bits, which fetches make floats: of one, two and four components, by
// place, by index and filtered.
#include <vector>

#include "check.h"

const int kWidth = 16;

__global__ void fetch(cudaTextureObject_t one, cudaTextureObject_t two, cudaTextureObject_t four,
                      cudaTextureObject_t line, float* out) {
  const int x = threadIdx.x;
  float* const mine = out + 6 * x;
  mine[0] = tex2D<float>(one, x + 0.5f, 0.5f);
  mine[1] = tex2D<float2>(two, x + 0.5f, 1.5f).y;
  mine[2] = tex2D<float4>(four, x + 1.0f, 0.5f).z;
  mine[3] = tex1Dfetch<float>(line, x);
  mine[4] = tex2DLod<float>(one, x + 0.5f, 0.5f, 0);
  mine[5] = tex2Dgather<float4>(four, x + 1.0f, 1.0f, 3).w;
}

// Bits of a half that is a small whole number or has a fraction of quarters.
static unsigned short half_of(float value) {
  if (value == 0) return 0;
  int exponent = 15;
  unsigned short sign = 0;
  if (value < 0) {
    sign = 0x8000;
    value = -value;
  }
  while (value >= 2) value /= 2, ++exponent;
  while (value < 1) value *= 2, --exponent;
  return static_cast<unsigned short>(sign | exponent << 10 | static_cast<int>((value - 1) * 1024));
}

static float value_of(int i) { return (i * 7 % 41 - 20) * 0.25f; }

static cudaTextureObject_t texture_of(const cudaChannelFormatDesc& format, int components,
                                      cudaTextureFilterMode filter) {
  std::vector<unsigned short> texels(2 * kWidth * components);
  for (size_t i = 0; i < texels.size(); ++i) texels[i] = half_of(value_of(static_cast<int>(i)));
  cudaArray_t array;
  OK(cudaMallocArray(&array, &format, kWidth, 2));
  const size_t row = kWidth * components * 2;
  OK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), row, row, 2, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = filter;
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

static cudaTextureObject_t line_of() {
  std::vector<unsigned short> texels(kWidth);
  for (int i = 0; i < kWidth; ++i) texels[i] = half_of(value_of(i));
  unsigned short* memory = nullptr;
  OK(cudaMalloc(&memory, 2 * kWidth));
  OK(cudaMemcpy(memory, texels.data(), 2 * kWidth, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDescHalf();
  resource.res.linear.sizeInBytes = 2 * kWidth;
  cudaTextureDesc how = {};
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

int main() {
  float* out = nullptr;
  OK(cudaMallocManaged(&out, 6 * kWidth * sizeof(float)));
  fetch<<<1, kWidth>>>(texture_of(cudaCreateChannelDescHalf1(), 1, cudaFilterModePoint),
                       texture_of(cudaCreateChannelDescHalf2(), 2, cudaFilterModePoint),
                       texture_of(cudaCreateChannelDescHalf4(), 4, cudaFilterModeLinear), line_of(),
                       out);
  OK(cudaDeviceSynchronize());
  for (int x = 0; x < kWidth; ++x) {
    const float* const got = out + 6 * x;
    const int next = x + 1 < kWidth ? x + 1 : x;
    CHECK(got[0] == value_of(x));
    CHECK(got[1] == value_of(2 * (kWidth + x) + 1));
    CHECK(got[2] == (value_of(4 * x + 2) + value_of(4 * next + 2)) / 2);
    CHECK(got[3] == value_of(x));
    CHECK(got[4] == value_of(x));
    CHECK(got[5] == value_of(4 * x + 3));
  }
  return finish();
}
