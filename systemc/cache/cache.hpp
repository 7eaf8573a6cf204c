// SPDX-License-Identifier: Apache-2.0
// The cache engine: one pipeline for every level of the hierarchy, between the link from the
// requesters (in) and the link to the next level (mem). At most one request is accepted, one is
// sent on and one response is given a cycle. With banks (bank_use.hpp) further requests of the same
// instruction are accepted with it as long as their banks are free and no more of them go to the
// miss handler, or past the cache, than that has ports; as many answers go back as there are banks.
//
//   hit    n: accepted   n+hit_cycles: response
//   miss   n: accepted, entry allocated   n+cycles of the allocation: fetch to the next level
//          f: fill taken, line reserved or installed   f+1..: targets answered, one a cycle, or
//          those of the fill that share it (drain)
//   past   n: accepted   n+1: to the next level   a: its answer   a+1: response
//
// The stages of a cycle run downstream first: respond, drain, send, receive, install, accept. A
// line whose targets are draining stays reserved until the last one has left; requests to it, or to
// a closed entry, wait (stalls.line_busy), but for reads with hit_under_drain. The targets of a
// line take effect in order of arrival.
//
// Lines may lack bytes (docs/mechanisms.md 1.2): sectors that nobody has asked for, or bytes beside
// those that a write has put into a line without fetching it. A miss then asks for the sectors that
// it wants, and what the line has may be hit meanwhile. The miss handler tracks misses by `units`:
// lines, or fetches of sectors (mshr.granularity). By lines, a secondary miss may ask for further
// sectors, and the targets drain when all have come (pending_sectors.hpp).
//
// What is special to a level is in the class `Level`, which derives from this one and hides the
// hooks below; no call of a hook is virtual. Definitions are in cache_impl.hpp, for the source of
// the level.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock_domain.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "base/watchers.hpp"
#include "cache/bank_use.hpp"
#include "cache/fill_queue.hpp"
#include "cache/frontend/registry.hpp"
#include "cache/head_stall.hpp"
#include "cache/mha/miss_handler.hpp"
#include "cache/mha/registry.hpp"
#include "cache/params.hpp"
#include "cache/pass_table.hpp"
#include "cache/pending_sectors.hpp"
#include "cache/tag_array.hpp"
#include "cache/valid_bytes.hpp"
#include "cache/watch.hpp"

