// SPDX-License-Identifier: Apache-2.0
// Memory in pages of 2 MiB, where the host grants them on request: a process that begins touches
// some ten MiB, of which each page of 4 KiB is a fault. SystemC alone clears 3 MiB when it is
// loaded, before main(), so that the allocation itself must ask. For executables and the library
// that programs are linked with; a library for others leaves their memory alone.
#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "app/huge_heap.hpp"

namespace {

constexpr std::size_t kHugePage = std::size_t(2) << 20;

void* allocate(std::size_t bytes) {
  if (bytes < kHugePage) return std::malloc(bytes != 0 ? bytes : 1);
  const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* const place = std::aligned_alloc(kHugePage, whole);
  if (place != nullptr) madvise(place, whole, MADV_HUGEPAGE);  // if not granted, nothing is lost
  return place;
}

// Before main(), where most of what a small run touches is allocated.
struct FirstHeap {
  FirstHeap() { warpmem::app::expect_heap(0); }
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
