// SPDX-License-Identifier: Apache-2.0
// What has to come before any other header when clang compiles CUDA: device overloads declared
// before <cmath> keep its constexpr functions from counting as device code.
#ifndef WARPMEM_PROLOGUE_H
#define WARPMEM_PROLOGUE_H

// clang's pow(float, int) is a float. Since C++11 it is a double, as the host's: power.h.
#define pow warpmem_clang_pow
#include <__clang_cuda_math_forward_declares.h>
#undef pow
__attribute__((device)) double pow(double, double);
__attribute__((device)) float pow(float, float);

// libstdc++ leaves out __float128, which device code cannot have, when it sees this.
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 5
#define __CUDACC_VER_BUILD__ 0

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <cstdlib>

#include "../cuda.h"

#endif
