// SPDX-License-Identifier: Apache-2.0
// The GPU's page table: where each page of managed memory is. A page that is in no managed
// allocation has no entry; it lies in device memory for ever.
//
//   absent -> arriving -> resident -> leaving -> absent
//
// The frame of a page has the page's own address, so that caches and DRAM see the addresses of the
// program. What is limited is the number of frames in use.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/types.hpp"
#include "uvm/page.hpp"

namespace warpmem::uvm {

enum class PageState : std::uint8_t {
  absent,    ///< the page is in host memory
  arriving,  ///< the page has a frame, and its bytes are on their way
  resident,  ///< the page is in device memory and may be used
  leaving    ///< the page is in device memory, and its translation is withdrawn
};

struct PageEntry {
  PageState state = PageState::absent;
  bool dirty = false;       ///< written since it arrived
  bool touched = false;     ///< used since it arrived
  bool prefetched = false;  ///< came along with a faulting page and has not been used
  bool evicted = false;     ///< has been evicted before
  /// Number of translations given to TLBs that have not taken them yet; the page stays until they
  /// have.
  std::uint32_t granted = 0;
  Cycle settled = 0;  ///< the first cycle in which the GMMU sees the last of them taken
};

/// The pages of one call of cudaMallocManaged.
struct ManagedRange {
  Allocation allocation;
  std::vector<PageEntry> pages;
  std::uint64_t ordinal = 0;  ///< number of pages in the ranges before this one
};

class PageTable {
 public:
  explicit PageTable(unsigned page_shift) : shift_(page_shift) {}

  unsigned page_shift() const { return shift_; }
  std::uint64_t page_bytes() const { return std::uint64_t(1) << shift_; }
  PageNumber page_of(Addr address) const { return address >> shift_; }
  Addr address_of(PageNumber page) const { return page << shift_; }

  /// Adds an allocation. `begin` is the start of a page that no other allocation shares.
  ManagedRange& add(Addr begin, std::uint64_t bytes);
  /// Forgets the allocation that begins there. Nobody may hold an entry of it.
  void remove(Addr begin);
  /// Returns the allocation that holds a page, or nullptr.
  ManagedRange* range_of(PageNumber page);
  const ManagedRange* range_of(PageNumber page) const {
    return const_cast<PageTable*>(this)->range_of(page);
  }
  /// Returns the entry of a page, or nullptr when it is not managed. The entry stays valid until
  /// the allocation is removed.
  PageEntry* find(PageNumber page) {
    ManagedRange* const range = range_of(page);
    return range == nullptr ? nullptr : &range->pages[page - range->allocation.first];
  }
  const PageEntry* find(PageNumber page) const { return const_cast<PageTable*>(this)->find(page); }

  const std::vector<std::unique_ptr<ManagedRange>>& ranges() const { return ranges_; }
  /// Number of pages of all live allocations, and of the bytes that the program requested.
  std::uint64_t pages() const { return pages_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  void number();

  unsigned shift_;
  std::uint64_t pages_ = 0;
  std::uint64_t bytes_ = 0;
  unsigned calls_ = 0;
  std::vector<std::unique_ptr<ManagedRange>> ranges_;  // ranges, by address
  ManagedRange* last_ = nullptr;                       // the range found last
};

}  // namespace warpmem::uvm
