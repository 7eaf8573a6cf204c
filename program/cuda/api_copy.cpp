// SPDX-License-Identifier: Apache-2.0
// Copies, fills and symbols. Device memory lies at its own address in the process, so a copy is a
// memmove; what it changes in device memory is told to the device.
#include <cstring>
#include <utility>

#include "base/checked.hpp"
#include "program/cuda/api.hpp"
#include "program/cuda/array.hpp"
#include "program/cuda/capture.hpp"

namespace {

using namespace warpmem::program::cuda;
using warpmem::Checked;

/// Longest distance of rows that a 2-D or 3-D call takes (cudaDeviceProp::memPitch), in bytes.
constexpr std::size_t kMostPitch = 2147483647;

/// May the range stand on the device side (or the host side) of a copy?
bool valid(const void* pointer, std::size_t bytes, bool device_side) {
  if (!is_address_range(pointer, bytes)) return false;
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

/// Pinned memory of the host, which a copy may take for the device's: it has one address for both.
bool is_pinned(const void* pointer) {
  const auto* const allocation = Runtime::instance().memory().find(address_of(pointer), 1);
  return allocation != nullptr && allocation->host;
}

/// This is what is copied or filled: `slices` slices of `rows` rows of `width` bytes.
struct Box {
  std::size_t width, rows, slices;
  bool empty() const { return width == 0 || rows == 0 || slices == 0; }
};

/// This is one side of a copy: where the box begins, and how its rows and slices lie.
struct Side {
  char* begin;
  std::size_t pitch = 0, slice = 0;  ///< bytes from row to row, from slice to slice
  char* row(std::size_t y, std::size_t z) const { return begin + z * slice + y * pitch; }
};

/// Rows and slices that overlap, or lie further apart than CUDA allows.
bool wrong_pitch(const Box& box, const Side& side) {
  return (box.rows > 1 || box.slices > 1) && (side.pitch < box.width || side.pitch > kMostPitch);
}

/// Is the whole box memory of this side?
bool valid(const Box& box, const Side& side, bool device_side) {
  const Checked bytes =
      Checked(side.slice) * (box.slices - 1) + Checked(side.pitch) * (box.rows - 1) + box.width;
  return !bytes.overflow() && valid(side.begin, bytes.value(), device_side);
}

cudaError_t copy(const Side& to, const Side& from, const Box& box, cudaMemcpyKind kind) {
  Sides s;
  if (!sides(kind, to.begin, from.begin, s)) return cudaErrorInvalidMemcpyDirection;
  if (box.empty()) return cudaSuccess;
  if (wrong_pitch(box, to) || wrong_pitch(box, from)) return cudaErrorInvalidPitchValue;
  s.to_device = s.to_device && !is_pinned(to.begin);
  s.from_device = s.from_device && !is_pinned(from.begin);
  if (!valid(box, to, s.to_device) || !valid(box, from, s.from_device))
    return cudaErrorInvalidValue;
  for (std::size_t z = 0; z < box.slices; ++z) {
    for (std::size_t y = 0; y < box.rows; ++y) {
      char* const target = to.row(y, z);
      const char* const source = from.row(y, z);
      if (is_device_address(source)) Runtime::instance().host_read(source, box.width);
      std::memmove(target, source, box.width);
      if (is_device_address(target)) Runtime::instance().host_wrote(target, box.width);
    }
  }
  return cudaSuccess;
}

/// `bytes` on end.
cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copy({static_cast<char*>(to)}, {static_cast<char*>(const_cast<void*>(from))},
              {bytes, 1, 1}, kind);
}

cudaError_t fill(const Side& side, int value, const Box& box) {
  if (box.empty()) return cudaSuccess;
  if (wrong_pitch(box, side)) return cudaErrorInvalidPitchValue;
  const bool pinned = is_pinned(side.begin);
  if (!valid(box, side, !pinned)) return cudaErrorInvalidValue;
  for (std::size_t z = 0; z < box.slices; ++z) {
    for (std::size_t y = 0; y < box.rows; ++y) {
      std::memset(side.row(y, z), value, box.width);
      if (!pinned) Runtime::instance().host_wrote(side.row(y, z), box.width);
    }
  }
  return cudaSuccess;
}

/// The operation becomes a node of the capture that the stream is part of.
bool is_captured(cudaStream_t stream) {
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  return capture_of(stream) != nullptr;
}
cudaError_t capture(cudaStream_t stream, Work work) {
  return api_beside_kernels(
      [&](Runtime&) { return capture_of(stream)->add(stream, std::move(work)); });
}

cudaMemsetParams row_of_bytes(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height) {
  return {pointer, pitch, static_cast<unsigned>(value) & 0xffu, 1, width, height};
}

/// Finds one side of a 3-D copy, an array or pitched memory, from `position` on.
cudaError_t locate(cudaArray_const_t array, const cudaPitchedPtr& pointer, const cudaPos& position,
                   const cudaExtent& extent, const Box& box, Side& side) {
  if (array != nullptr) {
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    if ((Checked(position.x) + extent.width).over(array->width) ||
        (Checked(position.y) + extent.height).over(rows(*array)) ||
        (Checked(position.z) + extent.depth).over(slices(*array)))
      return cudaErrorInvalidValue;
    // The position in an array counts elements, that in memory bytes.
    side = {static_cast<char*>(array->data) + position.x * element_bytes(array->channels) +
                position.y * array->pitch + position.z * array->pitch * rows(*array),
            array->pitch, array->pitch * rows(*array)};
    return cudaSuccess;
  }
  if ((box.rows > 1 || box.slices > 1) && (Checked(position.x) + box.width).over(pointer.pitch))
    return cudaErrorInvalidPitchValue;
  // Rows of one slice that reached into the next would be copied twice.
  if (box.slices > 1 && (Checked(position.y) + box.rows).over(pointer.ysize))
    return cudaErrorInvalidValue;
  // The number of rows in a slice is of no interest where there is only the first.
  const bool deep = box.slices > 1 || position.z != 0;
  const Checked slice = deep ? Checked(pointer.pitch) * pointer.ysize : Checked(0);
  const Checked begin = Checked(address_of(pointer.ptr)) + position.x +
                        Checked(position.y) * pointer.pitch + slice * position.z;
  if (pointer.ptr == nullptr || begin.overflow()) return cudaErrorInvalidValue;
  side = {static_cast<char*>(pointer_to(begin.value())), pointer.pitch, slice.value()};
  return cudaSuccess;
}

/// Calls `copy` with the same between pointers of the one device.
template <class Copy_>
cudaError_t on_one_device(const cudaMemcpy3DPeerParms* p, Copy_ copy) {
  if (p == nullptr) return remember(cudaErrorInvalidValue);
  if (p->srcDevice != 0 || p->dstDevice != 0) return remember(cudaErrorInvalidDevice);
  const cudaMemcpy3DParms plain{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  return copy(&plain);
}

}  // namespace

namespace warpmem::program::cuda {

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

cudaError_t fill_elements(const cudaMemsetParams& p, cudaStream_t stream) {
  return api(stream, [&](Runtime& runtime) {
    const Checked width = Checked(p.width) * p.elementSize;
    if (width.overflow()) return cudaErrorInvalidValue;
    const Box box{width.value(), p.height, 1};
    const Side side{static_cast<char*>(p.dst), p.pitch};
    if (p.elementSize == 1) return fill(side, static_cast<int>(p.value), box);
    if (box.empty()) return cudaSuccess;
    if (wrong_pitch(box, side)) return cudaErrorInvalidPitchValue;
    if (!valid(box, side, true) || address_of(p.dst) % p.elementSize != 0 ||
        (p.height > 1 && p.pitch % p.elementSize != 0))
      return cudaErrorInvalidValue;
    for (std::size_t y = 0; y < box.rows; ++y) {
      char* const row = side.row(y, 0);
      for (std::size_t x = 0; x < box.width; x += p.elementSize)
        std::memcpy(row + x, &p.value, p.elementSize);
      runtime.host_wrote(row, box.width);
    }
    return cudaSuccess;
  });
}

}  // namespace warpmem::program::cuda

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return api([&](Runtime&) { return copy(to, from, bytes, kind); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (is_captured(stream)) return capture(stream, linear_copy(to, from, bytes, kind));
  return api(stream, [&](Runtime&) { return copy(to, from, bytes, kind); });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           std::size_t bytes) {
  return api([&](Runtime&) {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    return copy(to, from, bytes, cudaMemcpyDeviceToDevice);
  });
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    return copy({static_cast<char*>(to), to_pitch},
                {static_cast<char*>(const_cast<void*>(from)), from_pitch}, {width, height, 1},
                kind);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(
      stream, [=] { return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind); });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  return api([&](Runtime&) {
    if (p == nullptr || (p->srcArray != nullptr && p->srcPtr.ptr != nullptr) ||
        (p->dstArray != nullptr && p->dstPtr.ptr != nullptr))
      return cudaErrorInvalidValue;
    // The extent counts the elements of an array where one takes part.
    const cudaArray_const_t array = p->srcArray ? p->srcArray : p->dstArray;
    if (array != nullptr && !is_array(array)) return cudaErrorInvalidResourceHandle;
    if (p->srcArray != nullptr && p->dstArray != nullptr &&
        (!is_array(p->dstArray) ||
         element_bytes(p->srcArray->channels) != element_bytes(p->dstArray->channels)))
      return cudaErrorInvalidValue;
    const Checked width = Checked(p->extent.width) * (array ? element_bytes(array->channels) : 1);
    if (width.overflow()) return cudaErrorInvalidValue;
    const Box box{width.value(), p->extent.height, p->extent.depth};
    if (box.empty()) return cudaSuccess;
    Side to{}, from{};
    cudaError_t error = locate(p->dstArray, p->dstPtr, p->dstPos, p->extent, box, to);
    if (error == cudaSuccess)
      error = locate(p->srcArray, p->srcPtr, p->srcPos, p->extent, box, from);
    return error == cudaSuccess ? copy(to, from, box, p->kind) : error;
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  if (p == nullptr) return remember(cudaErrorInvalidValue);
  if (is_captured(stream)) return capture(stream, *p);
  return in_stream(stream, [=] { return cudaMemcpy3D(p); });
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  return on_one_device(p, cudaMemcpy3D);
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  return on_one_device(p, [stream](const auto* plain) { return cudaMemcpy3DAsync(plain, stream); });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                std::size_t bytes, cudaStream_t stream) {
  return in_stream(stream, [=] { return cudaMemcpyPeer(to, to_device, from, from_device, bytes); });
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return api([&](Runtime&) {
    const Box box{extent.width, extent.height, extent.depth};
    if (box.empty()) return cudaSuccess;
    Side side{};
    const cudaError_t error = locate(nullptr, pointer, {}, extent, box, side);
    return error == cudaSuccess ? fill(side, value, box) : error;
  });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return in_stream(
      stream, [=] { return cudaMemset3D(pointer, value, extent); }, cudaGraphNodeTypeMemset);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  return api([&](Runtime&) { return fill({static_cast<char*>(pointer)}, value, {bytes, 1, 1}); });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  if (is_captured(stream)) return capture(stream, row_of_bytes(pointer, 0, value, bytes, 1));
  return api(stream, [&](Runtime&) {
    return fill({static_cast<char*>(pointer)}, value, {bytes, 1, 1});
  });
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  return api([&](Runtime&) {
    return fill({static_cast<char*>(pointer), pitch}, value, {width, height, 1});
  });
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  if (is_captured(stream))
    return capture(stream, row_of_bytes(pointer, pitch, value, width, height));
  return in_stream(stream, [=] { return cudaMemset2D(pointer, pitch, value, width, height); });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                               std::size_t offset, cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    cudaError_t error = cudaSuccess;
    char* const to = symbol_bytes(symbol, offset, bytes, error);
    return to ? copy(to, from, bytes, kind) : error;
  });
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes,
                                 std::size_t offset, cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    cudaError_t error = cudaSuccess;
    const char* const from = symbol_bytes(symbol, offset, bytes, error);
    return from ? copy(to, from, bytes, kind) : error;
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, [=] { return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind); });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return in_stream(stream, [=] { return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind); });
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
