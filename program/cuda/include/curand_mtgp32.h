// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "curand_mtgp32.h: warpmem has no MTGP32 (curand_kernel.h has other generators)"
