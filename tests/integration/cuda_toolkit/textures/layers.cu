// SPDX-License-Identifier: Apache-2.0
// Layered textures of one and two dimensions, filled by cudaMemcpy3D, and a volume that is
// filtered.
#include <vector>

#include "check.h"

const int kWidth = 16, kHeight = 8, kLayers = 3;

__global__ void layers(cudaTextureObject_t lines, cudaTextureObject_t planes, float* out) {
  const int x = threadIdx.x, y = threadIdx.y, layer = blockIdx.x;
  const float a = tex1DLayered<float>(lines, x + 0.5f, layer);
  const float b = tex2DLayered<float>(planes, (x + 0.5f) / kWidth, (y + 0.5f) / kHeight, layer);
  out[(layer * kHeight + y) * kWidth + x] = a * 1000 + b;
}
__global__ void between(cudaTextureObject_t volume, float* out) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  out[(z * kHeight + y) * kWidth + x] = tex3D<float>(volume, x + 1.0f, y + 0.5f, z + 0.5f);
}

static cudaTextureObject_t texture_of(cudaArray_t array, bool normalized,
                                      cudaTextureFilterMode mode) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
  how.filterMode = mode;
  how.normalizedCoords = normalized;
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}
static cudaArray_t array_of(const std::vector<float>& data, cudaExtent extent, unsigned flags) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  OK(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy = {};
  const size_t height = extent.height == 0 ? 1 : extent.height;
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(data.data()), extent.width * sizeof(float),
                                    extent.width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, height, extent.depth);
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  return array;
}

int main() {
  const int n = kWidth * kHeight * kLayers;
  std::vector<float> lines(kWidth * kLayers), planes(n), out(n);
  for (int i = 0; i < kWidth * kLayers; ++i) lines[i] = static_cast<float>(i);
  for (int i = 0; i < n; ++i) planes[i] = static_cast<float>(i % 251);
  float* device;
  OK(cudaMalloc(&device, n * sizeof(float)));
  const cudaArray_t line = array_of(lines, make_cudaExtent(kWidth, 0, kLayers), cudaArrayLayered);
  const cudaArray_t plane =
      array_of(planes, make_cudaExtent(kWidth, kHeight, kLayers), cudaArrayLayered);
  const cudaArray_t volume = array_of(planes, make_cudaExtent(kWidth, kHeight, kLayers), 0);
  const dim3 block(kWidth, kHeight);
  layers<<<kLayers, block>>>(texture_of(line, false, cudaFilterModePoint),
                             texture_of(plane, true, cudaFilterModePoint), device);
  OK(cudaMemcpy(out.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    const int x = i % kWidth, layer = i / (kWidth * kHeight);
    CHECK(out[i] == lines[layer * kWidth + x] * 1000 + planes[i]);
  }
  between<<<kLayers, block>>>(texture_of(volume, false, cudaFilterModeLinear), device);
  OK(cudaMemcpy(out.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    CHECK(out[i] == (planes[i] + planes[i % kWidth == kWidth - 1 ? i : i + 1]) / 2);
  return finish();
}
