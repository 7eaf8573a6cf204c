// SPDX-License-Identifier: Apache-2.0
// The memory management unit of the GPU: shared TLB, page-table walks, far faults and the migration
// of pages (GU 4.2.1, steps 3 to 7).
//
//   translation   n: request taken   n+l: shared TLB; hit: answered
//                 miss: a walk begins when a walker is free, one a page   +walk cycles: page known
//   present       answered, shared TLB filled
//   absent        an MSHR until the page is there; the fault goes to the fault buffer
//   host          takes one fault (or a batch), 45 us later names the pages that migrate
//   arrival       page table and shared TLB updated, every request for the page answered
//
// The unit is in the SM clock and is ticked after the TLBs of the SMs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/after_ticks.hpp"
#include "base/clock_domain.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "base/watchers.hpp"
#include "uvm/history.hpp"
#include "uvm/hooks.hpp"
#include "uvm/migrator.hpp"
#include "uvm/page_table.hpp"
#include "uvm/params.hpp"
#include "uvm/policy.hpp"
#include "uvm/registry.hpp"
#include "uvm/tlb.hpp"
#include "uvm/translation_cache.hpp"
#include "uvm/watch.hpp"

namespace warpmem::uvm {

class Gmmu : public sc_core::sc_module, public Clocked, public TlbListener, public Residency {
 public:
  struct Stats {
    std::uint64_t requests = 0;
    std::uint64_t responses = 0;
    std::uint64_t l2_hits = 0;
    std::uint64_t l2_merged = 0;  ///< requests that joined a walk or a fault of the same page
    std::uint64_t walks = 0;
    std::uint64_t walk_faults = 0;  ///< walks that found the page absent
    std::uint64_t walk_hits = 0;
    std::uint64_t walk_wait_cycles = 0;
    std::uint64_t faults = 0;         ///< faults sent to the host
    std::uint64_t faults_merged = 0;  ///< faults whose page was on its way already
    std::uint64_t faults_found = 0;  ///< faults whose page was there or coming when the host looked
    std::uint64_t batches = 0;
    std::uint64_t host_cycles = 0;  ///< cycles in which the host was handling faults
    std::uint64_t fault_wait_cycles = 0;
    std::uint64_t fault_queue_cycles = 0;  ///< of these: until the host takes the fault
    std::uint64_t fault_host_cycles = 0;   ///< ... until it has handled it
    std::uint64_t fault_room_cycles = 0;   ///< ... until the page has a frame
    std::uint64_t fault_link_cycles = 0;   ///< ... until its bytes are there
    std::uint64_t mshr_peak = 0;
    std::uint64_t buffer_peak = 0;
    std::uint64_t prefetched = 0;
    std::uint64_t prefetched_used = 0;
    std::uint64_t thrashed = 0;
    std::uint64_t asked_ahead = 0;  ///< pages moved by cudaMemPrefetchAsync
    std::uint64_t page_uses = 0;
  };

  Gmmu(sc_core::sc_module_name name, ClockDomain& domain, const UvmParams& params, unsigned sms,
       PageTable& table, MachineHooks hooks);
  ~Gmmu() override;

  /// The port for translation requests of SM `sm`.
  ServicePort& port(unsigned sm) { return *ports_[sm]; }
  /// The ports for migrations to device memory (reads) and to host memory (writes).
  RequestPort& to_device() { return migrator_.to_device; }
  RequestPort& to_host() { return migrator_.to_host; }

  void used(PageNumber page, PageEntry& entry, bool write, Cycle now) override;
  void taken(PageEntry& entry) override;
  void drained(unsigned id) override { migrator_.drained(id); }

  /// A call of cudaMallocManaged or cudaFree. Precondition: idle().
  void allocated(Addr begin, std::uint64_t bytes);
  /// Returns false when no managed allocation begins there. Nobody may hold a translation of it
  /// afterwards.
  bool released(Addr begin);
  /// A launch begins; managed pages may take `device_bytes` of device memory.
  void begin_launch(std::uint64_t device_bytes);
  /// Returns whether more pages are in device memory than there are frames, since other allocations
  /// took some. They leave from the next tick on.
  bool over_frames() const { return migrator_.shortage() != 0; }
  /// Carries out a cudaMemPrefetchAsync: the pages of the range move, in the order of the calls,
  /// from the next cycle on. Precondition: begin_launch() has been called.
  void move_ahead(Addr begin, std::uint64_t bytes, bool to_device);
  /// The host uses a page, which is in host memory afterwards. Returns whether the page was in
  /// device memory (`was_there`) and newer there (`dirty`). Precondition: idle().
  struct TakenBack {
    bool was_there = false;
    bool dirty = false;
  };
  TakenBack take_back(PageNumber page);

  // The following is what the policies may know.
  bool resident(PageNumber page) const override;
  bool in_flight(PageNumber page) const override;
  bool evictable(PageNumber page) const override;
  const Allocation* allocation_of(PageNumber page) const override;
  std::uint64_t capacity_pages() const override { return migrator_.frames(); }
  std::uint64_t used_pages() const override { return migrator_.frames_used(); }
  std::uint64_t requested_bytes() const override { return table_.bytes(); }
  bool oversubscribed() const override { return oversubscribed_; }

