// SPDX-License-Identifier: Apache-2.0
// Surfaces of one, two and three dimensions, written by kernels and read through surfaces and a
// texture of the same array.
#include "check.h"

__global__ void write(cudaSurfaceObject_t line, cudaSurfaceObject_t plane,
                      cudaSurfaceObject_t box) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  if (y == 0 && z == 0) surf1Dwrite(x * 1.5f, line, x * 4);
  if (z == 0) surf2Dwrite(make_int2(x, y), plane, x * 8, y);
  surf3Dwrite(static_cast<unsigned char>(x + 16 * y + z), box, x, y, z);
}
__global__ void read(cudaSurfaceObject_t line, cudaSurfaceObject_t plane, cudaTextureObject_t same,
                     cudaSurfaceObject_t box, int* wrong) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  float v;
  surf1Dread(&v, line, x * 4);
  int2 pair;
  surf2Dread(&pair, plane, x * 8, y);
  const int2 texel = tex2D<int2>(same, x, y);
  const unsigned char byte = surf3Dread<unsigned char>(box, x, y, z);
  // Beyond the border, zero is read where the mode says so.
  const int outside = surf2Dread<int2>(plane, x * 8, y + 8, cudaBoundaryModeZero).x;
  if (v != x * 1.5f || pair.x != x || pair.y != y || texel.x != x || texel.y != y ||
      byte != static_cast<unsigned char>(x + 16 * y + z) || outside != 0)
    atomicAdd(wrong, 1);
}

static cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  OK(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

int main() {
  cudaArray_t line, plane, box;
  cudaChannelFormatDesc single = cudaCreateChannelDesc<float>(),
                        pair = cudaCreateChannelDesc<int2>(),
                        byte = cudaCreateChannelDesc<unsigned char>();
  OK(cudaMallocArray(&line, &single, 16, 0, cudaArraySurfaceLoadStore));
  OK(cudaMallocArray(&plane, &pair, 16, 8, cudaArraySurfaceLoadStore));
  OK(cudaMalloc3DArray(&box, &byte, make_cudaExtent(16, 8, 4), cudaArraySurfaceLoadStore));
  const cudaSurfaceObject_t lines = surface_of(line), planes = surface_of(plane),
                            boxes = surface_of(box);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = plane;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
  int *wrong, host = -1;
  OK(cudaMalloc(&wrong, sizeof host));
  OK(cudaMemset(wrong, 0, sizeof host));
  write<<<4, dim3(16, 8)>>>(lines, planes, boxes);
  read<<<4, dim3(16, 8)>>>(lines, planes, texture, boxes, wrong);
  OK(cudaMemcpy(&host, wrong, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host == 0);
  int2 row[16];
  OK(cudaMemcpy2DFromArray(row, sizeof row, plane, 0, 5, sizeof row, 1, cudaMemcpyDeviceToHost));
  for (int x = 0; x < 16; ++x) CHECK(row[x].x == x && row[x].y == 5);
  OK(cudaDestroySurfaceObject(lines));
  OK(cudaDestroyTextureObject(texture));
  OK(cudaFreeArray(line));
  return finish();
}
