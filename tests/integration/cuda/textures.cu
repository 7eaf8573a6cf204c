// SPDX-License-Identifier: Apache-2.0
// Texture references and objects: linear memory, arrays, pitched images; point and linear
// filtering; address modes; normalised elements.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "common/check.hpp"

texture<float, 1, cudaReadModeElementType> line;
static texture<float4, cudaTextureType1D> line4;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
texture<float, 2> smooth;
texture<int, 2> tiles;

constexpr int kWidth = 8, kHeight = 6;

__global__ void by_index(float* out, int n, cudaTextureObject_t object) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x - 2;  // two elements before the line
  if (i >= n) return;
  out[i + 2] = tex1Dfetch(line, i) + 10 * tex1Dfetch<float>(object, i) +
               (i >= 0 ? 100 * tex1Dfetch(line4, i / 4).z : 0.0f);
}

__global__ void by_position(float* point, float* linear, int* wrapped, float* from_object,
                            cudaTextureObject_t object) {
  const int x = threadIdx.x, y = threadIdx.y, at = y * kWidth + x;
  point[at] = tex2D(bytes, x + 0.5f, y + 0.5f);
  linear[at] = tex2D(smooth, x + 1.0f, y + 0.75f);
  wrapped[at] = tex2D(tiles, (x + 0.5f) / kWidth + 2.0f, (y + 0.5f) / kHeight - 1.0f);
  from_object[at] = tex2D<float>(object, x - 2 + 0.5f, y - 1 + 0.5f);
}

// The instruction itself, on a reference and on an object, must give what the functions give.
__device__ float fetched(unsigned long long texture, float x, float y) {
  float v[4];
#if defined(__CUDA_ARCH__)
  asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
               : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
               : "l"(texture), "f"(x), "f"(y));
#endif
  return v[0];
}
template <class Reference>
__device__ unsigned long long address(Reference reference) {
  unsigned long long at = 0;
#if defined(__CUDA_ARCH__)
  asm("mov.u64 %0, %1;" : "=l"(at) : "l"(reference));
#endif
  return at;
}
__global__ void by_instruction(float* point, float* linear, float* from_object,
                               cudaTextureObject_t object) {
  const int x = threadIdx.x, y = threadIdx.y, at = y * kWidth + x;
  point[at] = fetched(address(bytes), x + 0.5f, y + 0.5f);
  linear[at] = fetched(address(smooth), x + 1.0f, y + 0.75f);
  from_object[at] = fetched(object, x - 2 + 0.5f, y - 1 + 0.5f);
}

