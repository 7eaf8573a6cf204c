// SPDX-License-Identifier: Apache-2.0
// Arrays of the driver API, and its copies in two and three dimensions: the runtime's, which count
// in elements where an array is a side.
#include <optional>

#include "program/cuda/driver.hpp"

namespace {

using namespace warpmem::program::cuda;

std::optional<cudaChannelFormatDesc> channels_of(CUarray_format format, unsigned channels) {
  if (channels != 1 && channels != 2 && channels != 4) return std::nullopt;
  const auto of = [&](int bits, cudaChannelFormatKind kind) {
    const int second = channels > 1 ? bits : 0, last = channels > 2 ? bits : 0;
    return cudaChannelFormatDesc{bits, second, last, last, kind};
  };
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
      return of(8, cudaChannelFormatKindUnsigned);
    case CU_AD_FORMAT_UNSIGNED_INT16:
      return of(16, cudaChannelFormatKindUnsigned);
    case CU_AD_FORMAT_UNSIGNED_INT32:
      return of(32, cudaChannelFormatKindUnsigned);
    case CU_AD_FORMAT_SIGNED_INT8:
      return of(8, cudaChannelFormatKindSigned);
    case CU_AD_FORMAT_SIGNED_INT16:
      return of(16, cudaChannelFormatKindSigned);
    case CU_AD_FORMAT_SIGNED_INT32:
      return of(32, cudaChannelFormatKindSigned);
    case CU_AD_FORMAT_HALF:
      return of(16, cudaChannelFormatKindFloat);
    case CU_AD_FORMAT_FLOAT:
      return of(32, cudaChannelFormatKindFloat);
  }
  return std::nullopt;
}

/// This is one side of a copy: where it begins, in bytes, and how it lies.
struct CopySide {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  std::size_t pitch, height, x, y, z;

  bool is_array() const { return type == CU_MEMORYTYPE_ARRAY; }
  cudaPitchedPtr pointer() const {
    void* const begin = type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : pointer_to(device);
    return {begin, pitch, pitch, height};
  }
};

bool known(CUmemorytype type) {
  return type >= CU_MEMORYTYPE_HOST && type <= CU_MEMORYTYPE_UNIFIED;
}

cudaMemcpyKind kind_of(CUmemorytype from, CUmemorytype to) {
  if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (from == CU_MEMORYTYPE_HOST)
    return to == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return to == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

/// Bytes of an element where an array is a side, else 1; 0 when there is no such array.
std::size_t unit_of(const CopySide& from, const CopySide& to) {
  for (const CopySide* side : {&from, &to}) {
    if (!side->is_array()) continue;
    cudaChannelFormatDesc d{};
    if (cudaArrayGetInfo(&d, nullptr, nullptr, side->array) != cudaSuccess) return 0;
    return static_cast<std::size_t>(d.x + d.y + d.z + d.w) / 8;
  }
  return 1;
}

cudaError_t copy(const CopySide& from, const CopySide& to, cudaExtent bytes,
                 std::optional<CUstream> stream) {
  if (!known(from.type) || !known(to.type)) return cudaErrorInvalidValue;
  const std::size_t unit = unit_of(from, to);
  if (unit == 0 || bytes.width % unit != 0) return cudaErrorInvalidValue;
  cudaMemcpy3DParms p{};
  if (from.is_array())
    p.srcArray = from.array;
  else
    p.srcPtr = from.pointer();
  if (to.is_array())
    p.dstArray = to.array;
  else
    p.dstPtr = to.pointer();
  p.srcPos = {from.is_array() ? from.x / unit : from.x, from.y, from.z};
  p.dstPos = {to.is_array() ? to.x / unit : to.x, to.y, to.z};
  p.extent = {bytes.width / unit, bytes.height, bytes.depth};
  p.kind = kind_of(from.type, to.type);
  return stream ? cudaMemcpy3DAsync(&p, *stream) : cudaMemcpy3D(&p);
}

CUresult copy_2d(const CUDA_MEMCPY2D* c, std::optional<CUstream> stream) {
  return in_context([&] {
    if (c == nullptr) return cudaErrorInvalidValue;
    // One slice is as high as its rows go.
    const CopySide from{c->srcMemoryType, c->srcHost,  c->srcDevice,
                        c->srcArray,      c->srcPitch, c->srcY + c->Height,
                        c->srcXInBytes,   c->srcY,     0};
    const CopySide to{c->dstMemoryType, c->dstHost,  c->dstDevice,
                      c->dstArray,      c->dstPitch, c->dstY + c->Height,
                      c->dstXInBytes,   c->dstY,     0};
    return copy(from, to, {c->WidthInBytes, c->Height, 1}, stream);
  });
}

CUresult copy_3d(const CUDA_MEMCPY3D* c, std::optional<CUstream> stream) {
  return in_context([&] {
    if (c == nullptr || c->srcLOD != 0 || c->dstLOD != 0) return cudaErrorInvalidValue;
    const CopySide from{c->srcMemoryType, c->srcHost,     c->srcDevice, c->srcArray, c->srcPitch,
                        c->srcHeight,     c->srcXInBytes, c->srcY,      c->srcZ};
    const CopySide to{c->dstMemoryType, c->dstHost,     c->dstDevice, c->dstArray, c->dstPitch,
                      c->dstHeight,     c->dstXInBytes, c->dstY,      c->dstZ};
    return copy(from, to, {c->WidthInBytes, c->Height, c->Depth}, stream);
  });
}

}  // namespace

extern "C" {

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* description) {
  return in_context([&] {
    if (description == nullptr) return cudaErrorInvalidValue;
    const auto channels = channels_of(description->Format, description->NumChannels);
    if (!channels) return cudaErrorInvalidValue;
    return cudaMallocArray(array, &*channels, description->Width, description->Height, 0);
  });
}
CUresult cuArrayDestroy(CUarray array) {
  return in_context(
      [&] { return array == nullptr ? cudaErrorInvalidResourceHandle : cudaFreeArray(array); });
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* c) { return copy_2d(c, std::nullopt); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* c) { return copy_2d(c, std::nullopt); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* c, CUstream stream) { return copy_2d(c, stream); }
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* c) { return copy_3d(c, std::nullopt); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* c, CUstream stream) { return copy_3d(c, stream); }

}  // extern "C"
