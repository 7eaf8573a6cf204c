// SPDX-License-Identifier: Apache-2.0
// Surface objects and references: an array read and written by ordinary loads and stores. x counts
// bytes.
#pragma once

#include "texture.h"

// clang makes a device variable of such a type a 64-bit handle, as it does of a texture.
template <class Type_, int dimensions = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {};

namespace warpmem_surfaces {

template <int dimensions>
using Reference = surface<void, dimensions>;

/// Returns where an element of `bytes` lies; nullptr: it is outside, where reads give zero and
/// writes do nothing.
static __device__ __forceinline__ unsigned char* place(const warpmem_texture* t, int x, int y,
                                                       int z, int bytes,
                                                       cudaSurfaceBoundaryMode mode) {
  const int last_x = warpmem_textures::field(&t->width) - bytes;
  const int last_y = warpmem_textures::field(&t->height) - 1,
            last_z = warpmem_textures::field(&t->depth) - 1;
  if (x < 0 || y < 0 || z < 0 || x > last_x || y > last_y || z > last_z) {
    if (mode == cudaBoundaryModeTrap) __builtin_trap();
    if (mode == cudaBoundaryModeZero) return nullptr;
    x = min(max(x, 0), last_x);
    y = min(max(y, 0), last_y);
    z = min(max(z, 0), last_z);
  }
  unsigned char* const data = reinterpret_cast<unsigned char*>(
      warpmem_textures::field(reinterpret_cast<const unsigned long long*>(&t->data)));
  return data + z * warpmem_textures::field(&t->slice) + y * warpmem_textures::field(&t->pitch) + x;
}

template <class Type_, class Handle>
static __device__ __forceinline__ Type_* place(Handle handle, int x, int y, int z,
                                               cudaSurfaceBoundaryMode mode) {
  return reinterpret_cast<Type_*>(
      place(warpmem_textures::descriptor(handle), x, y, z, static_cast<int>(sizeof(Type_)), mode));
}

}  // namespace warpmem_surfaces

#define WARPMEM_SURFACE_OF(Handle, dimensions, parameters, arguments)                             \
  template <class Type_>                                                                          \
  static __device__ __forceinline__ Type_ surf##dimensions##read(                                 \
      Handle handle, WARPMEM_LIST parameters,                                                     \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                      \
    const Type_* const at = warpmem_surfaces::place<Type_>(handle, WARPMEM_LIST arguments, mode); \
    return at ? *at : Type_();                                                                    \
  }                                                                                               \
  template <class Type_>                                                                          \
  static __device__ __forceinline__ void surf##dimensions##read(                                  \
      Type_* value, Handle handle, WARPMEM_LIST parameters,                                       \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                      \
    const Type_* const at = warpmem_surfaces::place<Type_>(handle, WARPMEM_LIST arguments, mode); \
    *value = at ? *at : Type_();                                                                  \
  }                                                                                               \
  template <class Type_>                                                                          \
  static __device__ __forceinline__ void surf##dimensions##write(                                 \
      Type_ value, Handle handle, WARPMEM_LIST parameters,                                        \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                      \
    Type_* const at = warpmem_surfaces::place<Type_>(handle, WARPMEM_LIST arguments, mode);       \
    if (at) *at = value;                                                                          \
  }
#define WARPMEM_SURFACE(dimensions, parameters, arguments)                                 \
  WARPMEM_SURFACE_OF(cudaSurfaceObject_t, dimensions, parameters, arguments)               \
  WARPMEM_SURFACE_OF(warpmem_surfaces::Reference<cudaSurfaceType##dimensions>, dimensions, \
                     parameters, arguments)
#define WARPMEM_LIST(...) __VA_ARGS__
WARPMEM_SURFACE(1D, (int x), (x, 0, 0))
WARPMEM_SURFACE(2D, (int x, int y), (x, y, 0))
WARPMEM_SURFACE(3D, (int x, int y, int z), (x, y, z))
WARPMEM_SURFACE(1DLayered, (int x, int layer), (x, 0, layer))
WARPMEM_SURFACE(2DLayered, (int x, int y, int layer), (x, y, layer))
WARPMEM_SURFACE(Cubemap, (int x, int y, int face), (x, y, face))
WARPMEM_SURFACE(CubemapLayered, (int x, int y, int layer_face), (x, y, layer_face))
#undef WARPMEM_LIST
#undef WARPMEM_SURFACE
#undef WARPMEM_SURFACE_OF
