// SPDX-License-Identifier: Apache-2.0
// Level 1 data cache of an SM (SPEC 1.2), in the SM's clock domain, between the load/store unit
// (cpu) and the crossbar (mem). One request is accepted and one response sent a cycle.
//
//   hit    n: accepted   n+hit_cycles: response
//   miss   n: accepted, entry allocated   n+access_cycles of the handler: fetch to the crossbar
//          f: fill taken, line reserved or installed   f+1..: targets to the LSU, one a cycle
//   store  n: accepted, hit line invalidated   n+1: to the crossbar   a: acknowledged   a+1:
//   response
//
// Global memory: write-through, no allocation, a hit line is invalidated (write-evict). Local
// memory: write-back, write-allocate. Atomics and bypassed loads go to L2 untouched. Global data
// in L1D is never newer than in L2, so a bypassed load may ignore it; local data may be, so local
// accesses never bypass.
//
// Prefetches (l1d.prefetch) are looked up in cycles in which no demand request stands at the cache,
// and made or dropped at once. One occupies an MSHR entry and its first slot, which the first
// demand miss on the block takes over; it answers to nobody, and needs a cycle of the fill port as
// its targets would.
//
// A line whose targets are draining stays reserved until the last one has left; requests to it, or
// to a closed entry, wait (stalls.line_busy).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/clock_domain.hpp"
#include "base/params.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "l1d/block_reuse.hpp"
#include "l1d/bypass/bucl.hpp"
#include "l1d/bypass/segment.hpp"
#include "l1d/frontend/mrpb.hpp"
#include "l1d/locality_tags.hpp"
#include "l1d/prefetch/prefetch_unit.hpp"
#include "mha/fill_queue.hpp"
#include "mha/head_stall.hpp"
#include "mha/miss_handler.hpp"
#include "mha/registry.hpp"
#include "mha/tag_array.hpp"

namespace warpmem::l1d {

/// What stands between the input queue and the cache.
enum class Frontend : std::uint8_t { none, mrpb };
/// Refused loads of global memory that go straight to L2 instead of waiting.
enum class Bypass : std::uint8_t { none, associativity, any_rf, bucl_dyn, bucl_prf };

/// What a load of global memory asks L2 for when it goes straight there.
enum class BypassFetch : std::uint8_t { segment, line };

/// Whose misses of global memory leave their line in the cache.
enum class Keep : std::uint8_t { all, prefetches };

class L1d : public sc_core::sc_module, public Clocked {
 public:
  struct Params {
    bool enable = true;              ///< false: everything goes to L2, local memory too
    std::uint64_t size = 16 * 1024;  ///< bytes
    std::uint32_t ways = 4;
    std::uint32_t line_bytes = 128;  ///< 32, 64 or 128
    mha::IndexHash index = mha::IndexHash::linear;
    mha::Allocate allocate = mha::Allocate::on_miss;
    Keep keep = Keep::all;
    std::uint32_t hit_cycles = 1;
    std::uint32_t input_queue = 8;     ///< requests from the LSU
    std::uint32_t miss_queue = 8;      ///< requests to the crossbar, stores and bypasses included
    std::uint32_t response_queue = 8;  ///< responses from the crossbar
    std::uint32_t outstanding_writes = 64;  ///< stores, atomics and bypassed loads under way
    Frontend frontend = Frontend::none;
    Mrpb::Params mrpb;
    Bypass bypass = Bypass::none;
    BypassFetch bypass_fetch = BypassFetch::segment;
    Bucl::Params bucl;
    PrefetchParams prefetch;
    PrefetchUnit::Range prefetch_range;  ///< set by the machine
    mha::MhaParams mshr;
    unsigned warps = 64;       ///< of the SM; set by the machine
    unsigned ctas = 32;        ///< likewise
    unsigned victim_tags = 0;  ///< a warp, for the scheduling policy that wants them; likewise
    bool carry_data = true;    ///< set by the machine from check_data; not a key of this group

    void describe(Schema& schema);
    void validate(Problems& problems) const;
  };

