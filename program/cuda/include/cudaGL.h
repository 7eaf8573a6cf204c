// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "cudaGL.h: warpmem has no OpenGL in the driver API"
