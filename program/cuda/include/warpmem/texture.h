// SPDX-License-Identifier: Apache-2.0
// Textures without texture hardware: a fetch reads the descriptor of the texture by constant loads
// and then the texel by a read-only global load. Linear filtering weighs with 8 bits of fraction,
// as GPUs do.
#pragma once

#include "../texture_types.h"

// clang makes a device variable of such a type a 64-bit handle; the runtime stores the descriptor's
// address in it.
template <class Type_, int dimensions = cudaTextureType1D,
          cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  texture(int is_normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
          cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference{
            is_normalized, filter, {address, address, address}, cudaCreateChannelDesc<Type_>()} {}
  texture(int is_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
          cudaChannelFormatDesc channels)
      : textureReference{is_normalized, filter, {address, address, address}, channels} {}
};

namespace warpmem_textures {

/// This is what a fetch returns: the element, or floats for cudaReadModeNormalizedFloat.
template <class Type_, cudaTextureReadMode mode>
struct Fetched {
  using type = Type_;
};
#define WARPMEM_NORMALIZED(element, most)                                               \
  template <>                                                                           \
  struct Fetched<element, cudaReadModeNormalizedFloat> {                                \
    using type = float;                                                                 \
    static __device__ float from(element v) { return fmaxf(v * (1.0f / most), -1.0f); } \
  };
#define WARPMEM_NORMALIZED2(element, most)                          \
  template <>                                                       \
  struct Fetched<element, cudaReadModeNormalizedFloat> {            \
    using type = float2;                                            \
    static __device__ float2 from(element v) {                      \
      return make_float2(v.x * (1.0f / most), v.y * (1.0f / most)); \
    }                                                               \
  };
#define WARPMEM_NORMALIZED4(element, most)                                              \
  template <>                                                                           \
  struct Fetched<element, cudaReadModeNormalizedFloat> {                                \
    using type = float4;                                                                \
    static __device__ float4 from(element v) {                                          \
      return make_float4(v.x * (1.0f / most), v.y * (1.0f / most), v.z * (1.0f / most), \
                         v.w * (1.0f / most));                                          \
    }                                                                                   \
  };
WARPMEM_NORMALIZED(unsigned char, 255)
WARPMEM_NORMALIZED(signed char, 127)
WARPMEM_NORMALIZED(char, 127)
WARPMEM_NORMALIZED(unsigned short, 65535)
WARPMEM_NORMALIZED(short, 32767)
WARPMEM_NORMALIZED2(uchar2, 255)
WARPMEM_NORMALIZED2(ushort2, 65535)
WARPMEM_NORMALIZED4(uchar4, 255)
WARPMEM_NORMALIZED4(ushort4, 65535)
#undef WARPMEM_NORMALIZED
#undef WARPMEM_NORMALIZED2
#undef WARPMEM_NORMALIZED4

template <cudaTextureReadMode mode>
struct Convert {
  template <class Type_>
  static __device__ typename Fetched<Type_, mode>::type from(Type_ value) {
    return Fetched<Type_, mode>::from(value);
  }
};
template <>
struct Convert<cudaReadModeElementType> {
  template <class Type_>
  static __device__ Type_ from(Type_ value) {
    return value;
  }
};

/// Returns a field of a descriptor by a constant load: GPUs keep descriptors in the texture unit,
/// so that only texels pass through L1D.
template <class Type_>
static __device__ __forceinline__ Type_ field(const Type_* at) {
  return *(const __attribute__((address_space(4))) Type_*)at;
}

/// Returns the descriptor behind a texture reference.
template <class Reference>
static __device__ __forceinline__ const warpmem_texture* descriptor(Reference reference) {
#if defined(__CUDA_ARCH__)
  const unsigned long long* handle;
  asm("mov.u64 %0, %1;" : "=l"(handle) : "l"(reference));
  return reinterpret_cast<const warpmem_texture*>(field(handle));
#else
  return nullptr;
#endif
}
static __device__ __forceinline__ const warpmem_texture* descriptor(cudaTextureObject_t object) {
  return reinterpret_cast<const warpmem_texture*>(object);
}

/// Places a texel's coordinate in [0, size); false when it has none and reads as zero.
static __device__ __forceinline__ bool place(int& at, int size, int mode) {
  if (at >= 0 && at < size) return true;
  switch (mode) {
    case cudaAddressModeWrap:
      at %= size;
      if (at < 0) at += size;
      return true;
    case cudaAddressModeMirror:
      at %= 2 * size;
      if (at < 0) at += 2 * size;
      if (at >= size) at = 2 * size - 1 - at;
      return true;
    case cudaAddressModeClamp:
      at = at < 0 ? 0 : size - 1;
      return true;
    default:
      return false;
  }
}

static __device__ __forceinline__ const unsigned char* texels(const warpmem_texture* t) {
  return reinterpret_cast<const unsigned char*>(
      field(reinterpret_cast<const unsigned long long*>(&t->data)));
}

/// Returns where a texel of `bytes` bytes lies; nullptr: there is none, and it reads as zero.
static __device__ __forceinline__ const unsigned char* texel_address(const warpmem_texture* t,
                                                                     int x, int y, int z,
                                                                     int bytes) {
  if (!place(x, field(&t->width), field(&t->address[0])) ||
      !place(y, field(&t->height), field(&t->address[1])) ||
      (z != 0 && !place(z, field(&t->depth), field(&t->address[2]))))
    return nullptr;
  return texels(t) + (z ? z * field(&t->slice) : 0) + y * field(&t->pitch) +
         static_cast<long long>(x) * bytes;
}

/// Reads a texel of a texture reference, whose type says what it holds and what comes of it.
template <class Type_, cudaTextureReadMode mode>
struct ByReference {
  using type = typename Fetched<Type_, mode>::type;
  static __device__ __forceinline__ type read(const warpmem_texture* t, int x, int y, int z) {
    const unsigned char* const at = texel_address(t, x, y, z, sizeof(Type_));
    return at ? Convert<mode>::from(__ldg(reinterpret_cast<const Type_*>(at))) : type();
  }
};

static __device__ __forceinline__ float from_half(unsigned short bits) {
  float value;
#if defined(__CUDA_ARCH__)
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
#endif
  return value;
}

/// Returns one component of a texel of integers, or of floats of 16 bits, as a float.
static __device__ __forceinline__ float component(const unsigned char* at, int bits, int index) {
  switch (bits) {
    case 8:
      return __ldg(at + index) * (1.0f / 255);
    case -8:
      return fmaxf(__ldg(reinterpret_cast<const signed char*>(at) + index) * (1.0f / 127), -1.0f);
    case 16:
      return __ldg(reinterpret_cast<const unsigned short*>(at) + index) * (1.0f / 65535);
    case WARPMEM_HALVES:
      return from_half(__ldg(reinterpret_cast<const unsigned short*>(at) + index));
    default:
      return fmaxf(__ldg(reinterpret_cast<const short*>(at) + index) * (1.0f / 32767), -1.0f);
  }
}
static __device__ __forceinline__ void components(const unsigned char* at, int bits, float& v) {
  v = component(at, bits, 0);
}
static __device__ __forceinline__ void components(const unsigned char* at, int bits, float2& v) {
  v = make_float2(component(at, bits, 0), component(at, bits, 1));
}
static __device__ __forceinline__ void components(const unsigned char* at, int bits, float4& v) {
  v = make_float4(component(at, bits, 0), component(at, bits, 1), component(at, bits, 2),
                  component(at, bits, 3));
}
template <class Type_>
static __device__ __forceinline__ void components(const unsigned char*, int, Type_&) {}

/// Reads a texel of a texture object. The element type is the caller's word; floats may stand for
/// integers, which the descriptor tells.
template <class Type_>
struct ByObject {
  using type = Type_;
  static __device__ __forceinline__ type read(const warpmem_texture* t, int x, int y, int z) {
    const int bits = field(&t->normalized_bits);
    Type_ value = Type_();
    if (bits == 0) {
      const unsigned char* const at = texel_address(t, x, y, z, sizeof(Type_));
      return at ? __ldg(reinterpret_cast<const Type_*>(at)) : value;
    }
    constexpr int kComponents = sizeof(Type_) / sizeof(float);
    const int width = bits == WARPMEM_HALVES ? 16 : bits < 0 ? -bits : bits;
    const unsigned char* const at = texel_address(t, x, y, z, kComponents * width / 8);
    if (at) components(at, bits, value);
    return value;
  }
};

static __device__ __forceinline__ float blend(float a, float b, float w) { return a + (b - a) * w; }
static __device__ __forceinline__ float2 blend(float2 a, float2 b, float w) {
  return make_float2(blend(a.x, b.x, w), blend(a.y, b.y, w));
}
static __device__ __forceinline__ float4 blend(float4 a, float4 b, float w) {
  return make_float4(blend(a.x, b.x, w), blend(a.y, b.y, w), blend(a.z, b.z, w),
                     blend(a.w, b.w, w));
}
/// Integers are never filtered.
template <class Type_>
static __device__ __forceinline__ Type_ blend(Type_ a, Type_, float) {
  return a;
}

/// Returns the fraction of a filter position, in steps of 1/256.
static __device__ __forceinline__ float weight(float position) {
  return rintf((position - floorf(position)) * 256.0f) * (1.0f / 256.0f);
}

template <class Reader>
static __device__ __forceinline__ typename Reader::type fetch1(const warpmem_texture* t, float x,
                                                               int layer = 0) {
  if (field(&t->normalized)) x *= field(&t->width);
  if (field(&t->filter) == cudaFilterModePoint) return Reader::read(t, (int)floorf(x), 0, layer);
  x -= 0.5f;
  const int i = (int)floorf(x);
  return blend(Reader::read(t, i, 0, layer), Reader::read(t, i + 1, 0, layer), weight(x));
}

/// This is one slice of a texture; x and y are in texels.
template <class Reader>
static __device__ __forceinline__ typename Reader::type plane(const warpmem_texture* t, float x,
                                                              float y, int z) {
  x -= 0.5f;
  y -= 0.5f;
  const int i = (int)floorf(x), j = (int)floorf(y);
  return blend(blend(Reader::read(t, i, j, z), Reader::read(t, i + 1, j, z), weight(x)),
               blend(Reader::read(t, i, j + 1, z), Reader::read(t, i + 1, j + 1, z), weight(x)),
               weight(y));
}

template <class Reader>
static __device__ __forceinline__ typename Reader::type fetch2(const warpmem_texture* t, float x,
                                                               float y, int layer = 0) {
  if (field(&t->normalized)) {
    x *= field(&t->width);
    y *= field(&t->height);
  }
  if (field(&t->filter) == cudaFilterModePoint)
    return Reader::read(t, (int)floorf(x), (int)floorf(y), layer);
  return plane<Reader>(t, x, y, layer);
}

template <class Reader>
static __device__ __forceinline__ typename Reader::type fetch3(const warpmem_texture* t, float x,
                                                               float y, float z) {
  if (field(&t->normalized)) {
    x *= field(&t->width);
    y *= field(&t->height);
    z *= field(&t->depth);
  }
  if (field(&t->filter) == cudaFilterModePoint)
    return Reader::read(t, (int)floorf(x), (int)floorf(y), (int)floorf(z));
  z -= 0.5f;
  const int k = (int)floorf(z);
  return blend(plane<Reader>(t, x, y, k), plane<Reader>(t, x, y, k + 1), weight(z));
}

/// Layers outside are the first or the last, whatever the address modes.
static __device__ __forceinline__ int layer_of(const warpmem_texture* t, int layer) {
  return max(0, min(layer, field(&t->depth) - 1));
}

/// Where a direction meets a cube: its face, and the place there from 0 to 1 (CUDA C++ Programming
/// Guide, table of cubemap fetches). Of equal distances z comes before y, and y before x, which the
/// guide leaves open.
struct OnCube {
  float x, y;
  int face;
};
static __device__ __forceinline__ OnCube on_cube(float x, float y, float z) {
  const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
  float s, t, m;
  int face;
  if (az >= ax && az >= ay) {
    face = z >= 0 ? 4 : 5;
    m = az;
    s = z >= 0 ? x : -x;
    t = -y;
  } else if (ay >= ax) {
    face = y >= 0 ? 2 : 3;
    m = ay;
    s = x;
    t = y >= 0 ? z : -z;
  } else {
    face = x >= 0 ? 0 : 1;
    m = ax;
    s = x >= 0 ? -z : z;
    t = -y;
  }
  return {(s / m + 1) * 0.5f, (t / m + 1) * 0.5f, face};
}

/// The faces of a cube lie one behind the other, six of each layer. Filters end at a face's edge.
template <class Reader>
static __device__ __forceinline__ typename Reader::type fetch_cube(const warpmem_texture* t,
                                                                   float x, float y, float z,
                                                                   int layer = 0) {
  const OnCube at = on_cube(x, y, z);
  const int last = field(&t->depth) / 6 - 1;
  const int slice = max(0, min(layer, last)) * 6 + at.face;
  const float column = at.x * field(&t->width), row = at.y * field(&t->height);
  if (field(&t->filter) == cudaFilterModePoint)
    return Reader::read(t, (int)floorf(column), (int)floorf(row), slice);
  return plane<Reader>(t, column, row, slice);
}

/// The levels of a mipmapped texture that a fetch blends: the second by `weight`.
struct Levels {
  const warpmem_texture *first, *second;
  float weight;
};
/// Any other texture has its own level alone, which any level asked for is limited to.
static __device__ __forceinline__ Levels levels_of(const warpmem_texture* t, float level) {
  const int last = field(&t->levels) - 1;
  if (last <= 0) return {t, t, 0};
  level =
      fminf(fmaxf(level + field(&t->level_bias), field(&t->least_level)), field(&t->most_level));
  level = fminf(fmaxf(level, 0.0f), static_cast<float>(last));
  if (field(&t->level_filter) == cudaFilterModePoint) {
    const warpmem_texture* const nearest = t + min((int)floorf(level + 0.5f), last);
    return {nearest, nearest, 0};
  }
  const int lower = (int)floorf(level);
  return {t + lower, t + min(lower + 1, last), weight(level)};
}

/// Returns the level at which the longer of two gradients, in coordinates of the texture, is one
/// texel.
static __device__ __forceinline__ float level_of(const warpmem_texture* t, float3 dx, float3 dy) {
  if (field(&t->levels) <= 1) return 0;
  const bool normalized = field(&t->normalized) != 0;
  const float w = normalized ? field(&t->width) : 1, h = normalized ? field(&t->height) : 1,
              d = normalized ? field(&t->depth) : 1;
  const float a = dx.x * w * dx.x * w + dx.y * h * dx.y * h + dx.z * d * dx.z * d;
  const float b = dy.x * w * dy.x * w + dy.y * h * dy.y * h + dy.z * d * dy.z * d;
  return 0.5f * __log2f(fmaxf(a, b));
}

/// Fetches by index read zero outside.
template <class Type_>
static __device__ __forceinline__ Type_ element(const warpmem_texture* t, int x) {
  if (x < 0 || x >= field(&t->width)) return Type_();
  return __ldg(reinterpret_cast<const Type_*>(texels(t)) + x);
}

}  // namespace warpmem_textures

