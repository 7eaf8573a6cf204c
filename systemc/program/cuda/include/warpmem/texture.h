// SPDX-License-Identifier: Apache-2.0
// Textures without texture hardware: a fetch reads the descriptor of the texture and then the texel
// by read-only global loads. Linear filtering weighs with 8 bits of fraction, as GPUs do.
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

/// What a fetch returns: the element, or floats for cudaReadModeNormalizedFloat.
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

/// The descriptor behind a texture reference.
template <class Reference>
static __device__ __forceinline__ const warpmem_texture* descriptor(Reference reference) {
#if defined(__CUDA_ARCH__)
  const unsigned long long* handle;
  asm("mov.u64 %0, %1;" : "=l"(handle) : "l"(reference));
  return reinterpret_cast<const warpmem_texture*>(__ldg(handle));
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

template <class Type_>
static __device__ __forceinline__ Type_ texel(const warpmem_texture* t, int x, int y) {
  if (!place(x, __ldg(&t->width), __ldg(&t->address[0])) ||
      !place(y, __ldg(&t->height), __ldg(&t->address[1])))
    return Type_();
  const unsigned char* const data =
      reinterpret_cast<const unsigned char*>(__ldg(reinterpret_cast<const unsigned long long*>(t)));
  return __ldg(reinterpret_cast<const Type_*>(data + y * __ldg(&t->pitch)) + x);
}

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

/// The fraction of a filter position, in steps of 1/256.
static __device__ __forceinline__ float weight(float position) {
  return rintf((position - floorf(position)) * 256.0f) * (1.0f / 256.0f);
}

template <class Type_, cudaTextureReadMode mode>
static __device__ __forceinline__ typename Fetched<Type_, mode>::type fetch2(
    const warpmem_texture* t, float x, float y) {
  if (__ldg(&t->normalized)) {
    x *= __ldg(&t->width);
    y *= __ldg(&t->height);
  }
  using Convert_ = Convert<mode>;
  if (__ldg(&t->filter) == cudaFilterModePoint)
    return Convert_::from(texel<Type_>(t, (int)floorf(x), (int)floorf(y)));
  x -= 0.5f;
  y -= 0.5f;
  const int i = (int)floorf(x), j = (int)floorf(y);
  return blend(blend(Convert_::from(texel<Type_>(t, i, j)),
                     Convert_::from(texel<Type_>(t, i + 1, j)), weight(x)),
               blend(Convert_::from(texel<Type_>(t, i, j + 1)),
                     Convert_::from(texel<Type_>(t, i + 1, j + 1)), weight(x)),
               weight(y));
}

template <class Type_, cudaTextureReadMode mode>
static __device__ __forceinline__ typename Fetched<Type_, mode>::type fetch1(
    const warpmem_texture* t, float x) {
  if (__ldg(&t->normalized)) x *= __ldg(&t->width);
  using Convert_ = Convert<mode>;
  if (__ldg(&t->filter) == cudaFilterModePoint)
    return Convert_::from(texel<Type_>(t, (int)floorf(x), 0));
  x -= 0.5f;
  const int i = (int)floorf(x);
  return blend(Convert_::from(texel<Type_>(t, i, 0)), Convert_::from(texel<Type_>(t, i + 1, 0)),
               weight(x));
}

/// Fetches by index read zero outside.
template <class Type_>
static __device__ __forceinline__ Type_ element(const warpmem_texture* t, int x) {
  if (x < 0 || x >= __ldg(&t->width)) return Type_();
  return __ldg(
      reinterpret_cast<const Type_*>(__ldg(reinterpret_cast<const unsigned long long*>(t))) + x);
}

}  // namespace warpmem_textures

template <class Type_, cudaTextureReadMode mode>
static __device__ __forceinline__ typename warpmem_textures::Fetched<Type_, mode>::type tex1Dfetch(
    texture<Type_, cudaTextureType1D, mode> t, int x) {
  return warpmem_textures::Convert<mode>::from(
      warpmem_textures::element<Type_>(warpmem_textures::descriptor(t), x));
}
template <class Type_, cudaTextureReadMode mode>
static __device__ __forceinline__ typename warpmem_textures::Fetched<Type_, mode>::type tex1D(
    texture<Type_, cudaTextureType1D, mode> t, float x) {
  return warpmem_textures::fetch1<Type_, mode>(warpmem_textures::descriptor(t), x);
}
template <class Type_, cudaTextureReadMode mode>
static __device__ __forceinline__ typename warpmem_textures::Fetched<Type_, mode>::type tex2D(
    texture<Type_, cudaTextureType2D, mode> t, float x, float y) {
  return warpmem_textures::fetch2<Type_, mode>(warpmem_textures::descriptor(t), x, y);
}

// Texture objects: the element type is the caller's word.
template <class Type_>
static __device__ __forceinline__ Type_ tex1Dfetch(cudaTextureObject_t object, int x) {
  return warpmem_textures::element<Type_>(warpmem_textures::descriptor(object), x);
}
template <class Type_>
static __device__ __forceinline__ Type_ tex1D(cudaTextureObject_t object, float x) {
  return warpmem_textures::fetch1<Type_, cudaReadModeElementType>(
      warpmem_textures::descriptor(object), x);
}
template <class Type_>
static __device__ __forceinline__ Type_ tex2D(cudaTextureObject_t object, float x, float y) {
  return warpmem_textures::fetch2<Type_, cudaReadModeElementType>(
      warpmem_textures::descriptor(object), x, y);
}
