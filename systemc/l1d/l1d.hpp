// SPDX-License-Identifier: Apache-2.0
// Level 1 data cache of an SM (docs/mechanisms.md 1.2), in the SM's clock domain, between the
// load/store unit (in) and the crossbar (mem): the pipeline of cache/cache.hpp with what is special
// to this level.
//
//   store  n: accepted, hit line invalidated   n+1: to the crossbar   a: acknowledged
//          a+1: response
//
// Global memory is write-through: a store invalidates the line that it hits or writes it, too
// (l1d.write), and may take a line on a miss (l1d.write_miss). Local memory is write-back and
// write-allocate. Atomics and bypassed loads go to L2
// untouched. Global data in L1D is never newer than in L2, so a bypassed load may ignore it; local
// data may be, so local accesses never bypass.
//
// Prefetches (l1d.prefetch) are looked up in cycles in which no demand request stands at the cache,
// and are made or dropped at once. A prefetch occupies an MSHR entry and its first slot, which the
// first demand miss on the block takes over. It answers to nobody, and it needs a cycle of the fill
// port as its targets would.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/segment.hpp"
#include "cache/cache.hpp"
#include "l1d/block_reuse.hpp"
#include "l1d/locality_tags.hpp"
#include "l1d/params.hpp"
#include "l1d/prefetch/prefetch_unit.hpp"

namespace warpmem::l1d {

using cache::LineId;
using cache::Stall;

struct L1dStats : cache::CacheStats {
  std::uint64_t refused_bypasses = 0;   ///< bypasses of requests that the cache refused
  std::uint64_t degree_bypasses = 0;    ///< bypasses of loads that have many requests
  std::uint64_t bypass_bytes = 0;       ///< bytes that bypasses asked L2 for
  std::uint64_t write_accesses = 0;     ///< stores that are written through
  std::uint64_t write_allocations = 0;  ///< write_misses whose bytes were put into a line
  std::uint64_t write_evictions = 0;    ///< stores that invalidated a valid line, or sectors of one
  std::uint64_t write_updates = 0;      ///< stores written through that a line took as well
  std::uint64_t write_misses = 0;       ///< stores written through that found no line
  std::uint64_t atomics = 0;
  /// Stores and atomics that carried up to 32, 64 and 128 B.
  std::array<std::uint64_t, 3> write_packets{};
  std::uint64_t write_bytes = 0;     ///< bytes that stores and atomics carried
  std::uint64_t closed_entries = 0;  ///< entries closed by a store or an atomic
  std::uint64_t prefetches = 0;      ///< prefetches sent to L2
};

class L1d : public cache::Cache<L1d, L1dParams, L1dStats> {
 public:
  using Params = L1dParams;
  using Stats = L1dStats;

  /// `pool` must outlive the cache. `units` makes the miss handler's hardware units and
  /// `frontend_units` those of the front end.
  L1d(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
      TransactionPool& pool, const mha::UnitFactories& units,
      const cache::FrontendFactories& frontend_units = {});
  ~L1d() override;

  /// Sets the bypass logic of kinds bucl_*, and the number of this SM.
  void set_bucl(Bucl* bucl, unsigned sm) {
    bucl_ = bucl;
    sm_ = sm;
  }
  /// From now on `listener` is told of the locality of every access. Precondition:
  /// l1d.observe.locality.
  void set_listener(LocalityListener* listener) { listener_ = listener; }

  /// A block of the grid has left place `cta_slot` of the SM; the prefetcher sees it in the next
  /// cycle.
  void cta_finished(unsigned cta_slot);
  /// The launch is over: prefetched lines that nobody used were useless, and lines that loads have
  /// brought count as gone, since none is here in the next launch. Precondition: idle().
  void end_launch();
  /// Drops every line before a launch, dirty local ones too. Precondition: idle().
  void invalidate_all();
  /// `bytes` of a unified L1 are shared memory from now on, one of its steps. Preconditions:
  /// l1d.unified is not 0, and no line is valid.
  void set_carveout(std::uint64_t bytes);
  /// Requests that may be under way to L2: fetches of misses, what counts as outstanding writes,
  /// and write-backs of local memory, which leave by the miss queue.
  unsigned most_requests() const;
  /// Returns whether nothing is queued or in flight.
  bool idle() const;
  std::string describe() const;
  void register_stats(StatRegistry& registry, unsigned index);
  /// The prefetcher, or nullptr without l1d.prefetch.
  const PrefetchUnit* prefetch_unit() const { return prefetch_.get(); }

 private:
  friend class cache::Cache<L1d, L1dParams, L1dStats>;

  static constexpr Stage kAcceptStage = Stage::l1d_accept;
  static constexpr Stage kSendStage = Stage::noc_request;
  static constexpr Stage kReturnStage = Stage::noc_response;
  static constexpr auto kPassedAnswers = cache::PassedAnswers::before_hits;
  // BUCL's answer to a refused load changes with its sampling periods.
  static constexpr bool kRetriesEveryTick = true;
  static std::uint32_t& entry_index(Access& access) { return access.l1d_index; }
  static Addr key_of(Addr block) { return block; }

