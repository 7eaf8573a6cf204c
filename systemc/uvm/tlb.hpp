// SPDX-License-Identifier: Apache-2.0
// The TLB of an SM, between its load/store unit (cpu) and its L1D (mem). A request goes through
// unchanged once its page has a translation (GU 4.2.1, steps 2, 3 and 7).
//
//   hit    n: request looked up and sent to L1D; in a cycle as many as L1D has banks
//   miss   n: looked up and held   n+1: translation request to the GMMU (one a page)
//          t: translation taken    t+1..: the page's held requests to L1D, one a cycle, oldest
//          first
//
// A miss holds only the requests to its page: others pass, those of the same warp too. Requests to
// one page never overtake one another.
//
// The GMMU withdraws pages with shoot_down(). From the next cycle on they miss, and when every
// request to them that is beyond this point has been answered the TLB reports that it has drained.
#pragma once

#include <string>
#include <vector>

#include "base/clock_domain.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "uvm/page_counts.hpp"
#include "uvm/page_table.hpp"
#include "uvm/params.hpp"
#include "uvm/translation_cache.hpp"

namespace warpmem::uvm {

/// Is told what passes the TLBs; the GMMU implements it.
class TlbListener {
 public:
  virtual ~TlbListener() = default;
  /// A request to a managed page goes to L1D.
  virtual void used(PageNumber page, PageEntry& entry, bool write, Cycle now) = 0;
  /// A translation that was granted to this SM has arrived.
  virtual void taken(PageEntry& entry) = 0;
  /// No request to the pages of shoot-down `id` is under way at this SM.
  virtual void drained(unsigned id) = 0;
};

class Tlb : public sc_core::sc_module, public Clocked {
 public:
  struct Stats {
    std::uint64_t requests = 0;   ///< requests taken from the LSU
    std::uint64_t responses = 0;  ///< responses returned to the LSU
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;        ///< requests that asked the GMMU
    std::uint64_t merged = 0;        ///< requests that joined a miss to the same page
    std::uint64_t translations = 0;  ///< answers of the GMMU
    std::uint64_t shot_down = 0;     ///< translations withdrawn
    /// Cycles in which the oldest request found no room to be held.
    std::uint64_t full_cycles = 0;
    std::uint64_t held_peak = 0;
    std::uint64_t held_cycles = 0;  ///< requests held, times cycles
  };

  /// The TLBs of the SMs are ticked in the order of `sm`, which defines what is used first in a
  /// cycle.
  Tlb(sc_core::sc_module_name name, ClockDomain& domain, const UvmParams& params, unsigned sm,
      TransactionPool& pool, PageTable& table, TlbListener& listener);

  ServicePort cpu;
  RequestPort mem;
  RequestPort gmmu;

  /// Withdraws the pages [first, first + count) from the next cycle on.
  void shoot_down(unsigned id, PageNumber first, std::uint64_t count);
  /// Does the same at once, for pages that nobody uses. Precondition: idle().
  void forget(PageNumber first, std::uint64_t count) { cache_.forget(first, count); }

  bool idle() const;
  std::string describe() const;
  void register_stats(StatRegistry& registry, unsigned index);
  const Stats& stats() const { return stats_; }

 private:
  static constexpr unsigned kNone = ~0u;

  /// A page that requests wait for.
  struct Miss {
    PageNumber page = 0;
    PageEntry* entry = nullptr;  // the page's entry once it is translated; nullptr: not managed
    unsigned first = kNone;      // held requests, oldest first
    unsigned last = kNone;
    bool busy = false;
    bool ready = false;   // the translation has come, and its requests go to L1D
    bool closed = false;  // shot down since then: takes no more requests
  };
  struct Held {
    Payload* payload = nullptr;
    unsigned next = kNone;
  };
  struct Shootdown {
    unsigned id = 0;
    PageNumber first = 0;
    std::uint64_t count = 0;
    Cycle visible = 0;
    bool applied = false;
    std::uint64_t remaining = 0;  // requests to the pages that are under way, once applied
  };

  Cycle tick(Cycle now) override;
  void note_arrivals();
  void withdraw(Cycle now);
  void answer();
  void take_translation(Cycle now);
  bool replay(Cycle now);
  bool look_up(Cycle now);
  void ask();
  void report_drained();
  void forward(Payload& payload, PageNumber page, PageEntry* entry, Cycle now);
  void hold(Miss& miss, Payload& payload, Cycle now);
  unsigned find_miss(PageNumber page) const;
  void account_held(Cycle now);
  void count_blocked(Cycle now);
  RequestPort& home_of(const Payload& payload);
  unsigned debug(Payload& payload);
  void blocking(Payload& payload, sc_core::sc_time& delay);

  UvmParams params_;
  unsigned sm_;
  TransactionPool& pool_;
  PageTable& table_;
  TlbListener& listener_;
  TranslationCache<PageEntry*> cache_;
  PageCounts under_way_;  // requests to managed pages that are translated and not answered
  std::vector<Miss> misses_;
  unsigned misses_used_ = 0;
  std::vector<Held> held_;
  unsigned free_held_ = kNone;
  std::uint64_t held_now_ = 0;
  Cycle held_since_ = 0;
  Ring<unsigned> to_ask_;     // misses whose request to the GMMU is still to be sent
  Ring<unsigned> to_replay_;  // misses that are ready, in order of their translations
  std::vector<Shootdown> shootdowns_;
  std::uint64_t beyond_ = 0;  // requests that are at L1D
  unsigned arrived_ = 0;      // requests of the input queue that have their time stamp
  Femtoseconds time_ = 0;     // time of this tick
  Cycle blocked_since_ = kNever;
  Stats stats_;
};

}  // namespace warpmem::uvm
