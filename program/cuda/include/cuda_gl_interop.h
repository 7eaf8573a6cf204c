// SPDX-License-Identifier: Apache-2.0
// Sharing memory with OpenGL. Its functions are among those of cuda_runtime_api.h that return
// cudaErrorNotSupported and say so: programs that can also do without run.
#ifndef WARPMEM_CUDA_GL_INTEROP_H
#define WARPMEM_CUDA_GL_INTEROP_H

#if defined(__has_include)
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif
#endif

#include "cuda_runtime_api.h"

enum cudaGLDeviceList {
  cudaGLDeviceListAll = 1,
  cudaGLDeviceListCurrentFrame = 2,
  cudaGLDeviceListNextFrame = 3
};
enum cudaGLMapFlags {
  cudaGLMapFlagsNone = 0,
  cudaGLMapFlagsReadOnly = 1,
  cudaGLMapFlagsWriteDiscard = 2
};

#endif