  // The engine's hooks follow, in the order of its stages.
  void begin_tick(Cycle now) {
    if (!cta_ends_.empty()) note_cta_ends(now);
  }
  bool retire() { return prefetch_ != nullptr && retire_prefetch(); }
  void note_fill(Payload& payload, Femtoseconds arrived) {
    mark(payload, Stage::l1d_fill, arrived);
  }
  void access_bytes(Payload& payload, std::uint8_t* line);
  ByteMask bytes_of_access(const Payload& payload) const;
  bool has_bytes(const Payload& payload, LineId line) const {
    return (allocates_writes() && writes_local(payload)) || Cache::has_bytes(payload, line);
  }
  cache::SectorMask sectors_to_fetch(const Payload& payload) const {
    return allocates_writes() && writes_local(payload) ? 0 : Cache::sectors_to_fetch(payload);
  }
  Stall miss(Payload& payload, Addr block, LineId line, Cycle now) {
    return allocates_writes() && writes_local(payload) ? place(payload, block, line, now)
                                                       : primary_miss(payload, block, line, now);
  }
  void installed(const cache::Fill& fill);
  void placed(LineId line, const Access& writer) {
    if (locality_) locality_->written(line, writer);
  }
  void drained(const cache::Fill& fill);
  bool send(Cycle now) { return send_request(now); }
  bool kept(const Access& access) const {
    return params_.keep == Keep::all || access.local || access.prefetch;
  }
  bool may_drop(const cache::Fill& fill) const {
    return access_of(handler_->first_target({fill.unit, cache::kNoLine})).prefetch;
  }
  void leaving(LineId line, const Access& evictor);
  bool takes_writeback() const { return !outgoing_.full(); }
  void write_back(Transaction& transaction, cache::LineId line, Cycle now);
  void written_back(Transaction& transaction);
  Stall try_accept(Payload& payload, Cycle now);
  mha::Room room() const { return room_beyond(0); }
  Stall merge(Payload& payload, Addr unit, LineId line);
  void on_hit(const Payload& payload, LineId line, Cycle now);
  void on_merge(const Payload& payload, Addr unit, Cycle now);
  void before_miss(const Payload& payload, Addr block);
  void on_miss(const Payload& payload, Addr block, const mha::Allocation& allocation, Cycle now);
  void on_access(const Payload& payload, bool hit, Cycle now);
  void on_request(const Payload& payload);
  void end_tick(Cycle now, bool accepted);
  Cycle more_work(Cycle now, bool accepted) const;
  void drop(LineId line);
  void drop_sectors(LineId line, cache::SectorMask sectors);

  /// A block that has left the SM; the prefetcher sees that from cycle `visible` on.
  struct CtaEnd {
    Cycle visible = 0;
    bool tracked = false;
  };

  void report(const LocalityEvent& event, Cycle now) {
    if (listener_ != nullptr) listener_->l1d_accessed(event, now);
  }
  void note_cta_ends(Cycle now);
  bool retire_prefetch();
  void prefetch(Cycle now);
  PrefetchDrop try_prefetch(Addr block, const Access& cause, Cycle now);
  mha::Room room_beyond(std::size_t spared) const;
  Segment wanted_of(const Payload& payload) const;
  bool may_bypass(const Payload& payload, Stall stall, Cycle now) const;
  void await_bucl(Cycle now);
  Stall route(Payload& payload, Cycle now);
  Stall forward(Payload& payload, AccessKind kind, Cycle now);
  bool write_passes(Payload& payload, AccessKind kind, Cycle now);
  bool allocates_writes() const { return params_.write_miss == WriteMiss::allocate; }
  /// Whether it writes local memory, the lines of which are written back.
  static bool writes_local(const Payload& payload) {
    return payload.is_write() && access_of(payload).local;
  }
  bool keep_written(const Payload& payload, Addr block, LineId line, Cycle now);
  unsigned debug(Payload& payload);
  void blocking(Payload& payload, sc_core::sc_time& delay);
  template <class Act>
  void each_leaving(Addr block, Act&& act) const;
  void lay_newest_over(Payload& read);
  void update_copies(const Payload& write);

  std::unique_ptr<PrefetchUnit> prefetch_;  // nullptr: none
  bool passes_by_ = false;                  // the present head does not look for its line
  // Blocks that have left and that the prefetcher has not seen.
  std::vector<CtaEnd> cta_ends_;
  std::unique_ptr<LocalityTags> locality_;  // nullptr: not observed
  std::unique_ptr<BlockReuse> reuse_;       // nullptr: not observed
  LocalityListener* listener_ = nullptr;
  Bucl* bucl_ = nullptr;  // not nullptr with l1d.bypass.kind bucl_*
  unsigned sm_ = 0;
  Cycle bucl_wake_ = 0;  // the cycle for which a tick was asked last
  unsigned writebacks_in_flight_ = 0;
  std::uint64_t carveout_ = 0;  // bytes of a unified L1 that are shared memory
  // As statistics of the launch: bytes of L1D, and of shared memory beside it.
  std::uint64_t size_in_launch_ = 0, carveout_in_launch_ = 0;
};

}  // namespace warpmem::l1d

extern template class warpmem::cache::Cache<warpmem::l1d::L1d, warpmem::l1d::L1dParams,
                                            warpmem::l1d::L1dStats>;
