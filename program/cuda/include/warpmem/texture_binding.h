// SPDX-License-Identifier: Apache-2.0
// Binding of typed references of textures and surfaces.
#pragma once

#include "channel_formats.h"
#include "surface.h"
#include "texture.h"

template <class Type_, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<Type_, d, m>& reference,
                                          const void* pointer,
                                          const cudaChannelFormatDesc& channels,
                                          size_t bytes = 0xffffffffu) {
  return ::cudaBindTexture(offset, static_cast<const textureReference*>(&reference), pointer,
                           &channels, bytes);
}
template <class Type_, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<Type_, d, m>& reference,
                                          const void* pointer, size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, reference, pointer, reference.channelDesc, bytes);
}
template <class Type_, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<Type_, d, m>& reference,
                                            const void* pointer,
                                            const cudaChannelFormatDesc& channels, size_t width,
                                            size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, static_cast<const textureReference*>(&reference), pointer,
                             &channels, width, height, pitch);
}
template <class Type_, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<Type_, d, m>& reference,
                                            const void* pointer, size_t width, size_t height,
                                            size_t pitch) {
  return cudaBindTexture2D(offset, reference, pointer, reference.channelDesc, width, height, pitch);
}
template <class Type_, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTextureToArray(const texture<Type_, d, m>& reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& channels) {
  return ::cudaBindTextureToArray(static_cast<const textureReference*>(&reference), array,
                                  &channels);
}
template <class Type_, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTextureToArray(const texture<Type_, d, m>& reference,
                                                 cudaArray_const_t array) {
  return cudaBindTextureToArray(reference, array, reference.channelDesc);
}
template <class Type_, int d, cudaTextureReadMode m>
static inline cudaError_t cudaUnbindTexture(const texture<Type_, d, m>& reference) {
  return ::cudaUnbindTexture(static_cast<const textureReference*>(&reference));
}
template <class Type_, int d, cudaTextureReadMode m>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset,
                                                        const texture<Type_, d, m>& reference) {
  return ::cudaGetTextureAlignmentOffset(offset, static_cast<const textureReference*>(&reference));
}
template <class Type_, int d>
static inline cudaError_t cudaBindSurfaceToArray(const surface<Type_, d>& reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& channels) {
  return ::cudaBindSurfaceToArray(static_cast<const surfaceReference*>(&reference), array,
                                  &channels);
}
template <class Type_, int d>
static inline cudaError_t cudaBindSurfaceToArray(const surface<Type_, d>& reference,
                                                 cudaArray_const_t array) {
  return ::cudaBindSurfaceToArray(static_cast<const surfaceReference*>(&reference), array, nullptr);
}
