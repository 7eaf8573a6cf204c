// SPDX-License-Identifier: Apache-2.0
// cudaCreateChannelDesc<T>(): the bits of each component of an element.
#pragma once

#include "../cuda_runtime_api.h"

#if defined(__cplusplus)

template <class Type_>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define WARPMEM_CHANNELS(type, x, y, z, w, kind)               \
  template <>                                                  \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() { \
    return cudaCreateChannelDesc(x, y, z, w, kind);            \
  }
#define WARPMEM_CHANNELS_OF(scalar, vector, bits, kind) \
  WARPMEM_CHANNELS(scalar, bits, 0, 0, 0, kind)         \
  WARPMEM_CHANNELS(vector##1, bits, 0, 0, 0, kind)      \
  WARPMEM_CHANNELS(vector##2, bits, bits, 0, 0, kind)   \
  WARPMEM_CHANNELS(vector##4, bits, bits, bits, bits, kind)
WARPMEM_CHANNELS(char, 8, 0, 0, 0, cudaChannelFormatKindSigned)
WARPMEM_CHANNELS_OF(signed char, char, 8, cudaChannelFormatKindSigned)
WARPMEM_CHANNELS_OF(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
WARPMEM_CHANNELS_OF(short, short, 16, cudaChannelFormatKindSigned)
WARPMEM_CHANNELS_OF(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
WARPMEM_CHANNELS_OF(int, int, 32, cudaChannelFormatKindSigned)
WARPMEM_CHANNELS_OF(unsigned int, uint, 32, cudaChannelFormatKindUnsigned)
WARPMEM_CHANNELS_OF(float, float, 32, cudaChannelFormatKindFloat)
#undef WARPMEM_CHANNELS_OF
#undef WARPMEM_CHANNELS

/// Floats of 16 bits, which fetches make floats.
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf(void) {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1(void) {
  return cudaCreateChannelDescHalf();
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2(void) {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4(void) {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

#endif