#define WARPMEM_FETCH                              \
  template <class Type_, cudaTextureReadMode mode> \
  static __device__ __forceinline__ typename warpmem_textures::Fetched<Type_, mode>::type
#define WARPMEM_READER warpmem_textures::ByReference<Type_, mode>

WARPMEM_FETCH tex1Dfetch(texture<Type_, cudaTextureType1D, mode> t, int x) {
  return warpmem_textures::Convert<mode>::from(
      warpmem_textures::element<Type_>(warpmem_textures::descriptor(t), x));
}
WARPMEM_FETCH tex1D(texture<Type_, cudaTextureType1D, mode> t, float x) {
  return warpmem_textures::fetch1<WARPMEM_READER>(warpmem_textures::descriptor(t), x);
}
WARPMEM_FETCH tex2D(texture<Type_, cudaTextureType2D, mode> t, float x, float y) {
  return warpmem_textures::fetch2<WARPMEM_READER>(warpmem_textures::descriptor(t), x, y);
}
WARPMEM_FETCH tex3D(texture<Type_, cudaTextureType3D, mode> t, float x, float y, float z) {
  return warpmem_textures::fetch3<WARPMEM_READER>(warpmem_textures::descriptor(t), x, y, z);
}
WARPMEM_FETCH tex1DLayered(texture<Type_, cudaTextureType1DLayered, mode> t, float x, int layer) {
  const warpmem_texture* const d = warpmem_textures::descriptor(t);
  return warpmem_textures::fetch1<WARPMEM_READER>(d, x, warpmem_textures::layer_of(d, layer));
}
WARPMEM_FETCH tex2DLayered(texture<Type_, cudaTextureType2DLayered, mode> t, float x, float y,
                           int layer) {
  const warpmem_texture* const d = warpmem_textures::descriptor(t);
  return warpmem_textures::fetch2<WARPMEM_READER>(d, x, y, warpmem_textures::layer_of(d, layer));
}
WARPMEM_FETCH texCubemap(texture<Type_, cudaTextureTypeCubemap, mode> t, float x, float y,
                         float z) {
  return warpmem_textures::fetch_cube<WARPMEM_READER>(warpmem_textures::descriptor(t), x, y, z);
}
WARPMEM_FETCH texCubemapLayered(texture<Type_, cudaTextureTypeCubemapLayered, mode> t, float x,
                                float y, float z, int layer) {
  return warpmem_textures::fetch_cube<WARPMEM_READER>(warpmem_textures::descriptor(t), x, y, z,
                                                      layer);
}
#undef WARPMEM_FETCH
#undef WARPMEM_READER

