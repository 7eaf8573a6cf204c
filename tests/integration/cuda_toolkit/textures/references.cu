// SPDX-License-Identifier: Apache-2.0
// Texture references as before CUDA 12: bound to linear memory, to pitched memory and to an array,
// with normalised reads, wrapping and filtering.
#include <cmath>

#include "check.h"

texture<int, 1, cudaReadModeElementType> linear;
texture<float, cudaTextureType2D, cudaReadModeElementType> pitched;
texture<uchar4, 2, cudaReadModeNormalizedFloat> image;

__global__ void fetch(int* a, float* b, float4* c, int width) {
  const int x = threadIdx.x, y = blockIdx.x, i = y * width + x;
  a[i] = tex1Dfetch(linear, width * gridDim.x - 1 - i);
  b[i] = tex2D(pitched, x + 0.5f, y + 0.5f);
  c[i] = tex2D(image, (x + 0.5f) / width + 1, (y + 0.5f) / gridDim.x);
}

int main() {
  const int width = 32, height = 4, n = width * height;
  int numbers[n], got[n], *device_numbers, *a;
  float plane[n], got_plane[n], *device_plane, *b;
  uchar4 picture[n];
  float4 got_picture[n], *c;
  for (int i = 0; i < n; ++i) {
    numbers[i] = i * i;
    plane[i] = i * 0.25f;
    picture[i] =
        make_uchar4(static_cast<unsigned char>(i), 255, 0, static_cast<unsigned char>(2 * i));
  }
  OK(cudaMalloc(&device_numbers, sizeof numbers));
  OK(cudaMalloc(&a, sizeof numbers));
  OK(cudaMalloc(&b, sizeof plane));
  OK(cudaMalloc(&c, sizeof got_picture));
  OK(cudaMemcpy(device_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  size_t offset = 1, pitch = 0;
  OK(cudaBindTexture(&offset, linear, device_numbers, sizeof numbers));
  CHECK(offset == 0);
  offset = 1;
  OK(cudaGetTextureAlignmentOffset(&offset, linear));
  CHECK(offset == 0);
  OK(cudaMallocPitch(&device_plane, &pitch, width * sizeof(float), height));
  OK(cudaMemcpy2D(device_plane, pitch, plane, width * sizeof(float), width * sizeof(float), height,
                  cudaMemcpyHostToDevice));
  OK(cudaBindTexture2D(NULL, pitched, device_plane, pitched.channelDesc, width, height, pitch));
  cudaArray* array;
  OK(cudaMallocArray(&array, &image.channelDesc, width, height));
  OK(cudaMemcpyToArray(array, 0, 0, picture, sizeof picture, cudaMemcpyHostToDevice));
  image.normalized = true;
  image.addressMode[0] = image.addressMode[1] = cudaAddressModeWrap;
  image.filterMode = cudaFilterModePoint;
  OK(cudaBindTextureToArray(image, array));
  fetch<<<height, width>>>(a, b, c, width);
  OK(cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(got_plane, b, sizeof plane, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(got_picture, c, sizeof got_picture, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    CHECK(got[i] == numbers[n - 1 - i]);
    CHECK(got_plane[i] == plane[i]);
    CHECK(std::fabs(got_picture[i].x - i / 255.0f) < 1e-6f && got_picture[i].y == 1);
    CHECK(got_picture[i].z == 0 && std::fabs(got_picture[i].w - (2 * i % 256) / 255.0f) < 1e-6f);
  }
  OK(cudaUnbindTexture(linear));
  return finish();
}
