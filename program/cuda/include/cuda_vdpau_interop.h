// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "cuda_vdpau_interop.h: warpmem has no VDPAU"
