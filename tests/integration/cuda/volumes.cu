// SPDX-License-Identifier: Apache-2.0
// Arrays of three dimensions, layers, objects that read integers as floats, and surfaces.
#include <cmath>
#include <cstring>

#include "common/check.hpp"

constexpr int kWidth = 5, kHeight = 4, kDepth = 3, kElements = kWidth * kHeight * kDepth;

texture<float, 3> volume;

__global__ void read_volume(float* point, float* between, float* layered,
                            cudaTextureObject_t object, cudaTextureObject_t layers) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int at = (z * kHeight + y) * kWidth + x;
  point[at] = tex3D(volume, x + 0.5f, y + 0.5f, z + 0.5f);
  between[at] = tex3D<float>(object, x + 0.5f, y + 0.5f, z + 1.0f);
  layered[at] = tex2DLayered<float>(layers, x + 0.5f, y + 0.5f, z);
}

__global__ void read_bytes(float4* out, cudaTextureObject_t object) {
  out[threadIdx.x] = tex2D<float4>(object, threadIdx.x + 0.5f, 0.5f);
}

__global__ void mirror(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = threadIdx.x, y = threadIdx.y;
  int value;
  surf2Dread(&value, from, x * 4, y);
  value += surf2Dread<int>(from, (x + kWidth) * 4, y, cudaBoundaryModeZero);
  surf2Dwrite(value, to, (kWidth - 1 - x) * 4, y);
  surf2Dwrite(-1, to, 4 * kWidth, y, cudaBoundaryModeZero);
}

cudaTextureObject_t object_of(cudaArray_t array, cudaTextureFilterMode filter,
                              cudaTextureReadMode mode) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how;
  std::memset(&how, 0, sizeof how);
  how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
  how.filterMode = filter;
  how.readMode = mode;
  cudaTextureObject_t object = 0;
  CHECK_CUDA(cudaCreateTextureObject(&object, &resource, &how, nullptr));
  return object;
}

void check_volumes(workload::Verdict& verdict) {
  std::vector<float> value(kElements);
  for (int i = 0; i < kElements; ++i) value[i] = 0.25f * i * i;
  const cudaChannelFormatDesc of_float = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(kWidth, kHeight, kDepth);
  cudaArray_t array = nullptr, layered = nullptr;
  CHECK_CUDA(cudaMalloc3DArray(&array, &of_float, extent));
  CHECK_CUDA(cudaMalloc3DArray(&layered, &of_float, extent, cudaArrayLayered));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(value.data(), kWidth * sizeof(float), kWidth, kHeight);
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  copy.dstArray = array;
  CHECK_CUDA(cudaMemcpy3D(&copy));
  copy.dstArray = layered;
  CHECK_CUDA(cudaMemcpy3DAsync(&copy, 0));
  copy.dstPos = make_cudaPos(1, 0, 0);
  verdict.require(cudaMemcpy3D(&copy) == cudaErrorInvalidValue, "a copy over the edge");
  cudaGetLastError();
  cudaExtent found;
  CHECK_CUDA(cudaArrayGetInfo(nullptr, &found, nullptr, array));
  verdict.require(found.depth == kDepth, "depth of the array");

  volume.filterMode = cudaFilterModePoint;
  CHECK_CUDA(cudaBindTextureToArray(volume, array));
  workload::DeviceArray<float> point(kElements), between(kElements), layers(kElements);
  read_volume<<<1, dim3(kWidth, kHeight, kDepth)>>>(
      point, between, layers, object_of(array, cudaFilterModeLinear, cudaReadModeElementType),
      object_of(layered, cudaFilterModePoint, cudaReadModeElementType));
  CHECK_CUDA(cudaDeviceSynchronize());
  const auto p = point.download(), b = between.download(), l = layers.download();
  for (int i = 0; i < kElements; ++i) {
    const int above = i + kWidth * kHeight < kElements ? i + kWidth * kHeight : i;
    verdict.require(p[i] == value[i], "point of a volume");
    verdict.require(std::fabs(b[i] - 0.5f * (value[i] + value[above])) < 1e-3f, "between slices");
    verdict.require(l[i] == value[i], "layer");
  }
  CHECK_CUDA(cudaFreeArray(array));
  CHECK_CUDA(cudaFreeArray(layered));
}

void check_normalized(workload::Verdict& verdict) {
  const uchar4 texel[2] = {make_uchar4(0, 51, 102, 255), make_uchar4(255, 204, 1, 0)};
  const cudaChannelFormatDesc of_bytes = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array = nullptr;
  CHECK_CUDA(cudaMallocArray(&array, &of_bytes, 2, 1));
  CHECK_CUDA(cudaMemcpyToArray(array, 0, 0, texel, sizeof texel, cudaMemcpyHostToDevice));
  workload::DeviceArray<float4> out(2);
  read_bytes<<<1, 2>>>(out, object_of(array, cudaFilterModePoint, cudaReadModeNormalizedFloat));
  const auto v = out.download();
  verdict.require(std::fabs(v[0].y - 0.2f) < 1e-6f && v[0].w == 1.0f, "normalised bytes");
  verdict.require(v[1].x == 1.0f && std::fabs(v[1].z - 1 / 255.0f) < 1e-6f, "normalised bytes");
  CHECK_CUDA(cudaFreeArray(array));
}

void check_surfaces(workload::Verdict& verdict) {
  std::vector<int> value(kWidth * kHeight), mirrored(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) value[i] = 3 * i + 1;
  const cudaChannelFormatDesc of_int = cudaCreateChannelDesc<int>();
  cudaArray_t array[2];
  cudaSurfaceObject_t surface[2];
  for (int i = 0; i < 2; ++i) {
    CHECK_CUDA(cudaMallocArray(&array[i], &of_int, kWidth, kHeight, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array[i];
    CHECK_CUDA(cudaCreateSurfaceObject(&surface[i], &resource));
  }
  const std::size_t row = kWidth * sizeof(int);
  CHECK_CUDA(
      cudaMemcpy2DToArray(array[0], 0, 0, value.data(), row, row, kHeight, cudaMemcpyHostToDevice));
  mirror<<<1, dim3(kWidth, kHeight)>>>(surface[0], surface[1]);
  CHECK_CUDA(cudaMemcpy2DFromArray(mirrored.data(), row, array[1], 0, 0, row, kHeight,
                                   cudaMemcpyDeviceToHost));
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      verdict.require(mirrored[y * kWidth + x] == value[y * kWidth + kWidth - 1 - x], "surface");
  for (int i = 0; i < 2; ++i) {
    CHECK_CUDA(cudaDestroySurfaceObject(surface[i]));
    CHECK_CUDA(cudaFreeArray(array[i]));
  }
}

int main() {
  workload::Verdict verdict;
  check_volumes(verdict);
  check_normalized(verdict);
  check_surfaces(verdict);
  return verdict.done();
}
