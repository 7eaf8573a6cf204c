// SPDX-License-Identifier: Apache-2.0
#include "base/zero_bytes.hpp"

#include <sys/mman.h>

#include <new>

namespace warpmem {

// The host puts mappings side by side, so that the small ones of many caches share huge pages.
ZeroBytes::ZeroBytes(std::size_t count) : count_(count) {
  if (count == 0) return;
  void* const place = mmap(nullptr, count, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) throw std::bad_alloc();
  madvise(place, count, MADV_HUGEPAGE);  // if not granted, nothing is lost
  bytes_ = static_cast<std::uint8_t*>(place);
}

ZeroBytes::~ZeroBytes() {
  if (bytes_ != nullptr) munmap(bytes_, count_);
}

}  // namespace warpmem
