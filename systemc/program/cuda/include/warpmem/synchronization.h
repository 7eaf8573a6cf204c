// SPDX-License-Identifier: Apache-2.0
// Barriers, fences, votes, shuffles and clocks of device code.
#pragma once

#include "../host_defines.h"

#if defined(__CUDA__)
#define WARPMEM_DEVICE static __inline__ __attribute__((always_inline)) __device__

// __syncthreads() itself is a compiler builtin.
WARPMEM_DEVICE int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate != 0); }
WARPMEM_DEVICE int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate != 0); }
WARPMEM_DEVICE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate != 0); }
WARPMEM_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
WARPMEM_DEVICE void __threadfence() { __nvvm_membar_gl(); }
WARPMEM_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

WARPMEM_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }

WARPMEM_DEVICE unsigned int __activemask() {
  unsigned int mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}

#endif
