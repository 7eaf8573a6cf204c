// SPDX-License-Identifier: Apache-2.0
// Texture objects that show some levels of a mipmapped array; other views are refused.
#include "check.h"

__global__ void fetch(cudaTextureObject_t texture, float* out) {
  *out = tex2DLod<float>(texture, 0.5f, 0.5f, 0.0f);
}

int main() {
  cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array;
  OK(cudaMallocMipmappedArray(&array, &floats, make_cudaExtent(4, 4, 0), 3));
  for (unsigned level = 0; level < 3; ++level) {
    const float values[16] = {10.0f + level};
    cudaArray_t part;
    OK(cudaGetMipmappedArrayLevel(&part, array, level));
    const size_t side = 4 >> level;
    OK(cudaMemcpy2DToArray(part, 0, 0, values, side * sizeof(float), side * sizeof(float), side,
                           cudaMemcpyHostToDevice));
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  cudaTextureDesc how = {};
  how.maxMipmapLevelClamp = 2;
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatFloat1;
  view.width = view.height = 4;
  float* out;
  OK(cudaMallocManaged(&out, sizeof *out));
  for (unsigned first = 0; first < 3; ++first) {
    view.firstMipmapLevel = first;
    view.lastMipmapLevel = 2;
    cudaTextureObject_t texture = 0;
    OK(cudaCreateTextureObject(&texture, &resource, &how, &view));
    fetch<<<1, 1>>>(texture, out);
    OK(cudaDeviceSynchronize());
    CHECK(*out == 10.0f + first);
    OK(cudaDestroyTextureObject(texture));
  }
  cudaTextureObject_t none = 0;
  view.lastMipmapLevel = 3;
  EXPECT(cudaErrorInvalidValue, cudaCreateTextureObject(&none, &resource, &how, &view));
  view.lastMipmapLevel = 2;
  view.format = cudaResViewFormatUnsignedInt1;
  EXPECT(cudaErrorNotSupported, cudaCreateTextureObject(&none, &resource, &how, &view));
  cudaGetLastError();
  return finish();
}
