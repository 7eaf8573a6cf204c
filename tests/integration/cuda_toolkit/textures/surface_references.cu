// SPDX-License-Identifier: Apache-2.0
// Surface references, as samples before surface objects have them: a plane and layers of lines,
// bound, written, read and bound anew.
#include <vector>

#include "check.h"

const int kWidth = 16, kHeight = 8;

surface<void, cudaSurfaceType2D> plane;
surface<void, cudaSurfaceType1DLayered> lines;

__global__ void add(int value) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int at = surf2Dread<int>(plane, x * sizeof(int), y);
  surf2Dwrite(at + value, plane, x * sizeof(int), y);
  int outside;
  surf2Dread(&outside, plane, x * sizeof(int), kHeight + y, cudaBoundaryModeZero);
  if (outside != 0) surf2Dwrite(-1, plane, 0, 0);
  surf1DLayeredwrite(static_cast<short>(100 * y + x), lines, x * sizeof(short), y);
}

template <class T>
static std::vector<T> contents(cudaArray_t array, int depth) {
  std::vector<T> host(kWidth * kHeight);
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.dstPtr =
      make_cudaPitchedPtr(host.data(), kWidth * sizeof(T), kWidth, depth == 1 ? kHeight : 1);
  copy.extent = make_cudaExtent(kWidth, depth == 1 ? kHeight : 1, depth);
  copy.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&copy));
  return host;
}

int main() {
  cudaChannelFormatDesc words = cudaCreateChannelDesc<int>(),
                        halves = cudaCreateChannelDesc<short>();
  cudaArray_t first, second, layers;
  OK(cudaMallocArray(&first, &words, kWidth, kHeight, cudaArraySurfaceLoadStore));
  OK(cudaMallocArray(&second, &words, kWidth, kHeight, cudaArraySurfaceLoadStore));
  OK(cudaMalloc3DArray(&layers, &halves, make_cudaExtent(kWidth, 0, kHeight),
                       cudaArrayLayered | cudaArraySurfaceLoadStore));
  std::vector<int> host(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) host[i] = 3 * i;
  OK(cudaMemcpy2DToArray(first, 0, 0, host.data(), kWidth * sizeof(int), kWidth * sizeof(int),
                         kHeight, cudaMemcpyHostToDevice));
  const surfaceReference* found = nullptr;
  OK(cudaGetSurfaceReference(&found, &plane));
  CHECK(found == &plane);
  EXPECT(cudaErrorInvalidSurface, cudaGetSurfaceReference(&found, &host));
  OK(cudaBindSurfaceToArray(plane, first));
  OK(cudaBindSurfaceToArray(lines, layers, halves));
  const dim3 block(kWidth, kHeight);
  add<<<1, block>>>(5);
  OK(cudaBindSurfaceToArray(plane, second));
  add<<<1, block>>>(9);
  OK(cudaDeviceSynchronize());
  const std::vector<int> a = contents<int>(first, 1), b = contents<int>(second, 1);
  const std::vector<short> c = contents<short>(layers, kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) {
    CHECK(a[i] == 3 * i + 5);
    CHECK(b[i] == 9);
    CHECK(c[i] == 100 * (i / kWidth) + i % kWidth);
  }
  cudaArray_t none = reinterpret_cast<cudaArray_t>(&host);
  EXPECT(cudaErrorInvalidResourceHandle, cudaBindSurfaceToArray(plane, none));
  cudaGetLastError();
  return finish();
}
