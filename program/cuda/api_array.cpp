// SPDX-License-Identifier: Apache-2.0
// Arrays and the copies from and to them.
#include <algorithm>
#include <memory>
#include <unordered_set>

#include "base/checked.hpp"
#include "program/cuda/api.hpp"
#include "program/cuda/array.hpp"
#include "program/cuda/capture.hpp"
#include "program/cuda/texture_limits.hpp"

namespace {

using namespace warpmem::program::cuda;
using warpmem::Checked;

constexpr size_t kArrayPitchBytes = 32;

constexpr size_t kCubeFaces = 6;

bool too_large(cudaExtent extent, unsigned flags) {
  if (flags & (cudaArrayLayered | cudaArrayCubemap))
    return extent.width > kMostSideLayered || extent.height > kMostSideLayered ||
           extent.depth > kMostLayers;
  if (extent.depth != 0) return std::max({extent.width, extent.height, extent.depth}) > kMostSide3d;
  return extent.width > kMostWidth || extent.height > kMostHeight;
}

/// These are the arrays given out, so that a stale one is an error and not a crash. They are never
/// destroyed.
std::unordered_set<const cudaArray*>& live() {
  static auto* const set = new std::unordered_set<const cudaArray*>;
  return *set;
}

std::unordered_set<const cudaMipmappedArray*>& live_mipmapped() {
  static auto* const set = new std::unordered_set<const cudaMipmappedArray*>;
  return *set;
}

/// The place of a packed copy in an array's rows, of which it leaves out what fills them up.
class Packed {
 public:
  Packed(const cudaArray& array, size_t x, size_t y)
      : array_(array), row_bytes_(array.width * element_bytes(array.channels)), x_(x), y_(y) {
    advance(0);
  }

  bool holds(size_t bytes) const {
    return x_ <= row_bytes_ &&
           !(Checked(y_) * row_bytes_ + x_ + bytes).over(rows(array_) * row_bytes_);
  }
  char* cell() const { return static_cast<char*>(array_.data) + y_ * array_.pitch + x_; }
  size_t left_in_row() const { return row_bytes_ - x_; }
  /// By at most what is left in the row.
  void advance(size_t bytes) {
    x_ += bytes;
    if (x_ != row_bytes_) return;
    x_ = 0;
    ++y_;
  }

 private:
  const cudaArray& array_;
  size_t row_bytes_, x_, y_;
};

/// Copies row by row between an array (from byte x of row y on) and packed memory.
cudaError_t copy_packed(const cudaArray& array, size_t x, size_t y, char* memory, size_t bytes,
                        cudaMemcpyKind kind, bool to_array) {
  Packed place(array, x, y);
  if (!place.holds(bytes)) return cudaErrorInvalidValue;
  for (size_t part = 0; bytes > 0; bytes -= part) {
    part = std::min(bytes, place.left_in_row());
    const cudaError_t error = to_array ? cudaMemcpy(place.cell(), memory, part, kind)
                                       : cudaMemcpy(memory, place.cell(), part, kind);
    if (error != cudaSuccess) return error;
    memory += part;
    place.advance(part);
  }
  return cudaSuccess;
}

bool inside(const cudaArray& array, size_t x, size_t y, size_t width, size_t height) {
  return !(Checked(x) + width).over(array.width * element_bytes(array.channels)) &&
         !(Checked(y) + height).over(rows(array));
}

char* cell(cudaArray_const_t array, size_t x, size_t y) {
  return static_cast<char*>(array->data) + y * array->pitch + x;
}

/// Six faces, or six of each layer, all of them square.
bool is_cube(cudaExtent extent, unsigned flags) {
  return extent.width == extent.height && extent.depth != 0 && extent.depth % kCubeFaces == 0 &&
         (flags & cudaArrayLayered || extent.depth == kCubeFaces);
}

cudaError_t make_array(Runtime& runtime, cudaArray_t* array, const cudaChannelFormatDesc* channels,
                       cudaExtent extent, unsigned flags) {
  if (array == nullptr || channels == nullptr || extent.width == 0) return cudaErrorInvalidValue;
  if (element_bytes(*channels) == 0) return cudaErrorInvalidChannelDescriptor;
  if (flags & cudaArrayCubemap && !is_cube(extent, flags)) return cudaErrorInvalidValue;
  if (too_large(extent, flags)) return cudaErrorInvalidValue;  // so no product below overflows
  cudaArray made;
  made.width = extent.width;
  made.height = extent.height;
  made.depth = extent.depth;
  made.flags = flags;
  made.channels = *channels;
  made.pitch = (extent.width * element_bytes(*channels) + kArrayPitchBytes - 1) / kArrayPitchBytes *
               kArrayPitchBytes;
  made.data = runtime.allocate(made.pitch * rows(made) * slices(made), false);
  if (made.data == nullptr) return cudaErrorMemoryAllocation;
  *array = new cudaArray(made);
  live().insert(*array);
  return cudaSuccess;
}

void free_array(Runtime& runtime, cudaArray_t array) {
  live().erase(array);
  runtime.release(array->data);
  delete array;
}

void free_mipmapped(Runtime& runtime, cudaMipmappedArray_t array) {
  for (cudaArray* const level : array->levels)
    if (is_array(level)) free_array(runtime, level);
  live_mipmapped().erase(array);
  delete array;
}

/// Layers and faces are no dimension that gets smaller.
cudaExtent next_level(cudaExtent extent, unsigned flags) {
  const auto half = [](size_t side) { return side == 0 ? 0 : std::max<size_t>(side / 2, 1); };
  const bool layers = flags & (cudaArrayLayered | cudaArrayCubemap);
  return {half(extent.width), half(extent.height), layers ? extent.depth : half(extent.depth)};
}

/// Returns the number of levels down to the one with a single element.
unsigned most_levels(cudaExtent extent, unsigned flags) {
  const bool layers = flags & (cudaArrayLayered | cudaArrayCubemap);
  size_t side = std::max({extent.width, extent.height, layers ? 0 : extent.depth});
  unsigned levels = 0;
  for (; side != 0; side /= 2) ++levels;
  return levels;
}

}  // namespace