  struct Stats {
    std::uint64_t requests = 0;   ///< accepted, errors included
    std::uint64_t responses = 0;  ///< sent to the LSU
    std::uint64_t rejected = 0;   ///< answered with an error status
    std::uint64_t accesses = 0;   ///< loads, and local stores
    std::uint64_t hits = 0;
    std::uint64_t primary_misses = 0;
    std::uint64_t secondary_misses = 0;
    std::uint64_t bypasses = 0;          ///< loads that went straight to L2
    std::uint64_t refused_bypasses = 0;  ///< ... because the cache refused them
    std::uint64_t degree_bypasses = 0;   ///< ... because their load has many requests
    std::uint64_t bypass_bytes = 0;      ///< that they asked L2 for
    std::uint64_t reordered = 0;         ///< requests that a queue of the front end held
    std::uint64_t write_accesses = 0;    ///< stores that are written through
    std::uint64_t write_evictions = 0;   ///< ... and invalidated a line
    std::uint64_t write_misses = 0;      ///< ... and found none
    std::uint64_t atomics = 0;
    std::uint64_t closed_entries = 0;    ///< entries closed by a store or an atomic
    std::uint64_t prefetches = 0;        ///< sent to L2
    std::uint64_t fills = 0;             ///< lines that arrived
    std::uint64_t dropped_fills = 0;     ///< ... and were not kept
    std::uint64_t evictions = 0;         ///< valid lines replaced
    std::uint64_t writebacks = 0;        ///< dirty local lines sent to L2
    std::uint64_t acknowledgements = 0;  ///< responses to stores, atomics and bypassed loads
    std::uint64_t writeback_acknowledgements = 0;
  };

  /// `pool` must outlive the cache; `units` makes the miss handler's hardware units, `own_units`
  /// the cache's.
  L1d(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
      TransactionPool& pool, const mha::UnitFactories& units, const UnitFactories& own_units = {});
  ~L1d() override;

  ServicePort cpu;
  RequestPort mem;

  /// The bypass logic of kinds bucl_*, and which SM this is.
  void set_bucl(Bucl* bucl, unsigned sm) {
    bucl_ = bucl;
    sm_ = sm;
  }
  /// Told of the locality of every access, when set.
  void set_listener(LocalityListener* listener) { listener_ = listener; }

  /// A block of the grid has left place `cta_slot` of the SM; the prefetcher sees it in the next
  /// cycle.
  void cta_finished(unsigned cta_slot);
  /// The launch is over: prefetched lines that nobody used were useless. Precondition: idle().
  void end_launch();
  /// Drops every line, dirty local ones too: before a launch. Precondition: idle().
  void invalidate_all();
  /// Drops the lines of [begin, begin + bytes), whole lines of global memory to which no request is
  /// under way; others may be. Throws SimulationError when a fill of one is awaited.
  void drop_lines(Addr begin, std::uint64_t bytes);
  /// A line of the range is reserved: its fill, or what its last target leaves to do, is awaited.
  bool awaits_fill(Addr begin, std::uint64_t bytes) const;
  /// Nothing queued or in flight.
  bool idle() const;
  std::string describe() const;
  void register_stats(StatRegistry& registry, unsigned index);
  const Stats& stats() const { return stats_; }
  /// Refusals of the head request by cause.
  const mha::HeadStall& stalls() const { return stall_; }
  /// nullptr without l1d.prefetch.
  const PrefetchUnit* prefetch_unit() const { return prefetch_.get(); }

 private:
  // What a transaction to L2 is for stands in the high bits of its tag, the place of a forwarded
  // request in the low ones.
  static constexpr std::uint32_t kFetch = 0u << 30;
  static constexpr std::uint32_t kForward = 1u << 30;
  static constexpr std::uint32_t kWriteback = 2u << 30;
  static constexpr std::uint32_t kPurpose = 3u << 30;
  static constexpr unsigned kNoPlace = ~0u;

