// SPDX-License-Identifier: Apache-2.0
// What has to come before any other header when clang compiles CUDA: device overloads declared
// before <cmath> keep its constexpr functions from counting as device code.
#ifndef WARPMEM_PROLOGUE_H
#define WARPMEM_PROLOGUE_H

/* A name of its own for each type that has none and is a variable's of the device. */
#define warpmem_joined_name_(a, b) a##b
#define warpmem_joined_name(a, b) warpmem_joined_name_(a, b)
#define warpmem_unnamed_type warpmem_joined_name(warpmem_unnamed_type_, __COUNTER__)

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
