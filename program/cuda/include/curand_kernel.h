// SPDX-License-Identifier: Apache-2.0
// Random numbers in device code: XORWOW, Philox and MRG32k3a, in the sequences that their authors'
// constants and cuRAND's documentation give. Sobol's are not there.
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "curand.h"

#if defined(__CUDA__)
#include "warpmem/random_mrg.h"
#include "warpmem/random_philox.h"
#include "warpmem/random_xorwow.h"
// clang-format off
#include "warpmem/random_distributions.h"  // needs the generators
// clang-format on
#else
// Host code only keeps pointers to states.
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
#endif

#endif
