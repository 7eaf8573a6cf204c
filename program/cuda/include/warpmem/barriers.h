// SPDX-License-Identifier: Apache-2.0
// Barriers and fences as inline assembly that clobbers memory. clang 14 believes that the
// intrinsics behind its own __syncthreads() leave a __shared__ variable alone whose address is
// never taken, and keeps the old value in a register (LLVM's GlobalsModRef ignored synchronisation
// up to release 14).
#ifndef WARPMEM_BARRIERS_H
#define WARPMEM_BARRIERS_H

static __device__ __forceinline__ void warpmem_syncthreads() {
  asm volatile("bar.sync 0;" ::: "memory");
}
#define WARPMEM_REDUCING_BARRIER(name, instruction)                                   \
  static __device__ __forceinline__ int warpmem_syncthreads_##name(int predicate) {   \
    int result;                                                                       \
    asm volatile("{\n\t.reg .pred p, q;\n\tsetp.ne.s32 p, %1, 0;\n\t" instruction "}" \
                 : "=r"(result)                                                       \
                 : "r"(predicate)                                                     \
                 : "memory");                                                         \
    return result;                                                                    \
  }
WARPMEM_REDUCING_BARRIER(and, "bar.red.and.pred q, 0, p;\n\tselp.s32 %0, 1, 0, q;\n\t")
WARPMEM_REDUCING_BARRIER(or, "bar.red.or.pred q, 0, p;\n\tselp.s32 %0, 1, 0, q;\n\t")
WARPMEM_REDUCING_BARRIER(count, "bar.red.popc.u32 %0, 0, p;\n\t")
#undef WARPMEM_REDUCING_BARRIER
static __device__ __forceinline__ void warpmem_syncwarp(unsigned int mask = 0xffffffff) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
static __device__ __forceinline__ void warpmem_fence_block() {
  asm volatile("membar.cta;" ::: "memory");
}
static __device__ __forceinline__ void warpmem_fence() { asm volatile("membar.gl;" ::: "memory"); }
static __device__ __forceinline__ void warpmem_fence_system() {
  asm volatile("membar.sys;" ::: "memory");
}

// These are macros, because the compiler declares these names itself.
#define __syncthreads() warpmem_syncthreads()
#define __syncthreads_and(predicate) warpmem_syncthreads_and(predicate)
#define __syncthreads_or(predicate) warpmem_syncthreads_or(predicate)
#define __syncthreads_count(predicate) warpmem_syncthreads_count(predicate)
#define __syncwarp(...) warpmem_syncwarp(__VA_ARGS__)
#define __threadfence() warpmem_fence()
#define __threadfence_block() warpmem_fence_block()
#define __threadfence_system() warpmem_fence_system()

#endif
