// SPDX-License-Identifier: Apache-2.0
// Memory in pages of 2 MiB, where the host grants them on request: a process that begins touches
// some ten MiB, of which each page of 4 KiB is a fault. SystemC alone clears 3 MiB when it is
// loaded, before main(), so that the allocation itself must ask. For executables and the library
// that programs are linked with; a library for others leaves their memory alone.
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kHugePage = std::size_t(2) << 20;
constexpr int kFirstHeap = 16 << 20;  // bytes

void* allocate(std::size_t bytes) {
  if (bytes < kHugePage) return std::malloc(bytes != 0 ? bytes : 1);
  const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* const place = std::aligned_alloc(kHugePage, whole);
  if (place != nullptr) madvise(place, whole, MADV_HUGEPAGE);  // if not granted, nothing is lost
  return place;
}

/// Lets the heap begin with kFirstHeap bytes that may be huge pages. What malloc() adapts to the
/// program it no longer does when told one of these values, so that it is told all of them.
struct FirstHeap {
  FirstHeap() {
    mallopt(M_TOP_PAD, kFirstHeap);
    mallopt(M_TRIM_THRESHOLD, 4 * kFirstHeap);
    mallopt(M_MMAP_THRESHOLD, 2 * kFirstHeap);  // as far as it goes by itself
    void* const first = std::malloc(kHugePage / 16);
    const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0)) / kHugePage * kHugePage;
    const auto begin =
        (reinterpret_cast<std::uintptr_t>(first) + kHugePage - 1) / kHugePage * kHugePage;
    std::free(first);
    if (first != nullptr && begin < end && end - begin <= kFirstHeap)
      madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }
} const first_heap;

}  // namespace

void* operator new(std::size_t bytes) {
  for (;;) {
    if (void* const place = allocate(bytes)) return place;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }
