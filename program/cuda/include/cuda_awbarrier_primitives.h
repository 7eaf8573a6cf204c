// SPDX-License-Identifier: Apache-2.0
// Barriers in shared memory that threads arrive at and wait for (mbarrier), as the CUDA C++
// programming guide names them. The asm statements stand for any architecture.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__)

#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

static __device__ __forceinline__ unsigned int __warpmem_mbarrier(__mbarrier_t* barrier) {
  return static_cast<unsigned int>(__cvta_generic_to_shared(barrier));
}

static __device__ __forceinline__ uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1; }
static __device__ __forceinline__ void __mbarrier_init(__mbarrier_t* barrier, uint32_t arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(__warpmem_mbarrier(barrier)),
               "r"(arrivals)
               : "memory");
}
static __device__ __forceinline__ void __mbarrier_inval(__mbarrier_t* barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(__warpmem_mbarrier(barrier)) : "memory");
}
static __device__ __forceinline__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(__warpmem_mbarrier(barrier))
               : "memory");
  return token;
}
static __device__ __forceinline__ __mbarrier_token_t
__mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(__warpmem_mbarrier(barrier))
               : "memory");
  return token;
}
/// Arrivals that the phase still missed before the one that the token is of.
static __device__ __forceinline__ uint32_t
__mbarrier_token_pending_count(__mbarrier_token_t token) {
  uint32_t count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}
/// Whether the phase of the token has ended; it does not wait.
static __device__ __forceinline__ bool __mbarrier_test_wait(__mbarrier_t* barrier,
                                                            __mbarrier_token_t token) {
  uint32_t ended;
  asm volatile(
      "{ .reg .pred ended; mbarrier.test_wait.shared.b64 ended, [%1], %2;"
      " selp.u32 %0, 1, 0, ended; }"
      : "=r"(ended)
      : "r"(__warpmem_mbarrier(barrier)), "l"(token)
      : "memory");
  return ended != 0;
}
static __device__ __forceinline__ bool __mbarrier_test_wait_parity(__mbarrier_t* barrier,
                                                                   bool parity) {
  uint32_t ended;
  asm volatile(
      "{ .reg .pred ended; mbarrier.test_wait.parity.shared.b64 ended, [%1], %2;"
      " selp.u32 %0, 1, 0, ended; }"
      : "=r"(ended)
      : "r"(__warpmem_mbarrier(barrier)), "r"(static_cast<uint32_t>(parity))
      : "memory");
  return ended != 0;
}
/// As the two above; the thread may be suspended for as long as `nanoseconds`.
static __device__ __forceinline__ bool __mbarrier_try_wait(__mbarrier_t* barrier,
                                                           __mbarrier_token_t token,
                                                           uint32_t nanoseconds) {
  uint32_t ended;
  asm volatile(
      "{ .reg .pred ended; mbarrier.try_wait.shared.b64 ended, [%1], %2, %3;"
      " selp.u32 %0, 1, 0, ended; }"
      : "=r"(ended)
      : "r"(__warpmem_mbarrier(barrier)), "l"(token), "r"(nanoseconds)
      : "memory");
  return ended != 0;
}
static __device__ __forceinline__ bool __mbarrier_try_wait_parity(__mbarrier_t* barrier,
                                                                  bool parity,
                                                                  uint32_t nanoseconds) {
  uint32_t ended;
  asm volatile(
      "{ .reg .pred ended; mbarrier.try_wait.parity.shared.b64 ended, [%1], %2, %3;"
      " selp.u32 %0, 1, 0, ended; }"
      : "=r"(ended)
      : "r"(__warpmem_mbarrier(barrier)), "r"(static_cast<uint32_t>(parity)), "r"(nanoseconds)
      : "memory");
  return ended != 0;
}

#endif
