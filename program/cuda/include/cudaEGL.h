// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "cudaEGL.h: warpmem has no EGL"
