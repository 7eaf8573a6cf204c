// SPDX-License-Identifier: Apache-2.0
// What `tex`, `tld4`, `txq`, `suld` and `sust` call (texture_call.cpp, surface_call.cpp). There is
// no texture hardware: a fetch is a function that reads the descriptor by constant and the texels
// by read-only loads, with the addressing and filtering of the runtime's texture functions.
// Compiled to PTX with the interpreter and linked into modules that need it.
//
// The result is four 32-bit words: floats of a texture that holds them or is read as normalised
// floats, else integers, extended. Components that the format lacks are zero.
#include <cuda_runtime.h>

namespace warpmem_textures {

/// Returns what a handle stands for: a descriptor, or the reference that points to one.
static __device__ const warpmem_texture* behind(unsigned long long handle) {
  const auto* const word = reinterpret_cast<const unsigned long long*>(handle);
  const unsigned long long first = field(word);
  return reinterpret_cast<const warpmem_texture*>(first == WARPMEM_TEXTURE_MARK ? handle : first);
}

/// Returns the bytes of an element, by one load; elements have 1, 2, 4, 8 or 16.
static __device__ ulonglong2 element(const unsigned char* at, int bytes) {
  switch (bytes) {
    case 1:
      return make_ulonglong2(__ldg(at), 0);
    case 2:
      return make_ulonglong2(__ldg(reinterpret_cast<const unsigned short*>(at)), 0);
    case 4:
      return make_ulonglong2(__ldg(reinterpret_cast<const unsigned*>(at)), 0);
    case 8:
      return make_ulonglong2(__ldg(reinterpret_cast<const unsigned long long*>(at)), 0);
    default:
      return __ldg(reinterpret_cast<const ulonglong2*>(at));
  }
}

/// Returns component `index` of an element, extended.
static __device__ unsigned component(ulonglong2 element, int index, int bits, bool is_signed) {
  const int at = index * bits;
  const unsigned value = (unsigned)((at < 64 ? element.x : element.y) >> (at & 63)) << (32 - bits);
  return is_signed ? (int)value >> (32 - bits) : value >> (32 - bits);
}

/// These read texels as words, which are never filtered.
struct Words {
  using type = uint4;
  static __device__ __noinline__ uint4 read(const warpmem_texture* t, int x, int y, int z) {
    const int channels = field(&t->channels), bits = field(&t->bits);
    const int bytes = channels * bits / 8;
    const unsigned char* const at = texel_address(t, x, y, z, bytes);
    if (!at) return make_uint4(0, 0, 0, 0);
    const ulonglong2 e = element(at, bytes);
    const bool is_signed = field(&t->kind) == cudaChannelFormatKindSigned;
    return make_uint4(component(e, 0, bits, is_signed),
                      channels > 1 ? component(e, 1, bits, is_signed) : 0,
                      channels > 2 ? component(e, 2, bits, is_signed) : 0,
                      channels > 2 ? component(e, 3, bits, is_signed) : 0);
  }
};

/// These read texels as floats.
struct Floats {
  using type = float4;
  static __device__ __noinline__ float4 read(const warpmem_texture* t, int x, int y, int z) {
    const uint4 words = Words::read(t, x, y, z);
    const int bits = field(&t->normalized_bits);
    const bool half = field(&t->bits) == 16;
    return make_float4(value(words.x, bits, half), value(words.y, bits, half),
                       value(words.z, bits, half), value(words.w, bits, half));
  }

 private:
  static __device__ float value(unsigned word, int normalized_bits, bool half) {
    if (normalized_bits == 0 || normalized_bits == WARPMEM_HALVES)
      return half ? from_half(word) : __uint_as_float(word);
    const int bits = normalized_bits < 0 ? -normalized_bits - 1 : normalized_bits;
    const float most = (float)((1 << bits) - 1);
    return normalized_bits < 0 ? fmaxf((int)word * (1.0f / most), -1.0f) : word * (1.0f / most);
  }
};

static __device__ uint4 words_of(float4 v) {
  return make_uint4(__float_as_uint(v.x), __float_as_uint(v.y), __float_as_uint(v.z),
                    __float_as_uint(v.w));
}
static __device__ uint4 words_of(uint4 v) { return v; }

/// The texel before a position from which a filter begins, along one axis.
static __device__ int corner(float at, int normalized, int size) {
  if (normalized) at *= size;
  return (int)floorf(at - 0.5f);
}

static __device__ bool gives_floats(const warpmem_texture* t) {
  return field(&t->kind) == cudaChannelFormatKindFloat || field(&t->normalized_bits) != 0;
}

static __device__ uint4 one_of(const warpmem_texture* t, int x, int y) {
  return gives_floats(t) ? words_of(Floats::read(t, x, y, 0)) : Words::read(t, x, y, 0);
}

/// As warpmem_surfaces::place(), for any size of element.
static __device__ unsigned char* surface_place(const warpmem_texture* t, int x, int y, int z,
                                               int bytes, int mode) {
  return warpmem_surfaces::place(t, x, y, z, bytes, static_cast<cudaSurfaceBoundaryMode>(mode));
}

}  // namespace warpmem_textures

