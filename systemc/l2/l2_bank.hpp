// SPDX-License-Identifier: Apache-2.0
// A bank of the level 2 cache, one a memory partition (SPEC 1.4), between the crossbar (in) and the
// DRAM channel (mem). One request is accepted and one response sent a cycle.
//
//   hit    n: accepted   n+hit_cycles: response (the acknowledgement of a write too)
//   miss   n: accepted, entry allocated   n+access_cycles of the handler: fetch to DRAM
//          f: fill taken, line reserved or installed   f+1..: targets answered, one a cycle
//
// Write-back, write-allocate: every write miss fetches its line. Each slot of the miss handler
// holds a request with its write data, and the targets of a line take effect in order of arrival,
// so W1, R1, W2, R2 keep their order (DL section 2, footnote). The line stays reserved until its
// last target has left. Dirty victims leave through a bounded evict buffer.
//
// Atomics carry the bytes that the program computed, and are ordered by Access::atomic_sequence.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/address_map.hpp"
#include "base/clock_domain.hpp"
#include "base/line_set.hpp"
#include "base/params.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "l2/atomic_order.hpp"
#include "l2/bypass_table.hpp"
#include "l2/evict_buffer.hpp"
#include "l2/frontend/frontend.hpp"
#include "mha/fill_queue.hpp"
#include "mha/head_stall.hpp"
#include "mha/miss_handler.hpp"
#include "mha/registry.hpp"
#include "mha/tag_array.hpp"

namespace warpmem::l2 {

/// Whether a read that the bank has no room for goes past it to DRAM.
enum class Bypass : std::uint8_t { none, any_rf };

class L2Bank : public sc_core::sc_module, public Clocked {
 public:
  struct Params {
    std::uint64_t size = 128 * 1024;  ///< bytes of a bank
    std::uint32_t ways = 16;
    std::uint32_t line_bytes = 128;                 ///< 32, 64 or 128
    mha::IndexHash index = mha::IndexHash::linear;  ///< of the partition-local address
    mha::Allocate allocate = mha::Allocate::on_miss;
    std::uint32_t hit_cycles = 10;
    std::uint32_t input_queue = 8;     ///< requests from the crossbar
    std::uint32_t miss_queue = 8;      ///< fetches to DRAM
    std::uint32_t evict_buffer = 32;   ///< dirty lines on their way to DRAM
    std::uint32_t response_queue = 8;  ///< responses from DRAM
    FrontendParams frontend;
    Bypass bypass = Bypass::none;
    std::uint32_t bypass_reads = 16;  ///< reads past the bank at a time
    mha::MhaParams mshr = default_mshr();
    bool footprint = false;  ///< count the distinct lines that the program touches
    bool carry_data = true;  ///< set by the machine from check_data; not a key of this group

    void describe(Schema& schema);
    void validate(Problems& problems) const;

   private:
    static mha::MhaParams default_mshr();
  };

  struct Stats {
    std::uint64_t requests = 0;   ///< accepted, errors included
    std::uint64_t responses = 0;  ///< sent
    std::uint64_t rejected = 0;   ///< answered with an error status
    std::uint64_t accesses = 0;
    std::uint64_t hits = 0;
    std::uint64_t primary_misses = 0;
    std::uint64_t secondary_misses = 0;
    std::uint64_t bypasses = 0;         ///< reads that went past the bank
    std::uint64_t footprint_lines = 0;  ///< primary misses on lines never seen before
    std::uint64_t reads = 0;            ///< accesses by kind
    std::uint64_t writes = 0;           ///< ... stores and write-backs of L1D
    std::uint64_t atomics = 0;
    std::uint64_t fills = 0;         ///< lines that arrived from DRAM
    std::uint64_t failed_fills = 0;  ///< ... with an error status
    std::uint64_t fill_wait_cycles =
        0;                         ///< a line that arrived waited for a victim or for its place
    std::uint64_t evictions = 0;   ///< valid lines replaced
    std::uint64_t writebacks = 0;  ///< ... that were dirty and went to DRAM
    std::uint64_t writeback_acknowledgements = 0;
  };

  /// `map` gives the partition-local address and must outlive the bank, as must `pool`; `units`
  /// makes the miss handler's hardware units, `own_units` the bank's.
  L2Bank(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
         const AddressMap& map, TransactionPool& pool, const mha::UnitFactories& units,
         const UnitFactories& own_units = {});
  ~L2Bank() override;