namespace warpmem::cache {

/// What a cache of any level counts.
struct CacheStats {
  std::uint64_t requests = 0;       ///< requests accepted, those answered with an error included
  std::uint64_t responses = 0;      ///< responses sent to the requesters
  std::uint64_t accept_cycles = 0;  ///< with banks: cycles in which requests were accepted
  std::uint64_t accepted_together = 0;  ///< requests accepted beside another one of their cycle
  /// With banks: cycles in which the first request that was not accepted waited for a bank, for a
  /// port of the miss handler or for the instruction before.
  std::uint64_t bank_waits = 0;
  std::uint64_t rejected = 0;  ///< requests answered with an error status
  std::uint64_t accesses = 0;  ///< requests that look for their line, and reads that bypass
  std::uint64_t hits = 0;
  std::uint64_t hits_under_drain = 0;  ///< of the hits, those while targets of the fill drained
  std::uint64_t primary_misses = 0;
  std::uint64_t line_misses = 0;    ///< primary misses of lines without a tag
  std::uint64_t sector_misses = 0;  ///< the others
  std::uint64_t secondary_misses = 0;
  std::uint64_t bypasses = 0;       ///< reads that went past the cache
  std::uint64_t placements = 0;     ///< writes that took a line or sector without a fetch
  std::uint64_t added_fetches = 0;  ///< fetches of secondary misses, for further sectors
  std::uint64_t fetch_bytes = 0;    ///< bytes that fetches asked for
  std::uint64_t fills = 0;          ///< fetches that arrived
  std::uint64_t dropped_fills = 0;  ///< fills that were not kept
  std::uint64_t failed_fills = 0;   ///< fills that came with an error status
  /// Cycles in which a line that had arrived waited for a victim or for its place.
  std::uint64_t fill_wait_cycles = 0;
  std::uint64_t evictions = 0;        ///< valid lines replaced
  std::uint64_t writebacks = 0;       ///< evicted lines that were dirty and went to the next level
  std::uint64_t writeback_bytes = 0;  ///< bytes of these, from the first dirty sector to the last
  std::uint64_t write_throughs = 0;  ///< writes of misses whose bytes went on to the next level too
  std::uint64_t writeback_acknowledgements = 0;  ///< of write-backs and of these
  std::uint64_t acknowledgements = 0;            ///< answers of the next level to passed requests
};

/// When answers to requests that went past the cache leave.
enum class PassedAnswers : std::uint8_t {
  before_hits,  ///< they leave after the targets of fills and before hits
  in_turn       ///< they take turns with the targets of fills and hits, as nothing waits for them
};

/// The high bits of the tag of a transaction to the next level say what it is for. The low bits
/// hold the place of a passed request or of a write-back, or kHoldsLine.
inline constexpr std::uint32_t kFetch = 0u << 30;
inline constexpr std::uint32_t kPassed = 1u << 30;
inline constexpr std::uint32_t kWriteback = 2u << 30;
inline constexpr std::uint32_t kPurpose = 3u << 30;
/// Of a fetch: its miss holds a line.
inline constexpr std::uint32_t kHoldsLine = 1;

/// `Params` derives from CacheParams and `Stats` from CacheStats. `Level` defines
///
///   static constexpr Stage kAcceptStage, kSendStage, kReturnStage   stamps of a request here, and
///                                                    the range that its fetch brings back
///   static constexpr PassedAnswers kPassedAnswers
///   static constexpr bool kRetriesEveryTick          see Cache::retry()
///   static std::uint32_t& entry_index(Access&)       where the MSHR index of this level travels
///   Addr key_of(Addr block) const                    the address that selects the set
///   void access_bytes(Payload&, std::uint8_t* line)  performs an access on the bytes of its line
///   Stall try_accept(Payload&, Cycle now)            accepts the request or says why not; calls
///                                                    reject_malformed(), lookup(), pass()
///   mha::Room room() const                           for a primary miss
///   bool takes_writeback() const                     a dirty line may be replaced
///   void write_back(Transaction&, LineId, Cycle now) takes a dirty victim
///   void written_back(Transaction&)                  the next level has it
///   bool send(Cycle now)                             stage 2; calls send_request()
///   void drop(LineId)                                gives up a valid line, in no time
///
/// and hides those of the protected hooks that it needs.
template <class Level, class Params, class Stats>
class Cache : public sc_core::sc_module, public Clocked {
 public:
  ServicePort in;
  RequestPort mem;

  /// Drops the lines of [begin, begin + bytes), in no time. The range consists of whole lines to
  /// which no request is under way; requests to other lines may be. Throws SimulationError when the
  /// fill of a dropped line is awaited.
  void drop_lines(Addr begin, std::uint64_t bytes);
  /// Returns whether a line of the range is reserved, so that its fill, or what its last target
  /// leaves to do, is awaited.
  bool awaits_fill(Addr begin, std::uint64_t bytes) const;
  /// From now on `meter` is told the use of the input queue.
  void watch_input(PeriodMeter& meter) { frontend_->watch(meter); }
  /// `watch` is told of what happens from now on; it must outlive the cache.
  void watch(CacheWatch& watch) { watchers_.add(watch); }
  const Stats& stats() const { return stats_; }
  /// How often and how long the request that stands at the cache was refused, by cause.
  const HeadStall& stalls() const { return stall_; }

 protected:
  /// `pool` must outlive the cache. At most `passes` requests go past the cache at a time. Throws
  /// UserError when a view of a unit cannot be built.
  /// `partial_lines`: writes may take lines without fetching them, besides what params.sectored()
  /// says.
  Cache(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
        TransactionPool& pool, unsigned passes, const mha::UnitFactories& units,
        bool partial_lines = false);
  ~Cache() override = default;

