// SPDX-License-Identifier: Apache-2.0
// References and objects of textures and surfaces. A texture is a descriptor in device
// memory, which the fetch functions of include/warpmem/texture.h read.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/checked.hpp"
#include "program/cuda/api.hpp"
#include "program/cuda/array.hpp"
#include "program/cuda/resource_view.hpp"
#include "program/cuda/texture_limits.hpp"

namespace {

using namespace warpmem::program::cuda;
using warpmem::Checked;

/// Linear memory has at most so many elements, and so has a side of any other.

/// These are the descriptors of bound references, by the reference's address on the host.
std::map<const void*, void*>& bound() {
  static auto* const map = new std::map<const void*, void*>;
  return *map;
}

/// Those that read integers as floats (cudaReadModeNormalizedFloat).
std::set<const void*>& normalized_references() {
  static auto* const set = new std::set<const void*>;
  return *set;
}

/// Returns descriptors in device memory, one after the other, or nullptr when memory is full.
void* place_descriptors(Runtime& runtime, const std::vector<warpmem_texture>& descriptors) {
  const size_t bytes = descriptors.size() * sizeof descriptors[0];
  void* const place = runtime.allocate(bytes, false);
  if (place == nullptr) return nullptr;
  std::copy(descriptors.begin(), descriptors.end(), static_cast<warpmem_texture*>(place));
  runtime.host_wrote(place, bytes);
  return place;
}
void* place_descriptor(Runtime& runtime, const warpmem_texture& descriptor) {
  return place_descriptors(runtime, {descriptor});
}

void set_handle(Runtime& runtime, const void* reference, const void* descriptor) {
  const auto* const variable = runtime.find_variable(reference);
  if (variable == nullptr) return;  // no kernel uses it
  *static_cast<const void**>(pointer_to(variable->address)) = descriptor;
  runtime.host_wrote(pointer_to(variable->address), sizeof descriptor);
}

cudaError_t unbind(Runtime& runtime, const void* reference) {
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
  size_t depth = 1;
  cudaChannelFormatDesc channels{};
  bool cube = false;        ///< fetches end at the edges of faces
  bool normalized = false;  ///< integers are read as floats
};

Image image_of(const cudaArray& a) {
  const bool cube = (a.flags & cudaArrayCubemap) != 0;
  return {a.data, a.pitch, a.width, a.height, slices(a), a.channels, cube};
}

/// Its rows lie in one allocation, and their sides are numbers that a descriptor can hold.
bool is_in_memory(Runtime& runtime, const Image& image) {
  const size_t element = element_bytes(image.channels);
  if (image.data == nullptr || image.width == 0 || element == 0) return false;
  if (image.width > kMostElements || image.height > kMostElements) return false;
  const size_t rows = std::max<size_t>(image.height, 1) * image.depth;
  const Checked bytes = Checked(image.pitch) * (rows - 1) + Checked(image.width) * element;
  return (rows == 1 || image.pitch >= image.width * element) && !bytes.overflow() &&
         runtime.memory().find(address_of(image.data), bytes.value()) != nullptr;
}

bool holds_integers(const cudaChannelFormatDesc& c) {
  return c.f == cudaChannelFormatKindSigned || c.f == cudaChannelFormatKindUnsigned;
}

warpmem_texture describe(const Image& image, const cudaTextureAddressMode* address,
                         cudaTextureFilterMode filter, bool normalized) {
  warpmem_texture t{};
  t.mark = WARPMEM_TEXTURE_MARK;
  t.data = static_cast<const unsigned char*>(image.data);
  t.pitch = image.pitch;
  t.width = static_cast<int>(image.width);
  t.height = static_cast<int>(std::max<size_t>(image.height, 1));
  t.depth = static_cast<int>(image.depth);
  t.slice = image.pitch * static_cast<size_t>(t.height);
  const cudaChannelFormatDesc& c = image.channels;
  t.channels = (c.x > 0) + (c.y > 0) + (c.z > 0) + (c.w > 0);
  t.bits = c.x;
  t.kind = c.f;
  if (c.f == cudaChannelFormatKindFloat && c.x == 16) t.normalized_bits = WARPMEM_HALVES;
  if (image.normalized) t.normalized_bits = c.f == cudaChannelFormatKindSigned ? -c.x : c.x;
  for (int i = 0; i < 3; ++i) {
    t.address[i] = image.cube ? cudaAddressModeClamp : address[i];
    // Wrapping and mirroring exist for normalised coordinates only.
    if (!normalized && t.address[i] != cudaAddressModeBorder) t.address[i] = cudaAddressModeClamp;
  }
  t.filter = filter;
  t.normalized = normalized;
  return t;
}

/// Gives a reference its descriptor; it loses the one that it has.
cudaError_t bind_descriptor(Runtime& runtime, const void* reference,
                            const warpmem_texture& texture) {
  unbind(runtime, reference);
  void* const descriptor = place_descriptor(runtime, texture);
  if (descriptor == nullptr) return cudaErrorMemoryAllocation;
  bound()[reference] = descriptor;
  set_handle(runtime, reference, descriptor);
  return cudaSuccess;
}

cudaError_t bind(Runtime& runtime, const textureReference* reference, Image image) {
  if (reference == nullptr) return cudaErrorInvalidTexture;
  image.normalized = normalized_references().count(reference) != 0 &&
                     holds_integers(image.channels) && image.channels.x <= 16;
  if (!is_in_memory(runtime, image)) return cudaErrorInvalidValue;
  return bind_descriptor(
      runtime, reference,
      describe(image, reference->addressMode, reference->filterMode, reference->normalized != 0));
}

/// A surface is a texture that is read and written by the byte.
warpmem_texture describe_surface(const cudaArray& array) {
  Image image = image_of(array);
  image.width *= element_bytes(array.channels);
  const cudaTextureAddressMode border[3] = {cudaAddressModeBorder, cudaAddressModeBorder,
                                            cudaAddressModeBorder};
  return describe(image, border, cudaFilterModePoint, false);
}

/// The descriptors of all levels of a mipmapped texture; each level is one by itself, too.
std::vector<warpmem_texture> describe_levels(const std::vector<Image>& levels,
                                             const cudaTextureDesc& texture) {
  std::vector<warpmem_texture> all;
  for (const Image& level : levels)
    all.push_back(
        describe(level, texture.addressMode, texture.filterMode, texture.normalizedCoords != 0));
  if (levels.size() == 1) return all;
  warpmem_texture& first = all.front();
  first.levels = static_cast<int>(levels.size());
  first.level_filter = texture.mipmapFilterMode;
  first.level_bias = texture.mipmapLevelBias;
  first.least_level = texture.minMipmapLevelClamp;
  first.most_level = texture.maxMipmapLevelClamp;
  return all;
}

/// Returns the elements of a linear range that ends where its allocation ends.
size_t linear_elements(Runtime& runtime, const void* pointer, size_t bytes, size_t element) {
  const auto* const a = runtime.memory().find(address_of(pointer), 1);
  if (a == nullptr || element == 0) return 0;
  return std::min<size_t>(bytes, a->begin + a->bytes - address_of(pointer)) / element;
}

}  // namespace

