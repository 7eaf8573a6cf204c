// SPDX-License-Identifier: Apache-2.0
// The cache engine: one pipeline for every level of the hierarchy, between the link from the
// requesters (in) and the link to the next level (mem). At most one request is accepted, one is
// sent on and one response is given a cycle.
//
//   hit    n: accepted   n+hit_cycles: response
//   miss   n: accepted, entry allocated   n+cycles of the allocation: fetch to the next level
//          f: fill taken, line reserved or installed   f+1..: targets answered, one a cycle
//   past   n: accepted   n+1: to the next level   a: its answer   a+1: response
//
// The stages of a cycle run downstream first: respond, drain, send, receive, install, accept. A
// line whose targets are draining stays reserved until the last one has left; requests to it, or to
// a closed entry, wait (stalls.line_busy). The targets of a line take effect in order of arrival.
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
#include "cache/fill_queue.hpp"
#include "cache/frontend/registry.hpp"
#include "cache/head_stall.hpp"
#include "cache/mha/miss_handler.hpp"
#include "cache/mha/registry.hpp"
#include "cache/params.hpp"
#include "cache/pass_table.hpp"
#include "cache/tag_array.hpp"

namespace warpmem::cache {

/// Counters of every level.
struct CacheStats {
  std::uint64_t requests = 0;   ///< accepted, errors included
  std::uint64_t responses = 0;  ///< sent to the requesters
  std::uint64_t rejected = 0;   ///< answered with an error status
  std::uint64_t accesses = 0;   ///< requests that look for their line, and reads that bypass
  std::uint64_t hits = 0;
  std::uint64_t primary_misses = 0;
  std::uint64_t secondary_misses = 0;
  std::uint64_t bypasses = 0;          ///< reads that went past the cache
  std::uint64_t fills = 0;             ///< lines that arrived
  std::uint64_t dropped_fills = 0;     ///< ... and were not kept
  std::uint64_t failed_fills = 0;      ///< ... with an error status
  std::uint64_t fill_wait_cycles = 0;  ///< a line that arrived waited for a victim or for its place
  std::uint64_t evictions = 0;         ///< valid lines replaced
  std::uint64_t writebacks = 0;        ///< ... that were dirty and went to the next level
  std::uint64_t writeback_acknowledgements = 0;
  std::uint64_t acknowledgements = 0;  ///< answers of the next level to passed requests
};

/// When answers to requests that went past the cache leave.
enum class PassedAnswers : std::uint8_t {
  before_hits,  ///< after the targets of fills
  in_turn       ///< in turn with the targets of fills and hits, as nothing waits for them
};

/// What a transaction to the next level is for stands in the high bits of its tag; in the low ones
/// the place of a passed request or of a write-back.
inline constexpr std::uint32_t kFetch = 0u << 30;
inline constexpr std::uint32_t kPassed = 1u << 30;
inline constexpr std::uint32_t kWriteback = 2u << 30;
inline constexpr std::uint32_t kPurpose = 3u << 30;

/// `Params` derives from CacheParams and `Stats` from CacheStats. `Level` defines
///
///   static constexpr Stage kAcceptStage, kSendStage, kReturnStage   stamps of a request here, and
///                                                    the range that its fetch brings back
///   static constexpr PassedAnswers kPassedAnswers
///   static constexpr bool kRetriesEveryTick          see retry()
///   static std::uint32_t& entry_index(Access&)       where the MSHR index of this level travels
///   Addr key_of(Addr block) const                    the address that selects the set
///   void access_bytes(Payload&, std::uint8_t* line)  performs an access on the bytes of its line
///   Stall try_accept(Payload&, Cycle now)            accepts the request or says why not; calls
///                                                    reject_malformed(), lookup(), pass()
///   mha::Room room() const                           for a primary miss
///   bool takes_writeback() const                     a dirty line may be replaced
///   void write_back(Transaction&, Cycle now)         takes a dirty victim
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

  /// Drops the lines of [begin, begin + bytes), whole lines to which no request is under way;
  /// others may be. Takes no time. Throws SimulationError when a fill of one is awaited.
  void drop_lines(Addr begin, std::uint64_t bytes);
  /// A line of the range is reserved: its fill, or what its last target leaves to do, is awaited.
  bool awaits_fill(Addr begin, std::uint64_t bytes) const;
  /// `meter` is told the use of the input queue.
  void watch_input(PeriodMeter& meter) { frontend_->watch(meter); }
  const Stats& stats() const { return stats_; }
  /// Refusals of the request that stands at the cache by cause.
  const HeadStall& stalls() const { return stall_; }

