// SPDX-License-Identifier: Apache-2.0
// Fetches that name a level or gradients, and gathers. Only textures of mipmapped arrays have
// levels besides their own; fetches without a level read their first one.
#pragma once

#include "texture.h"

namespace warpmem_textures {

static __device__ __forceinline__ float3 gradient(float x) { return make_float3(x, 0, 0); }
static __device__ __forceinline__ float3 gradient(float2 v) { return make_float3(v.x, v.y, 0); }
static __device__ __forceinline__ float3 gradient(float4 v) { return make_float3(v.x, v.y, v.z); }
static __device__ __forceinline__ float level(const warpmem_texture*, float lod) { return lod; }
template <class Gradient>
static __device__ __forceinline__ float level(const warpmem_texture* t, Gradient dx, Gradient dy) {
  return level_of(t, gradient(dx), gradient(dy));
}
static __device__ __forceinline__ cudaTextureObject_t object_of(const warpmem_texture* t) {
  return reinterpret_cast<cudaTextureObject_t>(t);
}

}  // namespace warpmem_textures

#define WARPMEM_LIST(...) __VA_ARGS__
#define WARPMEM_LEVEL(name, plain, parameters, arguments, further, level_arguments)               \
  template <class Type_>                                                                          \
  static __device__ __forceinline__ Type_ name(cudaTextureObject_t object,                        \
                                               WARPMEM_LIST parameters, WARPMEM_LIST further) {   \
    using namespace warpmem_textures;                                                             \
    const warpmem_texture* const t = descriptor(object);                                          \
    const Levels levels = levels_of(t, warpmem_textures::level(t, WARPMEM_LIST level_arguments)); \
    const Type_ first = plain<Type_>(object_of(levels.first), WARPMEM_LIST arguments);            \
    if (levels.weight == 0) return first;                                                         \
    return blend(first, plain<Type_>(object_of(levels.second), WARPMEM_LIST arguments),           \
                 levels.weight);                                                                  \
  }                                                                                               \
  template <class Type_>                                                                          \
  static __device__ __forceinline__ void name(Type_* value, cudaTextureObject_t object,           \
                                              WARPMEM_LIST parameters, WARPMEM_LIST further) {    \
    *value = name<Type_>(object, WARPMEM_LIST arguments, WARPMEM_LIST level_arguments);           \
  }
WARPMEM_LEVEL(tex1DLod, tex1D, (float x), (x), (float lod), (lod))
WARPMEM_LEVEL(tex1DGrad, tex1D, (float x), (x), (float dx, float dy), (dx, dy))
WARPMEM_LEVEL(tex2DLod, tex2D, (float x, float y), (x, y), (float lod), (lod))
WARPMEM_LEVEL(tex2DGrad, tex2D, (float x, float y), (x, y), (float2 dx, float2 dy), (dx, dy))
WARPMEM_LEVEL(tex3DLod, tex3D, (float x, float y, float z), (x, y, z), (float lod), (lod))
WARPMEM_LEVEL(tex3DGrad, tex3D, (float x, float y, float z), (x, y, z), (float4 dx, float4 dy),
              (dx, dy))
WARPMEM_LEVEL(tex1DLayeredLod, tex1DLayered, (float x, int layer), (x, layer), (float lod), (lod))
WARPMEM_LEVEL(tex1DLayeredGrad, tex1DLayered, (float x, int layer), (x, layer),
              (float dx, float dy), (dx, dy))
WARPMEM_LEVEL(tex2DLayeredLod, tex2DLayered, (float x, float y, int layer), (x, y, layer),
              (float lod), (lod))
WARPMEM_LEVEL(tex2DLayeredGrad, tex2DLayered, (float x, float y, int layer), (x, y, layer),
              (float2 dx, float2 dy), (dx, dy))
WARPMEM_LEVEL(texCubemapLod, texCubemap, (float x, float y, float z), (x, y, z), (float lod), (lod))
WARPMEM_LEVEL(texCubemapLayeredLod, texCubemapLayered, (float x, float y, float z, int layer),
              (x, y, z, layer), (float lod), (lod))
#undef WARPMEM_LEVEL
#undef WARPMEM_LIST

namespace warpmem_textures {

/// One component of a texel; zero where the format lacks it.
template <class Component>
static __device__ __forceinline__ Component one(const warpmem_texture* t, int x, int y,
                                                int component_index) {
  const int channels = field(&t->channels), bits = field(&t->bits);
  const int normalized_bits = field(&t->normalized_bits);
  const unsigned char* const at = texel_address(t, x, y, 0, channels * bits / 8);
  if (!at || component_index >= channels) return Component();
  if (normalized_bits != 0)
    return static_cast<Component>(component(at, normalized_bits, component_index));
  return __ldg(reinterpret_cast<const Component*>(at + component_index * bits / 8));
}

}  // namespace warpmem_textures

/// Component `component` of the four texels that a filter would blend, against the clock from the
/// lower left; `Type_` has four of them.
template <class Type_>
static __device__ __forceinline__ Type_ tex2Dgather(cudaTextureObject_t object, float x, float y,
                                                    int component = 0) {
  const warpmem_texture* const t = warpmem_textures::descriptor(object);
  if (warpmem_textures::field(&t->normalized)) {
    x *= warpmem_textures::field(&t->width);
    y *= warpmem_textures::field(&t->height);
  }
  const int i = (int)floorf(x - 0.5f), j = (int)floorf(y - 0.5f);
  typedef decltype(Type_::x) Component;
  Type_ all;
  all.x = warpmem_textures::one<Component>(t, i, j + 1, component);
  all.y = warpmem_textures::one<Component>(t, i + 1, j + 1, component);
  all.z = warpmem_textures::one<Component>(t, i + 1, j, component);
  all.w = warpmem_textures::one<Component>(t, i, j, component);
  return all;
}
template <class Type_>
static __device__ __forceinline__ void tex2Dgather(Type_* value, cudaTextureObject_t object,
                                                   float x, float y, int component = 0) {
  *value = tex2Dgather<Type_>(object, x, y, component);
}