  // ---- hooks, empty here ------------------------------------------------------------------------
  void begin_tick(Cycle) {}
  /// Returns true when stage 1 gives its target of this cycle to something else.
  bool retire() { return false; }
  void note_answer(Payload&) {}
  void note_fill(Payload&, Femtoseconds) {}
  /// The line of `fill` is valid now.
  void installed(const Fill&) {}
  /// The line is valid now for a write that did not fetch it.
  void placed(LineId, const Access&) {}
  /// The last target of `fill` has left.
  void drained(const Fill&) {}
  /// Returns the bytes of its line from the first to the last of the access.
  ByteMask range_of(const Payload& payload) const {
    return ByteMask::range(static_cast<unsigned>(payload.get_address() % params_.line_bytes),
                           payload.get_data_length());
  }
  /// Returns the bytes of its line that the access reads or writes.
  ByteMask bytes_of_access(const Payload& payload) const {
    return ByteMask::of(payload, static_cast<unsigned>(payload.get_address() % params_.line_bytes));
  }
  /// Returns whether a line that may lack bytes has those that the access wants.
  bool has_bytes(const Payload& payload, LineId line) const {
    return valid_.contains(line, level().bytes_of_access(payload));
  }
  /// Returns the sectors that a miss of the access has to fetch when the line has none of them. An
  /// access without effect is as good as one of all its bytes.
  SectorMask sectors_to_fetch(const Payload& payload) const {
    const SectorMask touched = touched_sectors(payload);
    return touched != 0 ? touched : sectors_of(range_of(payload));
  }
  /// Handles an access whose line (kNoLine: none) lacks bytes, and whose miss is not outstanding.
  Stall miss(Payload& payload, Addr block, LineId line, Cycle now) {
    return primary_miss(payload, block, line, now);
  }
  /// Returns whether a target leaves the line unlike what the next level has.
  bool makes_dirty(const Payload& target) const { return target.is_write(); }
  /// Returns whether the line of a request's miss stays in the cache.
  bool kept(const Access&) const { return true; }
  /// Returns whether the fill need not find a place because nobody waits for its line.
  bool may_drop(const Fill&) const { return false; }
  /// `line`, which is valid, is about to be replaced for a miss of `evictor`.
  void leaving(LineId, const Access&) {}
  /// Returns whether no primary miss of the block can go now, whatever room there is.
  bool holds_back(Addr) const { return false; }
  /// Adds a secondary miss to the entry of `unit`.
  Stall merge(Payload& payload, Addr unit, LineId line) {
    return handler_->merge({unit, line}, payload);
  }
  /// Called when a primary miss was refused. Finds another way for it and returns none, or returns
  /// the refusal.
  Stall refused_miss(Payload&, Addr, Stall refusal, Cycle) { return refusal; }
  /// Returns whether a hit can be performed now. Where not, the level wakes the cache when it can.
  bool performs_hit(const Payload&, Cycle) const { return true; }
  /// Returns the cycles that performing a hit takes beyond those of a read.
  Cycle hit_delay(const Payload&, Cycle) { return 0; }
  /// Returns whether the target of a fill has been performed; asked in each cycle until it has.
  bool target_done(const Payload&, Cycle) { return true; }
  void on_hit(const Payload&, LineId, Cycle) {}
  void on_merge(const Payload&, Addr /*unit*/, Cycle) {}
  /// Called when a primary miss has been accepted, before the line that it replaces leaves.
  void before_miss(const Payload&, Addr /*block*/) {}
  void on_miss(const Payload&, Addr /*block*/, const mha::Allocation&, Cycle) {}
  /// Called when lookup() has accepted an access.
  void on_access(const Payload&, bool, Cycle) {}
  /// Called when try_accept() has accepted a request, which still stands at the cache.
  void on_request(const Payload&) {}
  void end_tick(Cycle, bool) {}
  /// Returns whether write-backs wait for the link to the next level.
  bool has_writeback() const { return false; }
  Cycle more_work(Cycle, bool) const { return kNever; }

