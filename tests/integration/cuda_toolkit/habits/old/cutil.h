// SPDX-License-Identifier: Apache-2.0
// A program's own file of a name that the toolkit has, too.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define OWN_CUTIL 1
#define CUDA_SAFE_CALL(call)                                                          \
  do {                                                                                \
    cudaError_t status = call;                                                        \
    if (status != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      exit(1);                                                                        \
    }                                                                                 \
  } while (0)
#define CUT_CHECK_ERROR(message) CUDA_SAFE_CALL(cudaGetLastError())