using namespace warpmem_textures;

#define WARPMEM_FETCH(name, parameters, expression)                             \
  extern "C" __device__ __attribute__((used, noinline)) uint4 name parameters { \
    const warpmem_texture* const t = behind(handle);                            \
    if (gives_floats(t)) {                                                      \
      using Reader = Floats;                                                    \
      return words_of(expression);                                              \
    }                                                                           \
    using Reader = Words;                                                       \
    return words_of(expression);                                                \
  }
#define WARPMEM_HANDLE unsigned long long handle

// These fetch by index: a line reads zero outside (as tex1Dfetch), the others do what their address
// mode says.
WARPMEM_FETCH(__warpmem_tex_1d_s32, (WARPMEM_HANDLE, int x),
              x < 0 || x >= field(&t->width) ? Reader::type() : Reader::read(t, x, 0, 0))
WARPMEM_FETCH(__warpmem_tex_2d_s32, (WARPMEM_HANDLE, int x, int y), Reader::read(t, x, y, 0))
WARPMEM_FETCH(__warpmem_tex_3d_s32, (WARPMEM_HANDLE, int x, int y, int z), Reader::read(t, x, y, z))
WARPMEM_FETCH(__warpmem_tex_a1d_s32, (WARPMEM_HANDLE, int layer, int x),
              Reader::read(t, x, 0, layer_of(t, layer)))
WARPMEM_FETCH(__warpmem_tex_a2d_s32, (WARPMEM_HANDLE, int layer, int x, int y),
              Reader::read(t, x, y, layer_of(t, layer)))

// These fetch by position, filtered.
WARPMEM_FETCH(__warpmem_tex_1d_f32, (WARPMEM_HANDLE, float x), fetch1<Reader>(t, x))
WARPMEM_FETCH(__warpmem_tex_2d_f32, (WARPMEM_HANDLE, float x, float y), fetch2<Reader>(t, x, y))
WARPMEM_FETCH(__warpmem_tex_3d_f32, (WARPMEM_HANDLE, float x, float y, float z),
              fetch3<Reader>(t, x, y, z))
WARPMEM_FETCH(__warpmem_tex_a1d_f32, (WARPMEM_HANDLE, int layer, float x),
              fetch1<Reader>(t, x, layer_of(t, layer)))
WARPMEM_FETCH(__warpmem_tex_a2d_f32, (WARPMEM_HANDLE, int layer, float x, float y),
              fetch2<Reader>(t, x, y, layer_of(t, layer)))

WARPMEM_FETCH(__warpmem_tex_cube_f32, (WARPMEM_HANDLE, float x, float y, float z),
              fetch_cube<Reader>(t, x, y, z))
WARPMEM_FETCH(__warpmem_tex_acube_f32, (WARPMEM_HANDLE, int layer, float x, float y, float z),
              fetch_cube<Reader>(t, x, y, z, layer))

#define WARPMEM_QUERY(name, member)                                                \
  extern "C" __device__ __attribute__((used, noinline)) int name(WARPMEM_HANDLE) { \
    return field(&behind(handle)->member);                                         \
  }
WARPMEM_QUERY(__warpmem_txq_width, width)
WARPMEM_QUERY(__warpmem_txq_height, height)
WARPMEM_QUERY(__warpmem_txq_depth, depth)

// These name a level of a mipmapped texture, or gradients that say which.
#define WARPMEM_LEVEL_FETCH(name, parameters, lod, fetched)                     \
  extern "C" __device__ __attribute__((used, noinline)) uint4 name parameters { \
    const warpmem_texture* const base = behind(handle);                         \
    const Levels levels = levels_of(base, lod);                                 \
    if (gives_floats(base)) {                                                   \
      using Reader = Floats;                                                    \
      const warpmem_texture* t = levels.first;                                  \
      const float4 first = fetched;                                             \
      if (levels.weight == 0) return words_of(first);                           \
      t = levels.second;                                                        \
      return words_of(blend(first, fetched, levels.weight));                    \
    }                                                                           \
    using Reader = Words;                                                       \
    const warpmem_texture* const t = levels.first;                              \
    return words_of(fetched);                                                   \
  }
WARPMEM_LEVEL_FETCH(__warpmem_tex_level_1d_f32, (WARPMEM_HANDLE, float x, float lod), lod,
                    fetch1<Reader>(t, x))
WARPMEM_LEVEL_FETCH(__warpmem_tex_level_2d_f32, (WARPMEM_HANDLE, float x, float y, float lod), lod,
                    fetch2<Reader>(t, x, y))
WARPMEM_LEVEL_FETCH(__warpmem_tex_level_3d_f32,
                    (WARPMEM_HANDLE, float x, float y, float z, float lod), lod,
                    fetch3<Reader>(t, x, y, z))
