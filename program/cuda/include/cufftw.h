// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "cufftw.h: warpmem has no FFTW's interface to cuFFT (cufft.h has the transforms)"
