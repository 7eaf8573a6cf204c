// SPDX-License-Identifier: Apache-2.0
// A streaming multiprocessor: warp contexts, scoreboard, schedulers and the load/store unit.
//
// One cycle (tick), downstream first:
//   1 retire    results due now and one response from L1D free their registers
//   2 send      the LSU, or the bulk copy engine, sends one request to L1D
//   3 start     CTAs that the dispatcher handed over in an earlier cycle occupy their warps
//   4 issue     every scheduler issues at most one instruction of one ready warp
// The SM sleeps while no warp can issue and nothing is due. The cycles in between are charged to
// the reason that held when it went to sleep.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_domain.hpp"
#include "base/locality.hpp"
#include "base/stats.hpp"
#include "base/watchers.hpp"
#include "program/barriers.hpp"
#include "program/program.hpp"
#include "sm/bulk_engine.hpp"
#include "sm/cluster_places.hpp"
#include "sm/cluster_unit.hpp"
#include "sm/completion_wheel.hpp"
#include "sm/copy_groups.hpp"
#include "sm/laws/laws.hpp"
#include "sm/laws/unit_factories.hpp"
#include "sm/lsu.hpp"
#include "sm/params.hpp"
#include "sm/resources.hpp"
#include "sm/scheduler/scheduler.hpp"
#include "sm/scoreboard.hpp"
#include "sm/throttle/throttle.hpp"
#include "sm/watch.hpp"