// These take texture objects; the element type is the caller's word.
#define WARPMEM_FETCH    \
  template <class Type_> \
  static __device__ __forceinline__ Type_
#define WARPMEM_READER warpmem_textures::ByObject<Type_>

WARPMEM_FETCH tex1Dfetch(cudaTextureObject_t object, int x) {
  const warpmem_texture* const t = warpmem_textures::descriptor(object);
  if (x < 0 || x >= warpmem_textures::field(&t->width)) return Type_();
  return WARPMEM_READER::read(t, x, 0, 0);
}
WARPMEM_FETCH tex1D(cudaTextureObject_t object, float x) {
  return warpmem_textures::fetch1<WARPMEM_READER>(warpmem_textures::descriptor(object), x);
}
WARPMEM_FETCH tex2D(cudaTextureObject_t object, float x, float y) {
  return warpmem_textures::fetch2<WARPMEM_READER>(warpmem_textures::descriptor(object), x, y);
}
WARPMEM_FETCH tex3D(cudaTextureObject_t object, float x, float y, float z) {
  return warpmem_textures::fetch3<WARPMEM_READER>(warpmem_textures::descriptor(object), x, y, z);
}
WARPMEM_FETCH tex1DLayered(cudaTextureObject_t object, float x, int layer) {
  const warpmem_texture* const d = warpmem_textures::descriptor(object);
  return warpmem_textures::fetch1<WARPMEM_READER>(d, x, warpmem_textures::layer_of(d, layer));
}
WARPMEM_FETCH tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
  const warpmem_texture* const d = warpmem_textures::descriptor(object);
  return warpmem_textures::fetch2<WARPMEM_READER>(d, x, y, warpmem_textures::layer_of(d, layer));
}
WARPMEM_FETCH texCubemap(cudaTextureObject_t object, float x, float y, float z) {
  return warpmem_textures::fetch_cube<WARPMEM_READER>(warpmem_textures::descriptor(object), x, y,
                                                      z);
}
WARPMEM_FETCH texCubemapLayered(cudaTextureObject_t object, float x, float y, float z, int layer) {
  return warpmem_textures::fetch_cube<WARPMEM_READER>(warpmem_textures::descriptor(object), x, y, z,
                                                      layer);
}
#undef WARPMEM_FETCH
#undef WARPMEM_READER

// These forms return their value through a pointer.
#define WARPMEM_BY_POINTER(name, parameters, arguments)                                 \
  template <class Type_>                                                                \
  static __device__ __forceinline__ void name(Type_* value, cudaTextureObject_t object, \
                                              WARPMEM_LIST parameters) {                \
    *value = name<Type_>(object, WARPMEM_LIST arguments);                               \
  }
#define WARPMEM_LIST(...) __VA_ARGS__
WARPMEM_BY_POINTER(tex1Dfetch, (int x), (x))
WARPMEM_BY_POINTER(tex1D, (float x), (x))
WARPMEM_BY_POINTER(tex2D, (float x, float y), (x, y))
WARPMEM_BY_POINTER(tex3D, (float x, float y, float z), (x, y, z))
WARPMEM_BY_POINTER(tex1DLayered, (float x, int layer), (x, layer))
WARPMEM_BY_POINTER(tex2DLayered, (float x, float y, int layer), (x, y, layer))
WARPMEM_BY_POINTER(texCubemap, (float x, float y, float z), (x, y, z))
WARPMEM_BY_POINTER(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer))
#undef WARPMEM_LIST
#undef WARPMEM_BY_POINTER