  // ---- what a level makes its stages of ---------------------------------------------------------
  /// Returns what a request that no line can hold is answered with; TLM_OK_RESPONSE: it is well
  /// formed.
  tlm::tlm_response_status check(const Payload& payload) const;
  /// Returns false when the request is well formed. Otherwise an error answer is queued, or
  /// `refusal` says that there is no room for it.
  bool reject_malformed(Payload& payload, Cycle now, Stall& refusal);
  /// Looks for the line and handles the request as a hit, a merge or a primary miss.
  Stall lookup(Payload& payload, Cycle now);
  /// Sends the request, or `bytes` of it from `offset` on, to the next level. A write takes
  /// those bytes along. Preconditions: passes_ and outgoing_ have room.
  void pass(Payload& payload, AccessKind kind, unsigned offset, unsigned bytes, Cycle now);
  /// Takes a place for the request and returns what goes on in its stead, for some way or other to
  /// the next level; passed() is due when that has its answer. Precondition: passes_ has room.
  Transaction& pass_on(Payload& payload, AccessKind kind, unsigned offset, unsigned bytes);
  void passed(Transaction& transaction);
  /// Handles a primary miss. `present` is the block's line, when it lacks bytes.
  Stall primary_miss(Payload& payload, Addr block, LineId present, Cycle now);
  /// Handles a write that needs nothing of the line that lacks its bytes: takes `line`, or another
  /// one for kNoLine, and its bytes are valid.
  Stall place(Payload& payload, Addr block, LineId line, Cycle now);
  /// Gives up what `line` holds. Precondition: room for its write-back when it is dirty.
  void evict(LineId line, const Access& evictor, Cycle now);
  /// Asks the next level for sectors of a line, from the first to the last of `sectors`. `index` is
  /// that of the entry. Precondition: outgoing_ has room.
  void fetch(Addr block, SectorMask sectors, const Access& origin, std::uint32_t index, bool holds,
             Cycle ready);
  /// Begins an outstanding miss: takes the line of its allocation, or holds `present`, and asks for
  /// `sectors`.
  void begin_miss(Addr unit, Addr block, LineId present, SectorMask sectors, const Access& origin,
                  const mha::Allocation& allocation, Cycle now);
  /// An outstanding miss does not hold the line any more, which is gone when nothing is in it.
  void let_go(LineId line);
  /// What a write-back of the line carries: its bytes from `offset` on.
  struct DirtyPart {
    unsigned offset = 0;
    unsigned bytes = 0;
    bool whole = true;  ///< all of these are dirty; else dirty_bytes() says which
  };
  DirtyPart dirty_part(LineId line) const;
  /// The bytes of a dirty line that the next level does not have.
  ByteMask dirty_bytes(LineId line) const;

  // ---- parts of a line --------------------------------------------------------------------------
  /// Whether valid lines may lack bytes.
  bool partial_lines() const { return valid_.used(); }
  SectorMask all_sectors() const {
    return static_cast<SectorMask>((1u << params_.line_bytes / sector_bytes_) - 1);
  }
  /// The sectors with any of `bytes`, and the bytes of `sectors`.
  SectorMask sectors_of(const ByteMask& bytes) const;
  ByteMask bytes_of_sectors(SectorMask sectors) const;
  /// Whether a write into a valid line is the first of one of its sectors.
  bool brings_sector(const Payload& write, LineId line) const;
  /// The sectors of which the line (kNoLine: none) has every byte.
  SectorMask whole_sectors(LineId line) const;
  /// What the miss handler tracks the misses of `address` by.
  Addr unit_of(Addr address) const {
    return by_sector_ ? address & ~Addr(params_.bytes_of_fetch() - 1) : tags_.block_of(address);
  }
  unsigned unit_bytes() const { return by_sector_ ? params_.bytes_of_fetch() : params_.line_bytes; }
  /// Returns sectors of a line as bits of a part of it that misses are tracked by.
  SectorMask in_unit(Addr unit, SectorMask sectors) const {
    return sectors >> (unit - tags_.block_of(unit)) / sector_bytes_;
  }
  /// The sectors that an access has to do with.
  SectorMask touched_sectors(const Payload& payload) const {
    return sectors_of(payload.is_write() ? range_of(payload) : level().bytes_of_access(payload));
  }
  /// The sectors that a write makes dirty.
  SectorMask dirty_sectors(const Payload& write) const {
    return params_.sectored() ? sectors_of(level().bytes_of_access(write)) : SectorMask{1};
  }
  /// The sectors that a miss of the access has to fetch, when the block has `line` (kNoLine: none).
  SectorMask missing_sectors(const Payload& payload, LineId line) const;
  /// What the miss handler knows of an access whose line is `line`; `complete`: the line has its
  /// bytes. None when no outstanding miss has to do with it.
  mha::Match outstanding(const Payload& payload, LineId line, bool complete) const;
  void tell(const Payload& payload, Outcome outcome) const {
    watchers_.tell([&](CacheWatch& watch) { watch.accepted(payload, outcome); });
  }
  /// Returns whether as many requests that need more than a hit have been accepted in this cycle as
  /// can be, so that only hits may follow.
  bool miss_ports_used() const { return misses_accepted_ >= params_.misses_a_cycle(); }
  bool send_request(Cycle now);
  bool request_ready(Cycle now) const {
    return !outgoing_.empty() && outgoing_.front().ready <= now;
  }
  bool is_valid(LineId line) const {
    return line != kNoLine && tags_.state(line) == LineState::valid;
  }
  std::uint8_t* bytes_of(LineId line) {
    return bytes_.data() + std::size_t(line) * params_.line_bytes;
  }
  /// Makes a debug access to the next level; returns the bytes transferred.
  unsigned below(tlm::tlm_command command, Addr address, std::uint8_t* bytes, unsigned count);
  /// Returns whether nothing is queued or in flight in the engine's own structures.
  bool engine_idle() const;
  /// The engine's part of the watchdog's report: a line of counts, to which the level adds, and
  /// what the head waits for.
  std::string describe_counts() const;
  std::string describe_rest() const;
  /// What the descriptions of the statistics call the things around a level.
  struct Words {
    const char* requester;
    const char* accesses;
  };
  /// register_traffic() registers the statistics from `requests` to `secondary_misses`,
  /// register_laws() the laws that hold at every level.
  void register_traffic(StatGroup& group, const Words& words);
  void register_laws(StatGroup& group);

