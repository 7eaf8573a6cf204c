// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "cufftXt.h: warpmem has no cuFFT for several devices (cufft.h has the transforms)"
