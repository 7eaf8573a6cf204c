// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "cuda_egl_interop.h: warpmem has no EGL"
