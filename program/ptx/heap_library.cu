// SPDX-License-Identifier: Apache-2.0
// malloc() and free() of kernels, on a heap in device memory (CUDA C++ Programming Guide, "Dynamic
// Global Memory Allocation"). Compiled to PTX with the interpreter and linked into modules that
// call them, so that what an allocation costs is seen by the memory system.
//
// Blocks have powers of two in bytes. A size has a stack of those that were freed; its head holds
// a number besides the place, which changes with each push and pop, so that a compare-and-swap
// notices that the head has been away meanwhile. What is not on a stack is cut off the rest.
#include <cuda_runtime.h>

namespace warpmem_heap {

typedef unsigned long long word;

constexpr int kSmallest = 5;           ///< log2 of the bytes of the smallest block
constexpr int kSizes = 32;             ///< sizes of blocks
constexpr int kPlaceBits = 40;         ///< of a head; the others count
constexpr word kMark = 0x77617270ull;  ///< of a block in use
constexpr word kBlockHeader = 16;      ///< before what the program gets; keeps its alignment

/// The beginning of the heap. Places are offsets from it; all that is not `bytes` starts as zero.
struct Heap {
  word bytes;  ///< written by the host
  word used;   ///< without the header
  word freed[kSizes];
};
constexpr word kHeapHeader = sizeof(Heap);
static_assert(kHeapHeader == 272, "heap_library.hpp says so, and blocks are aligned to 16");

static __device__ char* heap() {
  unsigned low, high;
  asm("mov.u32 %0, %%envreg3;" : "=r"(low));
  asm("mov.u32 %0, %%envreg4;" : "=r"(high));
  return reinterpret_cast<char*>((word)high << 32 | low);
}

static __device__ volatile word& word_at(char* base, word place) {
  return *reinterpret_cast<volatile word*>(base + place);
}

static __device__ word head(word old, word place) {
  return ((old >> kPlaceBits) + 1) << kPlaceBits | place;
}

static __device__ word pop(char* base, word* stack) {
  word old = *(volatile word*)stack;
  for (;;) {
    const word place = old & (((word)1 << kPlaceBits) - 1);
    if (place == 0) return 0;
    const word next = word_at(base, place + kBlockHeader);
    const word seen = atomicCAS(stack, old, head(old, next));
    if (seen == old) return place;
    old = seen;
  }
}

static __device__ void push(char* base, word* stack, word place) {
  word old = *(volatile word*)stack;
  for (;;) {
    word_at(base, place + kBlockHeader) = old & (((word)1 << kPlaceBits) - 1);
    __threadfence();
    const word seen = atomicCAS(stack, old, head(old, place));
    if (seen == old) return;
    old = seen;
  }
}

}  // namespace warpmem_heap

extern "C" __device__ __attribute__((nothrow)) void* malloc(size_t bytes) {
  using namespace warpmem_heap;
  char* const base = heap();
  if (base == nullptr || bytes == 0) return nullptr;
  Heap* const h = reinterpret_cast<Heap*>(base);
  const word limit = word_at(base, 0);
  if (bytes > limit) return nullptr;
  const word need = bytes + kBlockHeader;
  const int size = need <= (1u << kSmallest) ? 0 : 64 - __clzll(need - 1) - kSmallest;
  word place = pop(base, &h->freed[size]);
  if (place == 0) {
    const word block = (word)1 << (size + kSmallest);
    const word before = atomicAdd(&h->used, block);
    if (before + block > limit) {
      atomicAdd(&h->used, 0 - block);
      return nullptr;
    }
    place = kHeapHeader + before;
  }
  word_at(base, place) = kMark << 8 | size;
  return base + place + kBlockHeader;
}

extern "C" __device__ __attribute__((nothrow)) void free(void* pointer) {
  using namespace warpmem_heap;
  if (pointer == nullptr) return;
  char* const base = heap();
  Heap* const h = reinterpret_cast<Heap*>(base);
  const word place = static_cast<char*>(pointer) - base - kBlockHeader;
  const word mark = word_at(base, place);
  if (mark >> 8 != kMark) __trap();  // no block of the heap, or free already
  word_at(base, place) = 0;
  push(base, &h->freed[mark & 0xff], place);
}