  /// A request on its way to the crossbar.
  struct Outgoing {
    Transaction* transaction = nullptr;
    Cycle ready = 0;
  };
  /// A hit on its way to the LSU.
  struct Hit {
    Payload* payload = nullptr;
    Cycle ready = 0;
  };
  /// A store, atomic or bypassed load on its way through L2.
  struct Forwarded {
    Payload* original = nullptr;
    unsigned next_free = 0;
  };

  /// A block that left the SM, before cycle `visible`.
  struct CtaEnd {
    Cycle visible = 0;
    bool tracked = false;
  };

  Cycle tick(Cycle now) override;
  void note_arrivals();
  bool respond(Cycle now, bool retired);
  void finish_drained();
  bool send(Cycle now);
  void receive();
  bool install(Cycle now);
  bool accept(Cycle now);
  bool queue_request(Cycle now);
  Payload* head() const { return mrpb_ ? mrpb_->head() : cpu.request(); }
  void take_head();
  void report(const LocalityEvent& event, Cycle now);
  void note_cta_ends(Cycle now);
  bool retire_prefetch();
  void prefetch(Cycle now);
  PrefetchDrop try_prefetch(Addr block, const Access& cause, Cycle now);
  bool no_room_for_fill(mha::LineId line) const;
  void fetch(Addr block, const Access& origin, Cycle now);
  bool kept(const Access& access) const {
    return params_.keep == Keep::all || access.local || access.prefetch;
  }
  Segment wanted_of(const Payload& payload) const;
  bool may_bypass(const Payload& payload, mha::Stall stall, Cycle now) const;
  void sample(bool hit, Cycle now);
  Cycle next_work(Cycle now, bool responded, bool sent) const;
  void await_bucl(Cycle now);

  mha::Stall try_accept(Payload& payload, Cycle now);
  mha::Stall cached(Payload& payload, Cycle now);
  mha::Stall hit(Payload& payload, mha::LineId line, Cycle now);
  mha::Stall merge(Payload& payload, Addr block, mha::LineId line);
  mha::Stall primary_miss(Payload& payload, Addr block, Cycle now);
  mha::Stall forward(Payload& payload, AccessKind kind, Cycle now);
  mha::Stall reject(Payload& payload, tlm::tlm_response_status status, Cycle now);

  void serve(Payload& target, mha::Fill& fill);
  void answer(Payload& payload);
  void acknowledge(Transaction& transaction);
  void evict(mha::LineId line, const Access& evictor, Cycle now);

  std::uint8_t* bytes_of(mha::LineId line) {
    return bytes_.data() + std::size_t(line) * params_.line_bytes;
  }

  Params params_;
  TransactionPool& pool_;
  mha::TagArray tags_;
  std::unique_ptr<mha::MissHandler> handler_;
  bool lines_at_misses_;                    // a miss may take its line before the fill
  std::unique_ptr<Mrpb> mrpb_;              // nullptr: requests go to the cache in order
  std::unique_ptr<PrefetchUnit> prefetch_;  // nullptr: none
  bool passes_by_ = false;                  // the present head does not look for its line
  std::vector<CtaEnd> cta_ends_;            // that the prefetcher has not seen
  LocalityTags locality_;
  BlockReuse reuse_;
  LocalityListener* listener_ = nullptr;
  Bucl* bucl_ = nullptr;  // with l1d.bypass.kind bucl_*
  Cycle bucl_wake_ = 0;   // the last one asked for to look at its answers anew
  unsigned sm_ = 0;
  std::vector<std::uint8_t> bytes_;  // of the lines, when bytes are carried

  unsigned arrived_ = 0;   // requests of the input queue that have their time stamp
  Femtoseconds time_ = 0;  // of this tick
  Ring<Hit> hits_;
  Ring<Payload*> acknowledged_;
  Ring<Outgoing> outgoing_;
  std::vector<Forwarded> forwarded_;
  unsigned free_forwarded_ = 0;
  unsigned forwards_in_flight_ = 0;
  unsigned writebacks_in_flight_ = 0;
  mha::FillQueue fills_;
  mha::HeadStall stall_;
  std::uint32_t refused_for_ = 0;  // causes that refused the present head
  Stats stats_;
};

}  // namespace warpmem::l1d