namespace warpmem::program::cuda {

bool is_array(cudaArray_const_t array) { return live().count(array) != 0; }
bool is_array(cudaMipmappedArray_const_t array) { return live_mipmapped().count(array) != 0; }

void forget_arrays() {
  for (const cudaMipmappedArray* const array : live_mipmapped()) delete array;
  live_mipmapped().clear();
  for (const cudaArray* const array : live()) delete array;
  live().clear();
}

}  // namespace warpmem::program::cuda

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, size_t width,
                            size_t height, unsigned int flags) {
  return api([&](Runtime& runtime) {
    return make_array(runtime, array, channels, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                              cudaExtent extent, unsigned int flags) {
  return api([&](Runtime& runtime) { return make_array(runtime, array, channels, extent, flags); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return api([&](Runtime& runtime) {
    if (array == nullptr) return cudaSuccess;
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    free_array(runtime, array);
    return cudaSuccess;
  });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const cudaChannelFormatDesc* channels, cudaExtent extent,
                                     unsigned int levels, unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (array == nullptr || channels == nullptr || levels == 0) return cudaErrorInvalidValue;
    auto made = std::make_unique<cudaMipmappedArray>();
    live_mipmapped().insert(made.get());
    levels = std::min(levels, most_levels(extent, flags));
    for (unsigned i = 0; i < std::max(levels, 1u); ++i, extent = next_level(extent, flags)) {
      cudaArray_t level = nullptr;
      const cudaError_t error = make_array(runtime, &level, channels, extent, flags);
      if (error != cudaSuccess) {
        free_mipmapped(runtime, made.release());
        return error;
      }
      made->levels.push_back(level);
    }
    *array = made.release();
    return cudaSuccess;
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned int number) {
  return api([&](Runtime&) {
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    if (level == nullptr || number >= array->levels.size()) return cudaErrorInvalidValue;
    *level = array->levels[number];
    return cudaSuccess;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return api([&](Runtime& runtime) {
    if (array == nullptr) return cudaSuccess;
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    free_mipmapped(runtime, array);
    return cudaSuccess;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent,
                             unsigned int* flags, cudaArray_t array) {
  return api([&](Runtime&) {
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    if (channels) *channels = array->channels;
    if (extent) *extent = {array->width, array->height, array->depth};
    if (flags) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    if (!is_array(to)) return cudaErrorInvalidResourceHandle;
    return copy_packed(*to, x, y, const_cast<char*>(static_cast<const char*>(from)), bytes, kind,
                       true);
  });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    if (!is_array(from)) return cudaErrorInvalidResourceHandle;
    return copy_packed(*from, x, y, static_cast<char*>(to), bytes, kind, false);
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                size_t from_pitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    if (!is_array(to)) return cudaErrorInvalidResourceHandle;
    if (!inside(*to, x, y, width, height)) return cudaErrorInvalidValue;
    return cudaMemcpy2D(static_cast<char*>(to->data) + y * to->pitch + x, to->pitch, from,
                        from_pitch, width, height, kind);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    if (!is_array(from)) return cudaErrorInvalidResourceHandle;
    if (!inside(*from, x, y, width, height)) return cudaErrorInvalidValue;
    return cudaMemcpy2D(to, to_pitch, static_cast<char*>(from->data) + y * from->pitch + x,
                        from->pitch, width, height, kind);
  });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, [=] { return cudaMemcpyToArray(to, x, y, from, bytes, kind); });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, [=] { return cudaMemcpyFromArray(to, from, x, y, bytes, kind); });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t from_pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(
      stream, [=] { return cudaMemcpy2DToArray(to, x, y, from, from_pitch, width, height, kind); });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return in_stream(
      stream, [=] { return cudaMemcpy2DFromArray(to, to_pitch, from, x, y, width, height, kind); });
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t x, size_t y, size_t width,
                                     size_t height, cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    if (!is_array(to) || !is_array(from)) return cudaErrorInvalidResourceHandle;
    if (!inside(*to, to_x, to_y, width, height) || !inside(*from, x, y, width, height))
      return cudaErrorInvalidValue;
    return cudaMemcpy2D(cell(to, to_x, to_y), to->pitch, cell(from, x, y), from->pitch, width,
                        height, kind);
  });
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t x, size_t y, size_t bytes, cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    if (!is_array(to) || !is_array(from)) return cudaErrorInvalidResourceHandle;
    Packed target(*to, to_x, to_y), source(*from, x, y);
    if (!target.holds(bytes) || !source.holds(bytes)) return cudaErrorInvalidValue;
    for (size_t part = 0; bytes > 0; bytes -= part) {
      part = std::min({bytes, target.left_in_row(), source.left_in_row()});
      const cudaError_t error = cudaMemcpy(target.cell(), source.cell(), part, kind);
      if (error != cudaSuccess) return error;
      target.advance(part);
      source.advance(part);
    }
    return cudaSuccess;
  });
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_const_t array) {
  return api([&](Runtime&) {
    if (channels == nullptr || !is_array(array)) return cudaErrorInvalidValue;
    *channels = array->channels;
    return cudaSuccess;
  });
}

}  // extern "C"
