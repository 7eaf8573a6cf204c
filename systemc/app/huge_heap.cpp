// SPDX-License-Identifier: Apache-2.0
#include "app/huge_heap.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace warpmem::app {

namespace {
constexpr std::size_t kHugePage = std::size_t(2) << 20;
constexpr std::size_t kLeastGrowth = std::size_t(16) << 20;
constexpr std::size_t kMostGrowth = std::size_t(1) << 30;  // mallopt() takes an int
constexpr int kLargestPiece = 32 << 20;  // that lies in the heap, as far as malloc() goes by itself
}  // namespace

void expect_heap(std::size_t bytes) {
  const std::size_t growth = std::clamp(bytes, kLeastGrowth, kMostGrowth);
  mallopt(M_MMAP_THRESHOLD, kLargestPiece);
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(kMostGrowth));
  mallopt(M_TOP_PAD, static_cast<int>(growth));
  // What is free at the end of the heap is taken first, so that it must grow.
  std::array<void*, 4> pieces{};
  const void* const before = sbrk(0);
  for (std::size_t i = 0; i < pieces.size() && sbrk(0) == before; ++i)
    pieces[i] = std::malloc(kLeastGrowth - kHugePage);
  mallopt(M_TOP_PAD, kLeastGrowth);
  for (void* const piece : pieces) std::free(piece);
  const auto address = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
  const auto first = (address(before) + kHugePage - 1) / kHugePage * kHugePage;
  const auto end = address(sbrk(0)) / kHugePage * kHugePage;
  if (first >= end) return;
  madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // if not, nothing is lost
}

}  // namespace warpmem::app
