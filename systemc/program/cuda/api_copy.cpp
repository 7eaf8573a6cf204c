// SPDX-License-Identifier: Apache-2.0
// Copies, fills and symbols. Device memory lies at its own address in the process, so a copy is a
// memmove; what it changes in device memory is told to the device.
#include <cstring>

#include "program/cuda/api.hpp"
#include "program/cuda/array.hpp"

namespace {

using namespace warpmem::program::cuda;

/// May the range stand on the device side (or the host side) of a copy?
bool valid(const void* pointer, std::size_t bytes, bool device_side) {
  if (pointer == nullptr) return false;
  if (!is_device_address(pointer)) return !device_side;
  const auto* const a = Runtime::instance().memory().find(address_of(pointer), bytes);
  return a != nullptr && (device_side || a->managed);
}

struct Sides {
  bool to_device, from_device;
};

bool sides(cudaMemcpyKind kind, const void* to, const void* from, Sides& s) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      s = {false, false};
      return true;
    case cudaMemcpyHostToDevice:
      s = {true, false};
      return true;
    case cudaMemcpyDeviceToHost:
      s = {false, true};
      return true;
    case cudaMemcpyDeviceToDevice:
      s = {true, true};
      return true;
    case cudaMemcpyDefault:
      s = {is_device_address(to), is_device_address(from)};
      return true;
  }
  return false;
}

/// `rows` rows of `width` bytes.
cudaError_t copy(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                 std::size_t width, std::size_t rows, cudaMemcpyKind kind) {
  Sides s;
  if (!sides(kind, to, from, s)) return cudaErrorInvalidMemcpyDirection;
  if (width == 0 || rows == 0) return cudaSuccess;
  if (rows > 1 && (width > to_pitch || width > from_pitch)) return cudaErrorInvalidPitchValue;
  if (!valid(to, to_pitch * (rows - 1) + width, s.to_device) ||
      !valid(from, from_pitch * (rows - 1) + width, s.from_device))
    return cudaErrorInvalidValue;
  for (std::size_t row = 0; row < rows; ++row) {
    char* const target = static_cast<char*>(to) + row * to_pitch;
    const char* const source = static_cast<const char*>(from) + row * from_pitch;
    if (is_device_address(source)) Runtime::instance().host_read(source, width);
    std::memmove(target, source, width);
    if (is_device_address(target)) Runtime::instance().host_wrote(target, width);
  }
  return cudaSuccess;
}

cudaError_t fill(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t rows) {
  if (width == 0 || rows == 0) return cudaSuccess;
  if (rows > 1 && width > pitch) return cudaErrorInvalidPitchValue;
  if (!valid(pointer, pitch * (rows - 1) + width, true)) return cudaErrorInvalidValue;
  for (std::size_t row = 0; row < rows; ++row) {
    char* const target = static_cast<char*>(pointer) + row * pitch;
    std::memset(target, value, width);
    Runtime::instance().host_wrote(target, width);
  }
  return cudaSuccess;
}

/// Address of byte `offset` of a symbol; nullptr and an error when there is no room for `bytes`.
char* symbol_bytes(const void* symbol, std::size_t offset, std::size_t bytes, cudaError_t& error) {
  const auto* const variable = Runtime::instance().find_variable(symbol);
  if (variable == nullptr || variable->address == 0) {
    error = cudaErrorInvalidSymbol;
    return nullptr;
  }
  if (offset > variable->bytes || bytes > variable->bytes - offset) {
    error = cudaErrorInvalidValue;
    return nullptr;
  }
  return reinterpret_cast<char*>(variable->address + offset);
}

/// One side of a 3-D copy.
struct Volume {
  char* begin;
  std::size_t pitch, slice;  ///< bytes from row to row, from slice to slice
};
Volume volume(cudaArray_const_t array, const cudaPitchedPtr& pointer, const cudaPos& position) {
  // The position in an array counts elements, that in memory bytes.
  const std::size_t x = position.x * (array ? element_bytes(array->channels) : 1);
  Volume v =
      array ? Volume{static_cast<char*>(array->data), array->pitch, array->pitch * rows(*array)}
            : Volume{static_cast<char*>(pointer.ptr), pointer.pitch, pointer.pitch * pointer.ysize};
  if (v.begin) v.begin += x + position.y * v.pitch + position.z * v.slice;
  return v;
}
bool inside(cudaArray_const_t array, const cudaPos& position, const cudaExtent& extent) {
  return array == nullptr ||
         (position.x + extent.width <= array->width && position.y + extent.height <= rows(*array) &&
          position.z + extent.depth <= slices(*array));
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return api([&](Runtime&) { return copy(to, bytes, from, bytes, bytes, 1, kind); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return api([&](Runtime&) { return copy(to, to_pitch, from, from_pitch, width, height, kind); });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  return api([&](Runtime&) {
    if (p == nullptr) return cudaErrorInvalidValue;
    if (!inside(p->srcArray, p->srcPos, p->extent) || !inside(p->dstArray, p->dstPos, p->extent))
      return cudaErrorInvalidValue;
    const Volume to = volume(p->dstArray, p->dstPtr, p->dstPos);
    const Volume from = volume(p->srcArray, p->srcPtr, p->srcPos);
    // The extent counts the elements of an array where one takes part.
    const cudaArray_const_t array = p->srcArray ? p->srcArray : p->dstArray;
    const std::size_t width = p->extent.width * (array ? element_bytes(array->channels) : 1);
    for (std::size_t z = 0; z < p->extent.depth; ++z) {
      const cudaError_t error = copy(to.begin + z * to.slice, to.pitch, from.begin + z * from.slice,
                                     from.pitch, width, p->extent.height, p->kind);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t) { return cudaMemcpy3D(p); }

cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes,
                                cudaStream_t) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return api([&](Runtime&) {
    for (std::size_t z = 0; z < extent.depth; ++z) {
      char* const slice = static_cast<char*>(pointer.ptr) + z * pointer.pitch * pointer.ysize;
      const cudaError_t error = fill(slice, pointer.pitch, value, extent.width, extent.height);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t) {
  return cudaMemset3D(pointer, value, extent);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  return api([&](Runtime&) { return fill(pointer, bytes, value, bytes, 1); });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t) {
  return cudaMemset(pointer, value, bytes);
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  return api([&](Runtime&) { return fill(pointer, pitch, value, width, height); });
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t) {
  return cudaMemset2D(pointer, pitch, value, width, height);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                               std::size_t offset, cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    cudaError_t error = cudaSuccess;
    char* const to = symbol_bytes(symbol, offset, bytes, error);
    return to ? copy(to, bytes, from, bytes, bytes, 1, kind) : error;
  });
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes,
                                 std::size_t offset, cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    cudaError_t error = cudaSuccess;
    const char* const from = symbol_bytes(symbol, offset, bytes, error);
    return from ? copy(to, bytes, from, bytes, bytes, 1, kind) : error;
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return api([&](Runtime&) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    *pointer = symbol_bytes(symbol, 0, 0, error);
    return error;
  });
}

cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return api([&](Runtime&) {
    if (bytes == nullptr) return cudaErrorInvalidValue;
    const auto* const variable = Runtime::instance().find_variable(symbol);
    if (variable == nullptr) return cudaErrorInvalidSymbol;
    *bytes = variable->bytes;
    return cudaSuccess;
  });
}

}  // extern "C"
