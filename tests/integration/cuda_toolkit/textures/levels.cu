// SPDX-License-Identifier: Apache-2.0
// Fetches with a level or gradients, of textures that have one level, and gathers of the four
// texels around a place.
#include <vector>

#include "check.h"

const int kWidth = 16, kHeight = 8;

__global__ void fetch(cudaTextureObject_t plane, cudaTextureObject_t bytes, int* wrong,
                      float4* four, uchar4* green) {
  const float x = threadIdx.x + 0.75f, y = threadIdx.y + 0.25f;
  const float plain = tex2D<float>(plane, x, y);
  float lod;
  tex2DLod(&lod, plane, x, y, 3.0f);
  const float grad = tex2DGrad<float>(plane, x, y, make_float2(1, 0), make_float2(0, 1));
  if (lod != plain || grad != plain || tex2DLod<float>(plane, x, y, 0.0f) != plain)
    atomicAdd(wrong, 1);
  const int at = threadIdx.y * kWidth + threadIdx.x;
  four[at] = tex2Dgather<float4>(plane, x, y);
  tex2Dgather(green + at, bytes, x, y, 1);
}

template <class T>
static cudaTextureObject_t texture_of(const std::vector<T>& data) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  OK(cudaMallocArray(&array, &format, kWidth, kHeight));
  OK(cudaMemcpy2DToArray(array, 0, 0, data.data(), kWidth * sizeof(T), kWidth * sizeof(T), kHeight,
                         cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

int main() {
  const int n = kWidth * kHeight;
  std::vector<float> plane(n);
  std::vector<uchar4> bytes(n);
  for (int i = 0; i < n; ++i) {
    plane[i] = static_cast<float>(i * 7 % 97);
    bytes[i] = make_uchar4(1, static_cast<unsigned char>(i * 3), 2, 3);
  }
  int *wrong, mistakes = -1;
  float4* four;
  uchar4* green;
  OK(cudaMalloc(&wrong, sizeof(int)));
  OK(cudaMalloc(&four, n * sizeof(float4)));
  OK(cudaMalloc(&green, n * sizeof(uchar4)));
  fetch<<<1, dim3(kWidth, kHeight)>>>(texture_of(plane), texture_of(bytes), wrong, four, green);
  OK(cudaMemcpy(&mistakes, wrong, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(mistakes == 0);
  std::vector<float4> got(n);
  std::vector<uchar4> seen(n);
  OK(cudaMemcpy(got.data(), four, n * sizeof(float4), cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(seen.data(), green, n * sizeof(uchar4), cudaMemcpyDeviceToHost));
  const auto place = [](int x, int y) {
    x = x < 0 ? 0 : x >= kWidth ? kWidth - 1 : x;
    y = y < 0 ? 0 : y >= kHeight ? kHeight - 1 : y;
    return y * kWidth + x;
  };
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      // The texels around (x + 0.75, y + 0.25) are those of columns x and x + 1, rows y - 1 and y.
      const int around[] = {place(x, y), place(x + 1, y), place(x + 1, y - 1), place(x, y - 1)};
      const float4 f = got[y * kWidth + x];
      const uchar4 b = seen[y * kWidth + x];
      CHECK(f.x == plane[around[0]] && f.y == plane[around[1]] && f.z == plane[around[2]] &&
            f.w == plane[around[3]]);
      CHECK(b.x == bytes[around[0]].y && b.y == bytes[around[1]].y && b.z == bytes[around[2]].y &&
            b.w == bytes[around[3]].y);
    }
  return finish();
}