  /// `watch` is told of faults from now on; it must outlive the unit.
  void watch(FaultWatch& watch) { watchers_.add(watch); }
  bool idle() const;
  /// Returns whether the host handles faults; it does so until a cycle that is known.
  bool host_busy() const { return host_busy_; }
  /// Returns a number that grows with every fault handled and every page moved.
  std::uint64_t work_done() const;
  std::string describe() const;
  /// Describes the bits that the evictor adds to the hardware; empty when it adds none.
  std::string storage() const { return evictor_->storage(); }
  void register_stats(StatRegistry& registry);
  const Stats& stats() const { return stats_; }
  const Migrator::Stats& pages() const { return migrator_.stats(); }
  /// From now on `call` is called in every tick that leaves the unit idle.
  void when_idle(std::function<void()> call) { when_idle_ = std::move(call); }

 private:
  static constexpr unsigned kNone = ~0u;
  static constexpr unsigned kRank = 1u << 20;

  /// Somebody who wants a translation.
  struct Waiter {
    Payload* payload = nullptr;
    unsigned sm = 0;
    unsigned next = kNone;
  };
  /// A page whose translation is being found.
  struct Search {
    PageNumber page = 0;
    unsigned first = kNone, last = kNone;  // waiters, oldest first
    bool faulted = false;
    Cycle since = 0;
    Cycle ready = 0;
    Femtoseconds fault = 0;     // when the page faulted; 0: it did not
    Femtoseconds transfer = 0;  // when the host had handled the fault
    // When the host took the fault and had handled it, and when the page had a frame; 0 and less
    // than `since`: earlier, for another fault or by the prefetcher.
    Cycle taken = 0, handled = 0, started = 0;
  };
  struct LookUp {
    Payload* payload = nullptr;
    unsigned sm = 0;
    Cycle ready = 0;
  };

  Cycle tick(Cycle now) override;
  bool respond();
  bool host(Cycle now);
  void count_host(Cycle now);
  bool take_faults(Cycle now);
  void plan(PageNumber page, Cycle now);
  bool plan_postponed(Cycle now);
  bool make_room(Cycle now);
  void evict_chosen(Migrator::Why why);
  bool finish_walks(Cycle now);
  bool start_walks(Cycle now);
  bool finish_lookups(Cycle now);
  bool accept(Cycle now);
  bool fault(Search& search, PageEntry& entry, Cycle now);
  void complete(unsigned index, PageEntry* entry);
  void add_waiter(Search& search, Payload& payload, unsigned sm);
  void grant(Payload& payload, unsigned sm, PageEntry* entry);
  void handled(PageNumber page, Cycle now);
  void starts(PageNumber page, Cycle now);
  void arrived(PageNumber page, PageEntry& entry, Cycle now);
  void count_stages(const Search& search, Cycle now);
  void left(PageNumber page, PageEntry& entry, Cycle now);
  Cycle next_work(Cycle now) const;
  void register_translation(StatGroup& g);
  void register_faults(StatGroup& g);
  void register_pages(StatGroup& g);

  UvmParams params_;
  PageTable& table_;
  std::vector<std::unique_ptr<ServicePort>> ports_;
  std::vector<std::vector<Payload*>> outgoing_;  // answers to each SM, oldest first
  PortSet to_answer_;                            // SMs to which an answer waits to go
  unsigned turn_ = 0;                            // SM that is looked at first

  TranslationCache<PageEntry*> l2_;
  Ring<LookUp> lookups_;
  std::unordered_map<PageNumber, unsigned> search_of_;
  std::vector<Search> searches_;
  std::vector<unsigned> free_searches_;
  std::vector<Waiter> waiters_;
  unsigned free_waiter_ = 0;
  Ring<unsigned> to_walk_;
  Ring<unsigned> walking_;
  Cycle walk_blocked_since_ = kNever;
  std::uint64_t waiting_ = 0;  // number of waiters

  unsigned faulted_ = 0;  // far-fault MSHRs in use
  Ring<PageNumber> fault_buffer_;
  std::vector<PageNumber> taken_;      // faults that the host is handling
  std::vector<PageNumber> postponed_;  // pages of handled faults that were still leaving
  bool host_busy_ = false;
  Cycle host_ready_ = 0;
  Cycle host_counted_ = 0;  // the cycles of its handling before are in host_cycles
  Cycle fault_cycles_;

  Migrator migrator_;
  std::unique_ptr<Prefetcher> prefetcher_;
  std::unique_ptr<Evictor> evictor_;
  std::vector<PageNumber> chosen_;  // what a policy says; kept to allocate once
  bool oversubscribed_ = false;
  std::uint64_t most_pages_ = 0;  // most pages that were managed at once
  History history_;
  Histogram fault_latency_;
  AfterTicks copy_;  // of bytes
  std::function<void()> when_idle_;
  bool someone_left_ = false;
  Cycle expired_visible_ = 0;  // first cycle in which the evictor's has_expired() is seen
  Stats stats_;
  Watchers<FaultWatch> watchers_;
};

}  // namespace warpmem::uvm
