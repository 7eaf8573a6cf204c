// SPDX-License-Identifier: Apache-2.0
// Arrays, texture references and texture objects. An array is pitched device memory; a texture is a
// descriptor in device memory, which the fetch functions of include/warpmem/texture.h read.
#include <algorithm>
#include <map>

#include "program/cuda/api.hpp"

struct cudaArray {
  void* data = nullptr;
  size_t pitch = 0;              ///< bytes
  size_t width = 0, height = 0;  ///< elements; height 0: a line
  cudaChannelFormatDesc channels{};
};

namespace {

using namespace warpmem::program::cuda;

constexpr size_t kPitchBytes = 32;

size_t element_bytes(const cudaChannelFormatDesc& c) {
  return static_cast<size_t>(c.x + c.y + c.z + c.w) / 8;
}

size_t rows(const cudaArray& array) { return std::max<size_t>(array.height, 1); }

/// Descriptors of bound references, by the reference's address on the host.
std::map<const void*, void*>& bound() {
  static auto* const map = new std::map<const void*, void*>;
  return *map;
}

/// A descriptor in device memory, or nullptr when memory is full.
void* place_descriptor(Runtime& runtime, const warpmem_texture& descriptor) {
  void* const place = runtime.allocate(sizeof descriptor, false);
  if (place == nullptr) return nullptr;
  *static_cast<warpmem_texture*>(place) = descriptor;
  runtime.host_wrote(place, sizeof descriptor);
  return place;
}

void set_handle(Runtime& runtime, const void* reference, const void* descriptor) {
  const auto* const variable = runtime.find_variable(reference);
  if (variable == nullptr) return;  // no kernel uses it
  *static_cast<const void**>(pointer_to(variable->address)) = descriptor;
  runtime.host_wrote(pointer_to(variable->address), sizeof descriptor);
}

cudaError_t unbind(Runtime& runtime, const textureReference* reference) {
  const auto it = bound().find(reference);
  if (it == bound().end()) return cudaSuccess;
  set_handle(runtime, reference, nullptr);
  runtime.release(it->second);
  bound().erase(it);
  return cudaSuccess;
}

struct Image {
  const void* data;
  size_t pitch, width, height;
};

warpmem_texture describe(const Image& image, const cudaTextureAddressMode* address,
                         cudaTextureFilterMode filter, bool normalized) {
  warpmem_texture t{};
  t.data = static_cast<const unsigned char*>(image.data);
  t.pitch = image.pitch;
  t.width = static_cast<int>(image.width);
  t.height = static_cast<int>(std::max<size_t>(image.height, 1));
  for (int i = 0; i < 2; ++i) {
    t.address[i] = address[i];
    // Wrapping and mirroring exist for normalised coordinates only.
    if (!normalized && address[i] != cudaAddressModeBorder) t.address[i] = cudaAddressModeClamp;
  }
  t.filter = filter;
  t.normalized = normalized;
  return t;
}

cudaError_t bind(Runtime& runtime, const textureReference* reference, const Image& image) {
  if (reference == nullptr) return cudaErrorInvalidTexture;
  if (image.data == nullptr || image.width == 0) return cudaErrorInvalidValue;
  const size_t bytes = image.pitch * (std::max<size_t>(image.height, 1) - 1) + 1;
  if (runtime.memory().find(address_of(image.data), bytes) == nullptr) return cudaErrorInvalidValue;
  unbind(runtime, reference);
  void* const descriptor = place_descriptor(
      runtime,
      describe(image, reference->addressMode, reference->filterMode, reference->normalized != 0));
  if (descriptor == nullptr) return cudaErrorMemoryAllocation;
  bound()[reference] = descriptor;
  set_handle(runtime, reference, descriptor);
  return cudaSuccess;
}

/// Elements of a linear range that ends where its allocation ends.
size_t linear_elements(Runtime& runtime, const void* pointer, size_t bytes, size_t element) {
  const auto* const a = runtime.memory().find(address_of(pointer), 1);
  if (a == nullptr || element == 0) return 0;
  return std::min<size_t>(bytes, a->begin + a->bytes - address_of(pointer)) / element;
}

/// Row by row between an array (from byte x of row y on) and packed memory.
cudaError_t copy_packed(const cudaArray& array, size_t x, size_t y, char* memory, size_t bytes,
                        cudaMemcpyKind kind, bool to_array) {
  const size_t row_bytes = array.width * element_bytes(array.channels);
  if (x > row_bytes || y * row_bytes + x + bytes > rows(array) * row_bytes)
    return cudaErrorInvalidValue;
  while (bytes > 0) {
    const size_t part = std::min(bytes, row_bytes - x);
    char* const cell = static_cast<char*>(array.data) + y * array.pitch + x;
    const cudaError_t error =
        to_array ? cudaMemcpy(cell, memory, part, kind) : cudaMemcpy(memory, cell, part, kind);
    if (error != cudaSuccess) return error;
    memory += part;
    bytes -= part;
    x = 0;
    ++y;
  }
  return cudaSuccess;
}

bool inside(const cudaArray& array, size_t x, size_t y, size_t width, size_t height) {
  return x + width <= array.width * element_bytes(array.channels) && y + height <= rows(array);
}

}  // namespace

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, size_t width,
                            size_t height, unsigned int) {
  return api([&](Runtime& runtime) {
    if (array == nullptr || channels == nullptr || width == 0) return cudaErrorInvalidValue;
    if (element_bytes(*channels) == 0) return cudaErrorInvalidChannelDescriptor;
    cudaArray made;
    made.width = width;
    made.height = height;
    made.channels = *channels;
    made.pitch = (width * element_bytes(*channels) + kPitchBytes - 1) / kPitchBytes * kPitchBytes;
    made.data = runtime.allocate(made.pitch * rows(made), false);
    if (made.data == nullptr) return cudaErrorMemoryAllocation;
    *array = new cudaArray(made);
    return cudaSuccess;
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return api([&](Runtime& runtime) {
    if (array == nullptr) return cudaSuccess;
    runtime.release(array->data);
    delete array;
    return cudaSuccess;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent,
                             unsigned int* flags, cudaArray_t array) {
  return api([&](Runtime&) {
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    if (channels) *channels = array->channels;
    if (extent) *extent = {array->width, array->height, 0};
    if (flags) *flags = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    if (to == nullptr) return cudaErrorInvalidResourceHandle;
    return copy_packed(*to, x, y, const_cast<char*>(static_cast<const char*>(from)), bytes, kind,
                       true);
  });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    if (from == nullptr) return cudaErrorInvalidResourceHandle;
    return copy_packed(*from, x, y, static_cast<char*>(to), bytes, kind, false);
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                size_t from_pitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    if (to == nullptr) return cudaErrorInvalidResourceHandle;
    if (!inside(*to, x, y, width, height)) return cudaErrorInvalidValue;
    return cudaMemcpy2D(static_cast<char*>(to->data) + y * to->pitch + x, to->pitch, from,
                        from_pitch, width, height, kind);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return api([&](Runtime&) {
    if (from == nullptr) return cudaErrorInvalidResourceHandle;
    if (!inside(*from, x, y, width, height)) return cudaErrorInvalidValue;
    return cudaMemcpy2D(to, to_pitch, static_cast<char*>(from->data) + y * from->pitch + x,
                        from->pitch, width, height, kind);
  });
}

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                            const cudaChannelFormatDesc* channels, size_t bytes) {
  return api([&](Runtime& runtime) {
    if (channels == nullptr) return cudaErrorInvalidChannelDescriptor;
    if (offset) *offset = 0;
    const size_t n = linear_elements(runtime, pointer, bytes, element_bytes(*channels));
    return bind(runtime, reference, {pointer, 0, n, 1});
  });
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference,
                              const void* pointer, const cudaChannelFormatDesc*, size_t width,
                              size_t height, size_t pitch) {
  return api([&](Runtime& runtime) {
    if (offset) *offset = 0;
    return bind(runtime, reference, {pointer, pitch, width, height});
  });
}

cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  return api([&](Runtime& runtime) {
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    return bind(runtime, reference, {array->data, array->pitch, array->width, array->height});
  });
}

cudaError_t cudaUnbindTexture(const textureReference* reference) {
  return api([&](Runtime& runtime) { return unbind(runtime, reference); });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  return api([&](Runtime&) {
    if (offset == nullptr) return cudaErrorInvalidValue;
    *offset = 0;
    return bound().count(reference) ? cudaSuccess : cudaErrorInvalidTextureBinding;
  });
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc*) {
  return api([&](Runtime& runtime) {
    if (object == nullptr || resource == nullptr || texture == nullptr)
      return cudaErrorInvalidValue;
    if (texture->readMode == cudaReadModeNormalizedFloat)
      return not_supported("cudaCreateTextureObject with cudaReadModeNormalizedFloat");
    Image image{};
    switch (resource->resType) {
      case cudaResourceTypeArray: {
        const cudaArray* const a = resource->res.array.array;
        if (a == nullptr) return cudaErrorInvalidResourceHandle;
        image = {a->data, a->pitch, a->width, a->height};
        break;
      }
      case cudaResourceTypeLinear: {
        const auto& l = resource->res.linear;
        image = {l.devPtr, 0,
                 linear_elements(runtime, l.devPtr, l.sizeInBytes, element_bytes(l.desc)), 1};
        break;
      }
      case cudaResourceTypePitch2D: {
        const auto& p = resource->res.pitch2D;
        image = {p.devPtr, p.pitchInBytes, p.width, p.height};
        break;
      }
      default:
        return not_supported("cudaCreateTextureObject of a mipmapped array");
    }
    if (image.data == nullptr || image.width == 0) return cudaErrorInvalidValue;
    const void* const place = place_descriptor(
        runtime,
        describe(image, texture->addressMode, texture->filterMode, texture->normalizedCoords != 0));
    if (place == nullptr) return cudaErrorMemoryAllocation;
    *object = address_of(place);
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return api([&](Runtime& runtime) {
    return runtime.release(pointer_to(object)) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // extern "C"
