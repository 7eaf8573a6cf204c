// SPDX-License-Identifier: Apache-2.0
#include "app/huge_heap.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
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
  // More than is free at the end of the heap, so that it grows.
  void* const piece = std::malloc(mallinfo2().keepcost + kHugePage / 16);
  mallopt(M_TOP_PAD, kLeastGrowth);
  const auto begin = reinterpret_cast<std::uintptr_t>(piece);
  std::free(piece);
  const auto first = (begin + kHugePage - 1) / kHugePage * kHugePage;
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0)) / kHugePage * kHugePage;
  if (piece == nullptr || first >= end || end - first > 2 * kMostGrowth) return;
  madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // if not, nothing is lost
}

}  // namespace warpmem::app
