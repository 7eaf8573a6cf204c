// SPDX-License-Identifier: Apache-2.0
// A bank of the level 2 cache; each memory partition has l2.slices (docs/mechanisms.md 1.4). It
// stands between the crossbar (in) and the DRAM channel (mem) and is the pipeline of
// cache/cache.hpp with what is special to this level. The acknowledgement of a write leaves as the
// response to a read would.
//
// The bank is write-back and write-allocate; `l2.write_miss` says which write misses fetch their
// line. Each slot of the miss handler holds a request with its write data, and the targets of a
// line take effect in order of arrival, so W1, R1, W2, R2 keep their order (DL section 2,
// footnote). Dirty victims leave through a bounded evict buffer.
//
// A line taken by a write without a fetch (validate) lacks bytes. An access that wants one of them
// is a primary miss, whose fill is laid under what had been written (cache/pending_sectors.hpp).
//
// Requests to memory of the host (Params::host) pass the bank: they wait and are accepted as others
// are, but no line keeps their bytes, which the host may change. They leave through a port of their
// own, in order, so that nothing waits for the link but them, and their answers take turns with the
// others.
//
// Atomics carry the bytes that the program computed, and are ordered by Access::atomic_sequence.
// The atomic unit performs them one after the other: one that hits is not accepted while the unit
// works, one that missed waits among its line's targets. Hits leave in order of acceptance.
//
//   atomic hit of c cycles    n: accepted   n+c: the next one may be   n+c-1+hit_cycles: response
//   target of a fill          n: begins     n+c-1: response
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/address_map.hpp"
#include "base/line_set.hpp"
#include "cache/cache.hpp"
#include "l2/atomic_order.hpp"
#include "l2/atomic_unit.hpp"
#include "l2/evict_buffer.hpp"
#include "l2/params.hpp"

namespace warpmem::l2 {

using cache::LineId;
using cache::Stall;

struct L2Stats : cache::CacheStats {
  std::uint64_t footprint_lines = 0;  ///< primary misses on lines that no access had touched before
  std::uint64_t reads = 0;            ///< accesses that read
  std::uint64_t writes = 0;           ///< accesses that are stores or write-backs of L1D
  std::uint64_t atomics = 0;
  std::uint64_t host_lines = 0;     ///< lines that the host's copies left
  std::uint64_t reductions = 0;     ///< atomics that return nothing
  std::uint64_t write_bytes = 0;    ///< bytes that writes and atomics brought
  std::uint64_t host_requests = 0;  ///< requests that passed the bank to memory of the host
};

class L2Bank : public cache::Cache<L2Bank, L2Params, L2Stats> {
 public:
  using Params = L2Params;
  using Stats = L2Stats;

  /// `map` gives the address within the slice and must outlive the bank, as must `pool`.
  /// `units` makes the miss handler's hardware units and `frontend_units` those of the front end.
  L2Bank(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
         const AddressMap& map, TransactionPool& pool, const mha::UnitFactories& units,
         const cache::FrontendFactories& frontend_units = {});
  ~L2Bank() override;

  /// Where requests to memory of the host leave; nullptr: params.host is empty.
  RequestPort* host() { return host_.get(); }
  /// A launch begins: atomics are numbered from 1 again.
  void begin_launch();
  /// The host is about to write these bytes: lines that hold one of them are dropped, and what is
  /// dirty in them goes to DRAM first. Precondition: idle().
  void invalidate(Addr begin, std::uint64_t bytes);
  /// The host has written to DRAM: the bank takes the line of `block` from there, in no time, in
  /// place of the one that a fetch would replace. Preconditions: idle(), and it does not hold the
  /// line.
  void take_from_host(Addr block);
  /// The lines taken so far belong to the statistics of the launch that begins.
  void count_host_lines();
  /// Lines taken since the bank exists.
  std::uint64_t host_lines() const { return stats_.host_lines + host_lines_; }
  /// Writes every dirty line to DRAM and empties the bank, in no time. Precondition: idle().
  void flush();
  /// Debug access, as transport_dbg at `in`. A read finds the newest bytes, in the bank or below; a
  /// write goes to DRAM and drops the lines that it touches. Returns the bytes transferred.
  unsigned debug(Payload& payload);

  const AtomicUnit& atomic_unit() const { return atomic_unit_; }
  /// Returns whether nothing is queued or in flight.
  bool idle() const;
  std::string describe() const;
  void register_stats(StatRegistry& registry, unsigned index);

 private:
  friend class cache::Cache<L2Bank, L2Params, L2Stats>;

