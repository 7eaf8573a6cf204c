// SPDX-License-Identifier: Apache-2.0
// The policies decide which pages migrate together with a faulting one (Prefetcher), and which
// leave device memory (Evictor). The two never call one another: any prefetcher goes with any
// evictor. The GMMU calls them and moves the pages; both see memory through a Residency.
//
// Life of a page:  absent -> in flight -> resident -> (in flight) -> absent
//                      arrives()    arrived()    choose() or left(), leaves()
//
// An Allocation stays where it is from allocated() to freed(); all its pages have left before
// freed(). Calls come in an order that depends on the simulated machine alone, so every policy is
// deterministic.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/stats.hpp"
#include "base/types.hpp"
#include "uvm/page.hpp"

namespace warpmem::uvm {

/// What policies may know of memory; the GMMU implements it. Pages of no live allocation are
/// neither present nor evictable.
class Residency {
 public:
  virtual ~Residency() = default;
  /// Returns whether the page is in device memory and may be used.
  virtual bool resident(PageNumber page) const = 0;
  /// Returns whether the page is on its way, in either direction.
  virtual bool in_flight(PageNumber page) const = 0;
  /// Returns whether the page is resident and nothing keeps it there (such as a translation on its
  /// way to a TLB).
  virtual bool evictable(PageNumber page) const = 0;
  /// Returns the live allocation that holds the page, or nullptr.
  virtual const Allocation* allocation_of(PageNumber page) const = 0;
  /// Number of managed pages that device memory can hold, >= 1.
  virtual std::uint64_t capacity_pages() const = 0;
  /// Number of frames in use: by resident pages and by those in flight.
  virtual std::uint64_t used_pages() const = 0;
  /// Number of bytes that the live allocations requested (M_agg of GU Eq 4.1).
  virtual std::uint64_t requested_bytes() const = 0;
  /// Returns whether the live allocations are larger than device memory and pages have had to leave
  /// for others since they are.
  virtual bool oversubscribed() const = 0;

  bool absent(PageNumber page) const { return !resident(page) && !in_flight(page); }
};

class Prefetcher {
 public:
  virtual ~Prefetcher() = default;

  virtual void allocated(const Allocation&) {}
  virtual void freed(const Allocation&) {}
  /// The page gets a frame: its transfer is scheduled, whoever asked for it.
  virtual void arrives(const Allocation&, PageNumber) {}
  /// The page gives its frame back, for whatever reason.
  virtual void leaves(const Allocation&, PageNumber) {}

  /// Handles a fault on `page`, an absent page of `allocation`. Appends the pages to bring in the
  /// order of their use to the program, `page` first; each is absent, named once, and within the
  /// allocation. Changes nothing that a later call depends on, but for the state of a random
  /// generator: arrives() tells what is really brought.
  virtual void on_fault(const Allocation& allocation, PageNumber page,
                        std::vector<PageNumber>& pages) = 0;

  /// Registers prefetch.* statistics.
  virtual void register_stats(StatGroup&) {}
};

class Evictor {
 public:
  virtual ~Evictor() = default;

  virtual void allocated(const Allocation&) {}
  virtual void freed(const Allocation&) {}
  /// The page has become resident. `now` is in SM cycles and never decreases over all calls.
  virtual void arrived(const Allocation& allocation, PageNumber page, Cycle now) = 0;
  /// A request to the resident page has passed its translation. The function must allocate nothing.
  virtual void touched(const Allocation& allocation, PageNumber page, Cycle now) = 0;
  /// The resident page leaves for another reason than choose(): the CPU uses it, or it is freed.
  virtual void left(const Allocation& allocation, PageNumber page) = 0;

  /// Appends victims until they are `pages` (>= 1) or no evictable page is left; they may be more
  /// when the policy evicts in larger pieces. Each is evictable and named once; neighbours that
  /// leave together stand together, ascending. The evictor counts them as gone: no left() follows.
  /// A call that finds no victim changes nothing.
  virtual void choose(std::uint64_t pages, Cycle now, std::vector<PageNumber>& victims) = 0;

  /// Returns whether pages should leave although nobody asks for room (GU 4.3.2.2). touched() makes
  /// it true. choose_expired() then appends these pages as choose() does (possibly none) and makes
  /// it false again.
  virtual bool has_expired() const { return false; }
  virtual void choose_expired(Cycle /*now*/, std::vector<PageNumber>& /*victims*/) {}

  /// A launch begins, and the registry has reset the peaks: those of what is there already begin
  /// with it.
  virtual void begin_launch() {}

  /// Registers evict.* statistics, with the laws of the policy.
  virtual void register_stats(StatGroup&) {}
  /// Describes the bits that the policy adds to the hardware, a line each; empty when it adds none.
  virtual std::string storage() const { return {}; }
};

}  // namespace warpmem::uvm
