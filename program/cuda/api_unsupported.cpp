// SPDX-License-Identifier: Apache-2.0
// Functions that exist so that programs which mention them link.
#include "program/cuda/api.hpp"

extern "C" {

#define WARPMEM_DEFINE(name) \
  cudaError_t name(...) { return warpmem::program::cuda::not_supported(#name); }
WARPMEM_UNSUPPORTED(WARPMEM_DEFINE)
#undef WARPMEM_DEFINE

}  // extern "C"