  static constexpr Stage kAcceptStage = Stage::l2_accept;
  static constexpr Stage kSendStage = Stage::dram_queue;
  static constexpr Stage kReturnStage = Stage::dram_done;
  static constexpr auto kPassedAnswers = cache::PassedAnswers::in_turn;
  static constexpr bool kRetriesEveryTick = false;
  static std::uint32_t& entry_index(Access& access) { return access.l2_index; }
  /// The address that selects the set is the one within the slice.
  Addr key_of(Addr block) const { return map_.slice_local(block); }

  // The engine's hooks follow, in the order of its stages.
  void begin_tick(Cycle now) {
    if (host_ != nullptr) host_->begin_cycle();
    if (!atomic_refused_ || !atomic_unit_.free(now)) return;
    atomic_refused_ = false;
    frontend_->moved();
  }
  bool target_done(const Payload& target, Cycle now);
  bool performs_hit(const Payload& payload, Cycle now) {
    if (!is_atomic(payload) || atomic_unit_.free(now)) return true;
    atomic_refused_ = true;
    return false;
  }
  Cycle hit_delay(const Payload& payload, Cycle now) {
    return is_atomic(payload) ? atomic_unit_.perform(access_of(payload), now) - 1 : 0;
  }
  Cycle more_work(Cycle now, bool) const {
    const Cycle atomic = atomic_refused_ ? std::max(now + 1, atomic_unit_.free_at()) : kNever;
    if (to_host_.empty() || host_->held()) return atomic;
    return std::min(atomic, std::max(now + 1, to_host_.front().ready));
  }
  void note_answer(Payload& payload) {
    mark(payload, Stage::noc_response, time_);
    if (is_host(payload)) --host_used_;
  }
  /// Performs the access on `line`, the bytes of the whole line.
  void access_bytes(Payload& payload, std::uint8_t* line);
  bool send(Cycle now);
  bool send_to_memory(Cycle now);
  bool serve_host(Cycle now);
  bool has_writeback() const { return evicting_.unsent() != nullptr; }
  void written_back(Transaction& transaction);
  bool takes_writeback() const { return !evicting_.full(); }
  void write_back(Transaction& transaction, LineId line, Cycle now);
  bool has_bytes(const Payload& payload, LineId line) const;
  cache::SectorMask sectors_to_fetch(const Payload& payload) const;
  Stall miss(Payload& payload, Addr block, LineId line, Cycle now);
  bool makes_dirty(const Payload& target) const;
  Stall try_accept(Payload& payload, Cycle now);
  mha::Room room() const;
  bool holds_back(Addr block) const;
  Stall refused_miss(Payload& payload, Addr block, Stall refusal, Cycle now);
  void on_miss(const Payload& payload, Addr block, const mha::Allocation& allocation, Cycle now);
  void on_access(const Payload& payload, bool hit, Cycle now);
  void drop(LineId line);

  static bool is_atomic(const Payload& payload) {
    return payload.is_write() && kind_of(payload) == AccessKind::atomic;
  }
  bool is_host(const Payload& payload) const {
    return host_ != nullptr && params_.host.contains(payload.get_address());
  }
  Stall pass_to_host(Payload& payload, Cycle now);
  Stall place_written(Payload& payload, Addr block, LineId line, Cycle now);
  bool goes_through(const Payload& payload) const;
  void write_through(Payload& payload, Addr block);
  void count_line(Addr block);

  void blocking(Payload& payload, sc_core::sc_time& delay);
  bool debug_read(Addr address, std::uint8_t* data, unsigned bytes);
  bool debug_write(Addr address, std::uint8_t* data, unsigned bytes);
  bool write_below(LineId line);

  const AddressMap& map_;
  std::uint64_t host_lines_ = 0;  // lines of the host's copies that no launch has counted yet
  AtomicOrder atomics_;
  AtomicUnit atomic_unit_;
  bool atomic_refused_ = false;      // an atomic that hits waits for the unit
  const Payload* target_ = nullptr;  // the target of a fill that the unit works on
  Cycle target_ready_ = 0;           // the cycle in which it is answered
  LineSet footprint_;                // empty unless l2.footprint is set
  EvictBuffer evicting_;
  std::unique_ptr<RequestPort> host_;
  Ring<Outgoing> to_host_;
  unsigned host_used_ = 0;  // requests to memory of the host without an answer
};

}  // namespace warpmem::l2

extern template class warpmem::cache::Cache<warpmem::l2::L2Bank, warpmem::l2::L2Params,
                                            warpmem::l2::L2Stats>;
