// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error \
    "curand_mtgp32_kernel.h: warpmem has no Mersenne twister for GPUs (curand_kernel.h: XORWOW, Philox, MRG32k3a)"