namespace warpmem::sm {

constexpr unsigned index_of(program::OpClass c) { return static_cast<unsigned>(c); }

/// Is told when a CTA has left its place in an SM; the CTA dispatcher implements it.
class CtaListener {
 public:
  virtual ~CtaListener() = default;
  /// `kernel` is its number in Sm::begin_launch().
  virtual void cta_finished(SmId sm, unsigned cta_slot, unsigned kernel) = 0;
};

class Sm : public sc_core::sc_module,
           public Clocked,
           private WarpObserver,
           private LocalityListener {
 public:
  /// Base of the address range that holds local memory, outside every device allocation.
  static constexpr Addr kLocalBase = 0x1000'0000'0000;

  struct Stats {
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
    std::uint64_t active_cycles = 0;
    std::uint64_t issue_cycles = 0;
    std::uint64_t stall_memory = 0, stall_result = 0, stall_barrier = 0, stall_lsu = 0,
                  stall_unit = 0, stall_throttle = 0, stall_drain = 0, stall_bulk = 0;
    std::array<std::uint64_t, program::kOpClasses> by_class{};
    std::uint64_t shared_accesses = 0;
    std::uint64_t shared_conflict_cycles = 0;
    std::uint64_t barriers = 0;
    std::uint64_t ctas = 0;
    std::uint64_t rescued = 0;
    std::uint64_t phases = 0;  // of mbarriers that have ended
    std::uint64_t cluster_arrivals = 0, cluster_phases = 0, cluster_abandoned = 0;  // of CTAs
    std::uint64_t waits_failed = 0, waits_suspended = 0, waits_resumed = 0, waits_expired = 0;
  };

  /// `check` is nullptr when no bytes are carried. `units` makes hardware units in views other than
  /// the class.
  Sm(sc_core::sc_module_name name, const SmParams& params, SmId id, unsigned sm_count,
     ClockDomain& domain, TransactionPool& pool, DataCheck* check, const UnitFactories& units = {});

  /// The port towards L1D.
  RequestPort& port() { return lsu_.port; }

  /// The ports towards the network of the GPC; nullptr: there is none.
  ClusterUnit* cluster_unit() { return cluster_.get(); }

  /// The object that wants to know of the accesses of this SM's L1D, or nullptr.
  LocalityListener* locality_listener() { return laws_ || throttle_ ? this : nullptr; }
  void set_listener(CtaListener* listener) { listener_ = listener; }
  /// `watch` is told of what happens from now on; it must outlive the SM.
  void watch(SmWatch& watch) { watchers_.add(watch); }
  /// The SM has `bytes` of shared memory from the next launch on: those of a carve-out.
  void set_shared_bytes(std::uint64_t bytes) { shared_bytes_ = bytes; }
  /// What there is of each resource, for the CTAs of this launch.
  Resources resources() const {
    return {params_.ctas, params_.warps, params_.registers, shared_bytes_};
  }
  /// What a CTA of this kernel takes of them.
  Resources needs_of(const program::KernelTraits& traits) const {
    return needs(traits, params_.shared_reserved);
  }
  /// Number of CTAs of this kernel that fit at once; 0 when one alone is too large.
  unsigned occupancy(const program::KernelTraits& traits) const {
    return resources().times(needs_of(traits));
  }
  /// Returns a sentence that names the resource of which one CTA wants more than the SM has.
  std::string why_too_large(const program::KernelTraits& traits) const;
  /// Prepares for a launch of these kernels, whose CTAs may be here side by side; the SM must be
  /// idle.
  void begin_launch(const std::vector<program::Grid*>& grids);
  /// Hands over CTA `index` of kernel `kernel` (its number in begin_launch()), which starts in the
  /// next cycle. The resources() must suffice for all that are here.
  /// `places`: where the CTAs of its cluster are, all of which start in the same cycle.
  void start_cta(unsigned kernel, std::uint64_t index, const ClusterPlaces& places = {});

  bool idle() const {
    return resident_ == 0 && incoming_.empty() && lsu_.idle() && results_.empty() &&
           (!bulk_ || bulk_->idle()) && (!cluster_ || cluster_->idle());
  }
  std::string describe() const;
  void register_stats(StatGroup& group);
  const Stats& stats() const { return stats_; }
  /// Warp instructions issued, without those by which warps poll mbarriers.
  std::uint64_t useful_instructions() const { return stats_.warp_instructions - polling_; }
  /// Phases of mbarriers that have ended: whoever polls them comes further.
  std::uint64_t phases() const { return stats_.phases; }
  /// Operations that its atomics and bulk reductions asked of L2.
  std::uint64_t atomic_groups() const {
    return lsu_.atomic_groups() + (bulk_ ? bulk_->atomic_groups() : 0);
  }
  /// Number of requests sent to L1D so far.
  std::uint64_t requests() const { return lsu_.requests() + (bulk_ ? bulk_->requests() : 0); }
  /// Number of responses received so far, which is progress to the watchdog.
  std::uint64_t responses() const {
    return lsu_.responses() + (bulk_ ? bulk_->responses() : 0) +
           (cluster_ ? cluster_->responses() + cluster_->traffic().taken : 0);
  }

 private:
  static constexpr std::uint8_t kNoBarrier = 0xff, kClusterBarrier = 0xfe;
  // Why a warp cannot issue, whatever its registers are.
  enum Hold : std::uint8_t {
    kExited = 1,
    kAtBarrier = 2,
    kResolving = 4,  // its branch is not resolved yet, or its fence not done
    kSuspended = 8,  // by a wait at an mbarrier
    kAsksMore = 16   // not only its registers decide: can_issue() does
  };
  // What tells memory instructions apart, each with a mask of the warps whose next one is such.
  enum MemoryKind : std::uint8_t {
    kLoad = 1,
    kBulk = 2,
    kShared = 4,
    kGeneric = 8,
    kCluster = 16,
    kConstant = 32
  };
  // What says whether the warp can issue fills one line of the host's cache, and comes first.
  struct alignas(64) Warp {
    program::Cta* cta = nullptr;  // nullptr: the slot is free
    const program::InstInfo* next = nullptr;
    std::uint64_t registers = 0;  // Scoreboard::low_registers() of that
    unsigned in_cta = 0;
    unsigned cta_slot = 0;
    unsigned results = 0;  // results on their way in the wheel
    unsigned outstanding_memory = 0;
    unsigned outstanding_stores = 0;
    unsigned outstanding_atomics = 0;
    std::uint8_t holds = 0;  // of Hold
    std::uint8_t unit = 0;   // the mask of next_unit_ that has this warp
    std::uint8_t kinds = 0;  // the masks of kinds that have it, of MemoryKind
    // Barrier at which it waits; kNoBarrier once that has completed.
    std::uint8_t barrier = kNoBarrier;
    bool polls = false;  // a wait at an mbarrier has failed since_poll instructions ago

    unsigned since_poll = 0;
    unsigned outstanding_bulk = 0;  // of outstanding_memory
    CopyGroups copies;
    CopyGroups marks;        // the same copies in groups that cp.async.mbarrier.arrive closes
    CopyGroups bulk_stores;  // bulk stores in groups, until they are complete ...
    CopyGroups bulk_reads;   // ... and until they have left shared memory
    std::uint32_t cluster_arrival = 0;  // phases of the cluster's barrier at which it has arrived
    Cycle suspended_until = 0;          // kNever: until a phase ends

    bool holds_any(unsigned of) const { return (holds & of) != 0; }
    void hold(Hold why) { holds = static_cast<std::uint8_t>(holds | why); }
    void let_go(Hold why) { holds = static_cast<std::uint8_t>(holds & ~why); }
    bool exited() const { return holds_any(kExited); }
    bool at_barrier() const { return holds_any(kAtBarrier); }
    bool suspended() const { return holds_any(kSuspended); }
  };
  // A scheduler and the units that are its own; those that all share are with the first.
  struct alignas(64) Issuer {
    std::unique_ptr<Scheduler> scheduler;
    WarpMask owned = 0;                                  // the slots of its warps
    Cycle issue_free = 0;                                // when it may issue again
    unsigned busy = 0;                                   // units that may not be free, a bit each
    std::array<Cycle, program::kOpClasses> unit_free{};  // by unit: when it is free
  };
  struct Kernel {
    program::Grid* grid = nullptr;
    unsigned warps_per_cta = 1;
    program::Clusters clusters;
    // CTAs and warps of the kernels before it, so that each of the launch has a number of its own.
    std::uint64_t first_cta = 0, first_warp = 0;
  };
  struct CtaSlot {
    std::unique_ptr<program::Cta> cta;
    unsigned kernel = 0;
    std::uint64_t index = 0;
    WarpMask slots = 0;     // of its warps, ascending
    unsigned live = 0;      // warps that have not exited
    unsigned resident = 0;  // warps that have not exited or await responses
    program::CtaBarriers barriers;
    std::uint32_t epoch = 0;   // number of barriers at which all live warps waited together
    bool phase_ended = false;  // of an mbarrier, since its suspended warps looked
    ClusterUnit::Team team;
    unsigned notices = 0;  // of the cluster's barrier, without an answer
    // The barrier of the cluster: phases that have ended, the CTA's warps that are there for the
    // next one, and the phases at which each CTA has arrived.
    std::uint32_t cluster_phase = 0;
    unsigned cluster_warps = 0;
    std::array<std::uint32_t, program::kMostClusterCtas> cluster_arrivals{};
  };
  struct Incoming {
    unsigned kernel;
    std::uint64_t index;
    Cycle visible;
    ClusterPlaces places;
  };

  Cycle tick(Cycle now) override;
  bool waits_long(unsigned slot) const override;
  bool fair() const override { return fair_; }
  void l1d_accessed(const LocalityEvent& event, Cycle now) override;
  WarpMask allowed() const;
  bool waits_for_memory(unsigned slot) const;
  void retire(Cycle now);
  void start_incoming(Cycle now);
  WarpMask take_slots(unsigned count);
  bool issue(Cycle now);
  WarpMask next_of_lsu() const;
  WarpMask structurally_blocked(unsigned scheduler, Cycle now);
  WarpMask behind_busy_units(Issuer& at, unsigned units, Cycle now);
  void issue_warp(unsigned slot, unsigned scheduler, Cycle now);
  void issue_memory(unsigned slot, const program::Issue& issue, std::uint8_t copy_group, Cycle now);
  void result_ready(unsigned slot, const program::InstInfo& inst);
  void schedule_result(Cycle now, unsigned cycles, unsigned slot, const program::InstInfo& inst);
  void memory_done(unsigned slot, const program::InstInfo& inst, bool store_like);
  Lsu::Origin origin_of(unsigned slot, const program::InstInfo& inst) const;
  bool send(Cycle now);
  bool send_to_l1d(Cycle now);
  void register_bulk_stats(StatGroup& group);
  void issue_bulk(unsigned slot, const program::Issue& issue);
  void bulk_read(const BulkEngine::Copy& copy);
  void bulk_done(const BulkEngine::Copy& copy);
  void execute_mbarrier(unsigned slot, const program::Issue& issue, Cycle now);
  void copy_arrived(unsigned slot, const Lsu::Origin& origin);
  void marks_complete(unsigned slot, unsigned count);
  void phases_ended(unsigned cta_slot, unsigned count);
  void suspend(unsigned slot, const program::Issue& issue, Cycle now);
  void resume_suspended(Cycle now);
  void resume(unsigned slot, Cycle now);
  void count_poll(Warp& warp);
  Cycle next_resumption(Cycle now) const;
  bool allows_copies(const Warp& warp, const program::InstInfo& next) const;
  bool asks_more(const program::InstInfo& next) const;
  void arrive_at_barrier(unsigned slot, const program::Issue& issue, Cycle now);
  void release_barrier(CtaSlot& cta, unsigned barrier, Cycle now);
  unsigned release_warps(CtaSlot& cta, unsigned barrier, Cycle now);
  bool serve_cluster(Cycle now);
  void deliver(const Payload& payload, Cycle now);
  void deliver_block(CtaSlot& cta, const Payload& payload);
  CtaSlot* find_cta(std::uint32_t cluster, unsigned rank);
  void require_gpcs(unsigned slot, const program::InstInfo& inst) const;
  void issue_to_cluster(unsigned slot, const program::Issue& issue);
  void at_cluster_barrier(unsigned slot, program::ClusterBarrier part, Cycle now);
  void cta_arrives(CtaSlot& cta, Cycle now);
  void note_arrival(CtaSlot& cta, unsigned rank, std::uint32_t phases, Cycle now);
  void notify_cluster(CtaSlot& cta, PeerMessage::Kind what);
  void leave_cluster(unsigned slot, Cycle now);
  void register_cluster_stats(StatGroup& group);
  static bool is_atomic(const program::InstInfo& inst) {
    return (inst.mem == program::MemOp::atomic || inst.mem == program::MemOp::reduction) &&
           inst.async != program::AsyncCopy::peer_write;
  }
  bool awaits_atomics(const Warp& warp) const {
    return params_.await_atomics && warp.outstanding_atomics != 0;
  }
  bool awaits_stores(const Warp& warp, const program::InstInfo& next) const;
  void warp_exited(unsigned slot, Cycle now);
  void retire_warp_if_done(unsigned slot);
  void retire_cta_if_done(CtaSlot& cta);
  void set_next(unsigned slot, const program::InstInfo* next);
  unsigned kinds_of(const program::InstInfo& inst) const;
  void forget(unsigned slot);
  void update_ready(unsigned slot);
  bool can_issue(const Warp& warp, unsigned slot) const;
  void tell_of_warp(unsigned slot) const;
  WarpState state_of(unsigned slot) const;
  SmState state() const;
  WarpMask live_warps() const;
  std::uint64_t& stall_reason();
  std::uint64_t& what_warps_await();
  Cycle next_work(Cycle now, bool issued, bool can_send) const;
  void account(Cycle now);

  Issuer& issuer_of(unsigned slot) { return issuers_[slot % params_.schedulers]; }

  SmParams params_;
  SmId id_;
  program::SmView view_;
  CtaListener* listener_ = nullptr;
  std::vector<Kernel> kernels_;  // of this launch
  Addr local_bytes_a_warp_ = 0;  // of the kernel that has the most
  std::uint64_t shared_bytes_;   // of shared memory, in this launch
  WarpMask free_slots_ = 0;      // warp slots of no CTA
  std::uint64_t polling_ = 0;    // instructions that bring a program no further
  Stats stats_;
  Watchers<SmWatch> watchers_;
  Lsu lsu_;
  std::unique_ptr<ClusterUnit> cluster_;  // nullptr: the machine has no GPCs
  std::unique_ptr<BulkEngine> bulk_;      // nullptr: there is none
  std::uint64_t lsu_requests_ = 0;        // of the LSU, when send() was last called
  bool bulk_first_ = false;               // it goes before the LSU
  bool fair_ = false;                     // what laws_ says in this cycle
  unsigned resident_ = 0;
  std::unique_ptr<Laws> laws_;          // nullptr: another policy
  std::unique_ptr<Throttle> throttle_;  // nullptr: every warp may issue
  std::vector<Warp> warps_;
  std::vector<CtaSlot> ctas_;
  Ring<Incoming> incoming_;
  Scoreboard scoreboard_;
  std::vector<Issuer> issuers_;
  WarpMask ready_ = 0;  // warps whose next instruction passes scoreboard, barrier, branch and fence
  WarpMask suspended_ = 0;  // warps that wait at mbarriers
  Cycle clock_ = 0;         // what clock64 reads
  Cycle last_tick_ = 0;
  std::uint64_t* awaited_ = nullptr;      // what_warps_await(); nullptr: a warp has changed since
  std::uint64_t* idle_reason_ = nullptr;  // counter to which the cycles since last_tick_ belong
  Cycle shared_free_ = 0;
  WarpMask next_load_ = 0;      // warps whose next instruction loads through L1D, ...
  WarpMask next_bulk_ = 0;      // ... is for the bulk copy engine, ...
  WarpMask next_cluster_ = 0;   // ... is one for the cluster unit, or may be, ...
  WarpMask next_shared_ = 0;    // ... uses shared memory, ...
  WarpMask next_generic_ = 0;   // ... may use it, as its address says, ...
  WarpMask next_constant_ = 0;  // ... or uses constant or parameter space
  std::array<std::uint8_t, program::kOpClasses> unit_of_{};  // SmParams::unit_of() of each class
  // Warps by the unit of their next instruction.
  std::array<WarpMask, program::kOpClasses> next_unit_{};
  CompletionWheel results_;
  const unsigned shared_units_;  // SmParams::shared_units()
};

}  // namespace warpmem::sm
