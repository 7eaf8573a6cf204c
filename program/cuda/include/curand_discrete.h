// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "curand_discrete.h: warpmem has no discrete distributions (curand_poisson is there)"