  ServicePort in;
  RequestPort mem;

  /// `meter` is told the use of the input queue.
  void watch_input(PeriodMeter& meter) { frontend_->watch(meter); }
  /// A launch begins: atomics are numbered from 1 again.
  void begin_launch();
  /// The host is about to write these bytes: lines that hold one are dropped, what is dirty in them
  /// goes to DRAM first. Precondition: idle().
  void invalidate(Addr begin, std::uint64_t bytes);
  /// Drops the lines of [begin, begin + bytes), whole lines to which no request is under way while
  /// others are. What is dirty goes to DRAM, in no time. Throws SimulationError when a fill of one
  /// is awaited.
  void drop_lines(Addr begin, std::uint64_t bytes);
  /// A line of the range is reserved: its fill, or what its last target leaves to do, is awaited.
  bool awaits_fill(Addr begin, std::uint64_t bytes) const;
  /// Writes every dirty line to DRAM and empties the bank, in no time. Precondition: idle().
  void flush();
  /// Debug access, as transport_dbg at `in`: a read finds the newest bytes, in the bank or below; a
  /// write goes to DRAM and drops the lines it touches. Returns the bytes transferred.
  unsigned debug(Payload& payload);

  /// Nothing queued or in flight.
  bool idle() const;
  std::string describe() const;
  void register_stats(StatRegistry& registry, unsigned index);
  const Stats& stats() const { return stats_; }
  /// Refusals of the selected request by cause.
  const mha::HeadStall& stalls() const { return stall_; }

 private:
  /// A fetch on its way to DRAM.
  struct Outgoing {
    Transaction* transaction = nullptr;
    Cycle ready = 0;
  };
  /// A hit on its way back.
  struct Hit {
    Payload* payload = nullptr;
    Cycle ready = 0;
  };

  Cycle tick(Cycle now) override;
  bool respond(Cycle now);
  void finish_drained();
  bool send(Cycle now);
  bool receive();
  bool install(Cycle now);
  bool accept(Cycle now);
  Cycle next_work(Cycle now, bool responded, bool sent) const;

  mha::Stall try_accept(Payload& payload, Cycle now);
  mha::Stall hit(Payload& payload, mha::LineId line, Cycle now);
  mha::Stall primary_miss(Payload& payload, Addr block, Cycle now);
  mha::Stall go_past(Payload& payload, Addr block, mha::Stall refusal, Cycle now);
  void count_access(const Payload& payload);
  bool make_room(mha::LineId victim);
  /// Performs the access on `line`, the bytes of its whole line.
  void access_bytes(Payload& payload, std::uint8_t* line);
  void answer(Payload& payload);

  void blocking(Payload& payload, sc_core::sc_time& delay);
  bool debug_write(Addr address, std::uint8_t* data, unsigned bytes);
  void drop(mha::LineId line);
  std::uint8_t* newest_bytes(Addr block);
  unsigned below(tlm::tlm_command command, Addr address, std::uint8_t* bytes, unsigned count);

  /// The address that selects the set: the one within the partition.
  Addr key_of(Addr block) const { return map_.local(block); }
  std::uint8_t* bytes_of(mha::LineId line) {
    return bytes_.data() + std::size_t(line) * params_.line_bytes;
  }

  Params params_;
  const AddressMap& map_;
  TransactionPool& pool_;
  mha::TagArray tags_;
  std::unique_ptr<mha::MissHandler> handler_;
  bool handler_worked_ = false;
  bool lines_at_misses_;  // a miss may take its line before the fill
  std::unique_ptr<Frontend> frontend_;
  std::vector<std::uint8_t> bytes_;  // of the lines, when bytes are carried
  AtomicOrder atomics_;
  LineSet footprint_;  // empty unless it is counted

  Femtoseconds time_ = 0;  // of this tick
  Ring<Hit> hits_;
  Ring<Outgoing> fetches_;
  EvictBuffer evicting_;
  BypassTable bypassed_;
  bool bypass_turn_ = false;  // the next answer is one of these, if there is one
  mha::FillQueue fills_;
  Cycle fill_waits_since_ = kNever;
  mha::HeadStall stall_;
  Stats stats_;
};

}  // namespace warpmem::l2