WARPMEM_LEVEL_FETCH(__warpmem_tex_level_a1d_f32, (WARPMEM_HANDLE, int layer, float x, float lod),
                    lod, fetch1<Reader>(t, x, layer_of(t, layer)))
WARPMEM_LEVEL_FETCH(__warpmem_tex_level_a2d_f32,
                    (WARPMEM_HANDLE, int layer, float x, float y, float lod), lod,
                    fetch2<Reader>(t, x, y, layer_of(t, layer)))
WARPMEM_LEVEL_FETCH(__warpmem_tex_level_cube_f32,
                    (WARPMEM_HANDLE, float x, float y, float z, float lod), lod,
                    fetch_cube<Reader>(t, x, y, z))
WARPMEM_LEVEL_FETCH(__warpmem_tex_level_acube_f32,
                    (WARPMEM_HANDLE, int layer, float x, float y, float z, float lod), lod,
                    fetch_cube<Reader>(t, x, y, z, layer))
WARPMEM_LEVEL_FETCH(__warpmem_tex_grad_1d_f32, (WARPMEM_HANDLE, float x, float dx, float dy),
                    level_of(base, make_float3(dx, 0, 0), make_float3(dy, 0, 0)),
                    fetch1<Reader>(t, x))
WARPMEM_LEVEL_FETCH(__warpmem_tex_grad_2d_f32,
                    (WARPMEM_HANDLE, float x, float y, float xx, float xy, float yx, float yy),
                    level_of(base, make_float3(xx, xy, 0), make_float3(yx, yy, 0)),
                    fetch2<Reader>(t, x, y))
WARPMEM_LEVEL_FETCH(__warpmem_tex_grad_3d_f32,
                    (WARPMEM_HANDLE, float x, float y, float z, float xx, float xy, float xz,
                     float yx, float yy, float yz),
                    level_of(base, make_float3(xx, xy, xz), make_float3(yx, yy, yz)),
                    fetch3<Reader>(t, x, y, z))

// A component of the four texels that a filter would blend.
#define WARPMEM_GATHER(name, component)                                                     \
  extern "C" __device__ __attribute__((used, noinline)) uint4 name(WARPMEM_HANDLE, float x, \
                                                                   float y) {               \
    const warpmem_texture* const t = behind(handle);                                        \
    const int i = corner(x, field(&t->normalized), field(&t->width));                       \
    const int j = corner(y, field(&t->normalized), field(&t->height));                      \
    return make_uint4(one_of(t, i, j + 1).component, one_of(t, i + 1, j + 1).component,     \
                      one_of(t, i + 1, j).component, one_of(t, i, j).component);            \
  }
WARPMEM_GATHER(__warpmem_tld4_r, x)
WARPMEM_GATHER(__warpmem_tld4_g, y)
WARPMEM_GATHER(__warpmem_tld4_b, z)
WARPMEM_GATHER(__warpmem_tld4_a, w)

extern "C" __device__ __attribute__((used, noinline)) int __warpmem_suq_width(WARPMEM_HANDLE) {
  const warpmem_texture* const t = behind(handle);
  return field(&t->width) * 8 / (field(&t->channels) * field(&t->bits));
}

// Elements of 1, 2, 4, 8 or 16 bytes.
extern "C" __device__ __attribute__((used, noinline)) uint4 __warpmem_suld(WARPMEM_HANDLE, int x,
                                                                           int y, int z, int bytes,
                                                                           int mode) {
  const unsigned char* const at = surface_place(behind(handle), x, y, z, bytes, mode);
  if (!at) return make_uint4(0, 0, 0, 0);
  switch (bytes) {
    case 1:
      return make_uint4(*at, 0, 0, 0);
    case 2:
      return make_uint4(*reinterpret_cast<const unsigned short*>(at), 0, 0, 0);
    case 4:
      return make_uint4(*reinterpret_cast<const unsigned*>(at), 0, 0, 0);
    case 8: {
      const uint2 two = *reinterpret_cast<const uint2*>(at);
      return make_uint4(two.x, two.y, 0, 0);
    }
    default:
      return *reinterpret_cast<const uint4*>(at);
  }
}
extern "C" __device__ __attribute__((used, noinline)) void __warpmem_sust(WARPMEM_HANDLE, int x,
                                                                          int y, int z, int bytes,
                                                                          int mode, uint4 value) {
  unsigned char* const at = surface_place(behind(handle), x, y, z, bytes, mode);
  if (!at) return;
  switch (bytes) {
    case 1:
      *at = value.x;
      break;
    case 2:
      *reinterpret_cast<unsigned short*>(at) = value.x;
      break;
    case 4:
      *reinterpret_cast<unsigned*>(at) = value.x;
      break;
    case 8:
      *reinterpret_cast<uint2*>(at) = make_uint2(value.x, value.y);
      break;
    default:
      *reinterpret_cast<uint4*>(at) = value;
      break;
  }
}