int main() {
  constexpr int kElements = kWidth * kHeight;
  std::vector<float> value(kElements);
  std::vector<unsigned char> byte(kElements);
  std::vector<int> number(kElements);
  for (int i = 0; i < kElements; ++i) {
    value[i] = 0.5f * i;
    byte[i] = static_cast<unsigned char>(5 * i);
    number[i] = i;
  }
  workload::Verdict verdict;
  const cudaChannelFormatDesc of_float = cudaCreateChannelDesc<float>();
  const cudaChannelFormatDesc of_byte = cudaCreateChannelDesc<unsigned char>();
  const cudaChannelFormatDesc of_int = cudaCreateChannelDesc<int>();
  const workload::DeviceArray<float> memory(value);

  std::size_t offset = 1;
  CHECK_CUDA(cudaBindTexture(&offset, line, memory, of_float, kElements * sizeof(float)));
  CHECK_CUDA(cudaBindTexture(nullptr, line4, memory));
  verdict.require(offset == 0, "offset of a bound texture");
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory.get();
  resource.res.linear.desc = of_float;
  resource.res.linear.sizeInBytes = kElements * sizeof(float);
  cudaTextureDesc how;
  std::memset(&how, 0, sizeof how);
  cudaTextureObject_t linear_object = 0;
  CHECK_CUDA(cudaCreateTextureObject(&linear_object, &resource, &how, nullptr));
  const workload::DeviceArray<float> out(kElements + 2);
  by_index<<<2, 32>>>(out, kElements, linear_object);
  workload::finish_kernels();
  std::vector<float> expected(2, 0.0f);  // outside
  for (int i = 0; i < kElements; ++i)
    expected.push_back(11 * value[i] + 100 * value[i / 4 * 4 + 2]);
  verdict.close("by index", out.download(), expected, 1e-6);

  cudaArray *byte_array = nullptr, *int_array = nullptr;
  CHECK_CUDA(cudaMallocArray(&byte_array, &of_byte, kWidth, kHeight));
  CHECK_CUDA(cudaMallocArray(&int_array, &of_int, kWidth, kHeight));
  CHECK_CUDA(cudaMemcpyToArray(byte_array, 0, 0, byte.data(), kElements, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy2DToArray(int_array, 0, 0, number.data(), kWidth * 4, kWidth * 4, kHeight,
                                 cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaBindTextureToArray(bytes, byte_array, of_byte));
  tiles.normalized = true;
  tiles.addressMode[0] = tiles.addressMode[1] = cudaAddressModeWrap;
  CHECK_CUDA(cudaBindTextureToArray(tiles, int_array));
  float* image = nullptr;
  std::size_t pitch = 0;
  CHECK_CUDA(cudaMallocPitch(&image, &pitch, kWidth * sizeof(float), kHeight));
  CHECK_CUDA(cudaMemcpy2D(image, pitch, value.data(), kWidth * 4, kWidth * 4, kHeight,
                          cudaMemcpyHostToDevice));
  smooth.filterMode = cudaFilterModeLinear;
  CHECK_CUDA(cudaBindTexture2D(nullptr, smooth, image, of_float, kWidth, kHeight, pitch));
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = image;
  resource.res.pitch2D.desc = of_float;
  resource.res.pitch2D.width = kWidth;
  resource.res.pitch2D.height = kHeight;
  resource.res.pitch2D.pitchInBytes = pitch;
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
  cudaTextureObject_t border = 0;
  CHECK_CUDA(cudaCreateTextureObject(&border, &resource, &how, nullptr));

  const workload::DeviceArray<float> point(kElements), linear(kElements), from_object(kElements);
  const workload::DeviceArray<int> wrapped(kElements);
  by_position<<<1, dim3(kWidth, kHeight)>>>(point, linear, wrapped, from_object, border);
  workload::finish_kernels();

  std::vector<double> e_point, e_linear, e_border;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      e_point.push_back(byte[y * kWidth + x] / 255.0);
      // It is the plane 0.5 (8 y + x), sampled half a texel to the right and a quarter down,
      // clamped.
      const double sx = std::fmin(x + 0.5, kWidth - 1), sy = std::fmin(y + 0.25, kHeight - 1);
      e_linear.push_back(0.5 * (sy * kWidth + sx));
      e_border.push_back(x < 2 || y < 1 ? 0.0 : value[(y - 1) * kWidth + x - 2]);
    }
  verdict.close("point", point.download(), e_point, 1e-6);
  verdict.close("linear", linear.download(), e_linear, 1e-6);
  verdict.equal("wrapped", wrapped.download(), number);
  verdict.close("border", from_object.download(), e_border, 0);

  by_instruction<<<1, dim3(kWidth, kHeight)>>>(point, linear, from_object, border);
  workload::finish_kernels();
  verdict.close("point by tex", point.download(), e_point, 1e-6);
  verdict.close("linear by tex", linear.download(), e_linear, 1e-6);
  verdict.close("border by tex", from_object.download(), e_border, 0);

  CHECK_CUDA(cudaUnbindTexture(line));
  CHECK_CUDA(cudaDestroyTextureObject(linear_object));
  CHECK_CUDA(cudaDestroyTextureObject(border));
  verdict.require(cudaDestroyTextureObject(border) == cudaErrorInvalidValue, "destroyed twice");
  CHECK_CUDA(cudaFreeArray(byte_array));
  CHECK_CUDA(cudaFreeArray(int_array));
  CHECK_CUDA(cudaFree(image));
  return verdict.done();
}
