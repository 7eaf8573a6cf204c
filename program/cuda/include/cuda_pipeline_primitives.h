// SPDX-License-Identifier: Apache-2.0
// Copies from global to shared memory that go past registers (cp.async), in groups that a thread
// closes and waits for. The asm statements stand for any architecture: the compiler's own
// intrinsics ask for sm_80.
#pragma once

#include "cuda_awbarrier_primitives.h"
#include "cuda_runtime.h"

#if defined(__CUDA__)

/// Copies `size` bytes, 4, 8 or 16, of which the last `zfill` are zero instead. Both addresses are
/// aligned to `size`.
static __device__ __forceinline__ void __pipeline_memcpy_async(void* shared, const void* global,
                                                               size_t size, size_t zfill = 0) {
  const auto to = static_cast<unsigned int>(__cvta_generic_to_shared(shared));
  const auto source = static_cast<unsigned int>(size - zfill);
  if (size == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(source)
                 : "memory");
  else if (size == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(global), "r"(source)
                 : "memory");
  else if (size == 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(global), "r"(source)
                 : "memory");
  else
    __trap();
}
static __device__ __forceinline__ void __pipeline_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
#define WARPMEM_WAIT_GROUP(groups)                                 \
  case groups:                                                     \
    asm volatile("cp.async.wait_group " #groups ";" ::: "memory"); \
    break;
/// Waits until at most `groups` of the thread's closed groups are under way. A warp has no more
/// than eight.
static __device__ __forceinline__ void __pipeline_wait_prior(size_t groups) {
  switch (groups) {
    WARPMEM_WAIT_GROUP(0)
    WARPMEM_WAIT_GROUP(1)
    WARPMEM_WAIT_GROUP(2)
    WARPMEM_WAIT_GROUP(3)
    WARPMEM_WAIT_GROUP(4)
    WARPMEM_WAIT_GROUP(5)
    WARPMEM_WAIT_GROUP(6)
    WARPMEM_WAIT_GROUP(7)
    default:
      break;
  }
}
#undef WARPMEM_WAIT_GROUP
/// The thread's copies so far arrive at the barrier, as one of the arrivals that it expects.
static __device__ __forceinline__ void __pipeline_arrive_on(__mbarrier_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(__warpmem_mbarrier(barrier))
               : "memory");
}

#endif