  /// A request on its way to the next level.
  struct Outgoing {
    Transaction* transaction = nullptr;
    Cycle ready = 0;
  };

  Params params_;
  TransactionPool& pool_;
  TagArray tags_;
  std::unique_ptr<mha::MissHandler> handler_;
  bool lines_at_misses_;   // a miss may take its line before the fill
  bool takes_victims_;     // a miss takes the policy's victim, and fills take none
  bool by_sector_;         // misses are tracked by fetches of sectors
  bool tells_sectors_;     // to the handler
  unsigned sector_bytes_;  // those of a line without sectors
  ValidBytes valid_;
  PendingSectors pending_;              // used where lines may lack bytes
  std::unique_ptr<Frontend> frontend_;  // the level makes it
  std::vector<std::uint8_t> bytes_;     // bytes of the lines, when the cache carries bytes
  Femtoseconds time_ = 0;               // time of this tick
  Ring<Outgoing> outgoing_;
  PassTable passes_;
  FillQueue fills_;
  HeadStall stall_;
  Stats stats_;
  Watchers<CacheWatch> watchers_;

 private:
  /// A hit on its way back.
  struct Hit {
    Payload* payload = nullptr;
    Cycle ready = 0;
  };

  Level& level() { return static_cast<Level&>(*this); }
  const Level& level() const { return static_cast<const Level&>(*this); }

  Cycle tick(Cycle now) override;
  bool respond(Cycle now, bool retired);
  bool respond_once(Cycle now);
  void take_fill(Transaction& fetch);
  void keep_fill(const Fill& fill);
  Payload* next_target(const Fill* fill) const;
  void serve(Payload& target, Fill& fill);
  void answer(Payload& payload);
  void finish_drained();
  bool receive();
  bool install(Cycle now);
  void retry(bool moved, bool sent, bool lines_moved);
  bool head_may_go(Stall cause, bool sent, bool lines_moved) const;
  /// Whether a head that nothing overtakes is refused for want of a line, or of room towards the
  /// next level.
  bool waits_for_line_or_room(Stall cause) const {
    return params_.head_waits_alone() &&
           (cause == Stall::miss_queue_full || cause == Stall::assoc_full);
  }
  /// Returns whether the handler can do what it has left at a later tick, and no request waits for
  /// it.
  bool handler_rests() const {
    const Stall cause = frontend_->blocked();
    return handler_->may_rest() && (cause == Stall::none || waits_for_line_or_room(cause));
  }
  bool accept(Cycle now);
  Stall hit(Payload& payload, LineId line, Cycle now);
  /// The fill, of which targets are still to leave, that a read may hit; nullptr: there is none.
  const Fill* arrived_for(const Payload& payload) const;
  Stall hit_under_drain(Payload& payload, const Fill& fill, Cycle now);
  void join(const Payload& payload, Addr unit, LineId line, SectorMask lacks, SectorMask fetched);
  Stall secondary_miss(Payload& payload, Addr block, LineId line, Cycle now);
  Cycle next_work(Cycle now, bool responded, bool sent) const;

  Ring<Hit> hits_;
  BankUse banks_;
  unsigned misses_accepted_ = 0;  // requests of this cycle that were no hits
  bool waits_for_bank_ = false;   // the oldest request left goes in a later cycle
  bool drained_target_ = false;   // of a fill, in this cycle
  unsigned drain_left_ = 0;       // shares of this cycle, of kDrainShares
  bool handler_worked_ = false;
  bool dropped_lines_ = false;  // since the last tick
  // The next answer goes to a passed request, if one waits for its answer.
  bool passed_turn_ = false;
  // With hit_under_drain: a target has left last, so that a hit goes before the next one.
  bool hit_turn_ = true;
  Cycle fill_waits_since_ = kNever;
};

}  // namespace warpmem::cache