 protected:
  /// `pool` must outlive the cache. `passes`: the most requests past the cache at a time. Throws
  /// UserError when a view of a unit cannot be built.
  Cache(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
        TransactionPool& pool, unsigned passes, const mha::UnitFactories& units);
  ~Cache() override = default;

  // ---- hooks, empty here ------------------------------------------------------------------------
  void begin_tick(Cycle) {}
  /// Stage 1 loses its target of this cycle to something else; true: it did.
  bool retire() { return false; }
  void note_answer(Payload&) {}
  void note_fill(Payload&, Femtoseconds) {}
  /// The line of `fill` is valid now.
  void installed(const Fill&) {}
  /// The last target of `fill` has left.
  void drained(const Fill&) {}
  /// Whether the line of a request's miss stays in the cache.
  bool kept(const Access&) const { return true; }
  /// Nobody waits for the line of `fill`: it need not find a place.
  bool may_drop(const Fill&) const { return false; }
  /// `line`, which is valid, is about to be replaced for a miss of `evictor`.
  void leaving(LineId, const Access&) {}
  /// Whether no primary miss of the block can go now, whatever room there is.
  bool holds_back(Addr) const { return false; }
  Stall merge(Payload& payload, Addr block, LineId line) {
    return handler_->merge({block, line}, payload);
  }
  /// A primary miss was refused: another way for it, or the refusal.
  Stall refused_miss(Payload&, Addr, Stall refusal, Cycle) { return refusal; }
  void on_hit(const Payload&, LineId, Cycle) {}
  void on_merge(const Payload&, Addr, Cycle) {}
  void on_miss(const Payload&, Addr, const mha::Allocation&, Cycle) {}
  /// lookup() accepted an access.
  void on_access(const Payload&, bool, Cycle) {}
  /// try_accept() accepted a request, which still stands at the cache.
  void on_request(const Payload&) {}
  void end_tick(Cycle, bool) {}
  /// Write-backs wait for the link to the next level.
  bool has_writeback() const { return false; }
  Cycle more_work(Cycle, bool) const { return kNever; }

  // ---- what a level makes its stages of ---------------------------------------------------------
  /// An answer is queued when the request's form cannot be served; `refusal` says when there is no
  /// room for it. False: the request is well formed.
  bool reject_malformed(Payload& payload, Cycle now, Stall& refusal);
  /// Looks for the line: hit, merge or primary miss.
  Stall lookup(Payload& payload, Cycle now);
  /// The request, or `bytes` of it from `offset` on, goes to the next level. Preconditions: room in
  /// passes_ and outgoing_. A write takes its bytes along.
  void pass(Payload& payload, AccessKind kind, unsigned offset, unsigned bytes, Cycle now);
  /// Asks the next level for the line of an allocated entry.
  void fetch(Addr block, const Access& origin, const mha::Allocation& allocation, Cycle now);
  /// `allocation` takes its line, if it has one.
  void take_line(const mha::Allocation& allocation, Addr block, const Access& evictor, Cycle now);
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
  /// Nothing queued or in flight in the engine's own structures.
  bool engine_idle() const;
  /// The engine's part of the watchdog's report: a line of counts, to which the level adds, and
  /// what the head waits for.
  std::string describe_counts() const;
  std::string describe_rest() const;
  /// Words of a level in the statistics' descriptions.
  struct Words {
    const char* requester;
    const char* accesses;
  };
  /// requests ... secondary_misses; then laws of every level.
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
  bool lines_at_misses_;                // a miss may take its line before the fill
  std::unique_ptr<Frontend> frontend_;  // made by the level
  std::vector<std::uint8_t> bytes_;     // of the lines, when bytes are carried
  Femtoseconds time_ = 0;               // of this tick
  Ring<Outgoing> outgoing_;
  PassTable passes_;
  FillQueue fills_;
  HeadStall stall_;
  Stats stats_;

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
  void serve(Payload& target, Fill& fill);
  void answer(Payload& payload);
  void finish_drained();
  bool receive();
  void passed(Transaction& transaction);
  bool install(Cycle now);
  void retry(bool moved);
  bool accept(Cycle now);
  Stall hit(Payload& payload, LineId line, Cycle now);
  Stall primary_miss(Payload& payload, Addr block, Cycle now);
  void evict(LineId line, const Access& evictor, Cycle now);
  Cycle next_work(Cycle now, bool responded, bool sent) const;

  Ring<Hit> hits_;
  bool handler_worked_ = false;
  bool passed_turn_ = false;  // the next answer is that of a passed request, if there is one
  Cycle fill_waits_since_ = kNever;
};

}  // namespace warpmem::cache