namespace warpmem::program::cuda {

void note_normalized_reference(const void* reference) { normalized_references().insert(reference); }

}  // namespace warpmem::program::cuda

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                            const cudaChannelFormatDesc* channels, size_t bytes) {
  return api([&](Runtime& runtime) {
    if (channels == nullptr) return cudaErrorInvalidChannelDescriptor;
    if (offset) *offset = 0;
    const size_t n = linear_elements(runtime, pointer, bytes, element_bytes(*channels));
    return bind(runtime, reference, {pointer, 0, n, 1, 1, *channels});
  });
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference,
                              const void* pointer, const cudaChannelFormatDesc* channels,
                              size_t width, size_t height, size_t pitch) {
  return api([&](Runtime& runtime) {
    if (channels == nullptr) return cudaErrorInvalidChannelDescriptor;
    if (offset) *offset = 0;
    return bind(runtime, reference, {pointer, pitch, width, height, 1, *channels});
  });
}

cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  return api([&](Runtime& runtime) {
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    return bind(runtime, reference, image_of(*array));
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
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view) {
  return api([&](Runtime& runtime) {
    if (object == nullptr || resource == nullptr || texture == nullptr)
      return cudaErrorInvalidValue;
    std::vector<Image> levels;
    const auto image = [&levels](const Image& only) { levels = {only}; };
    switch (resource->resType) {
      case cudaResourceTypeMipmappedArray: {
        const cudaMipmappedArray* const m = resource->res.mipmap.mipmap;
        if (!is_array(m)) return cudaErrorInvalidResourceHandle;
        const size_t first = view == nullptr ? 0 : view->firstMipmapLevel;
        const size_t last = view == nullptr ? m->levels.size() - 1 : view->lastMipmapLevel;
        if (first > last || last >= m->levels.size()) return cudaErrorInvalidValue;
        for (size_t i = first; i <= last; ++i) levels.push_back(image_of(*m->levels[i]));
        break;
      }
      case cudaResourceTypeArray: {
        const cudaArray* const a = resource->res.array.array;
        if (!is_array(a)) return cudaErrorInvalidResourceHandle;
        image(image_of(*a));
        break;
      }
      case cudaResourceTypeLinear: {
        const auto& l = resource->res.linear;
        const size_t element = element_bytes(l.desc);
        if (element != 0 && l.sizeInBytes / element > kMostElements) return cudaErrorInvalidValue;
        image({l.devPtr, 0, linear_elements(runtime, l.devPtr, l.sizeInBytes, element), 1, 1,
               l.desc});
        break;
      }
      case cudaResourceTypePitch2D: {
        const auto& p = resource->res.pitch2D;
        image({p.devPtr, p.pitchInBytes, p.width, p.height, 1, p.desc});
        break;
      }
      default:
        return cudaErrorInvalidValue;
    }
    if (view != nullptr && !shows_as_it_is(*view, levels[0].channels, levels[0].depth))
      return not_supported("cudaCreateTextureObject with another format or some of the layers");
    for (Image& level : levels) {
      if (element_bytes(level.channels) == 0) return cudaErrorInvalidChannelDescriptor;
      if (!is_in_memory(runtime, level)) return cudaErrorInvalidValue;
      if (texture->readMode != cudaReadModeNormalizedFloat || !holds_integers(level.channels))
        continue;
      if (level.channels.x > 16) return cudaErrorInvalidChannelDescriptor;
      level.normalized = true;
    }
    const void* const place = place_descriptors(runtime, describe_levels(levels, *texture));
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

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return api([&](Runtime& runtime) {
    if (object == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    if (resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
    const cudaArray* const a = resource->res.array.array;
    if (!is_array(a)) return cudaErrorInvalidResourceHandle;
    const void* const place = place_descriptor(runtime, describe_surface(*a));
    if (place == nullptr) return cudaErrorMemoryAllocation;
    *object = address_of(place);
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return cudaDestroyTextureObject(object);
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  return api([&](Runtime& runtime) {
    if (reference == nullptr) return cudaErrorInvalidSurface;
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    return bind_descriptor(runtime, reference, describe_surface(*array));
  });
}

cudaError_t cudaGetSurfaceReference(const surfaceReference** reference, const void* symbol) {
  return api([&](Runtime& runtime) {
    if (reference == nullptr) return cudaErrorInvalidValue;
    if (runtime.find_variable(symbol) == nullptr) return cudaErrorInvalidSurface;
    *reference = static_cast<const surfaceReference*>(symbol);
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  return api([&](Runtime& runtime) {
    if (reference == nullptr) return cudaErrorInvalidValue;
    if (runtime.find_variable(symbol) == nullptr) return cudaErrorInvalidTexture;
    *reference = static_cast<const textureReference*>(symbol);
    return cudaSuccess;
  });
}

}  // extern "C"
