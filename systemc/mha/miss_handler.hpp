// SPDX-License-Identifier: Apache-2.0
// Miss-handling architecture: what a cache asks of the structure that tracks its outstanding
// misses. L1D and L2 hold one each, chosen by configuration (registry.hpp).
//
// Life of an entry: free -> pending -> draining -> free. The primary miss occupies the first slot.
// A draining (or closed) entry takes no merge. Targets drain in arrival order, one a cycle, entries
// in the order of their fills. Times: begin_cycle() first and end_cycle() last in every tick of the
// cache; a handler with busy() must be ticked again in the next cycle.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/types.hpp"

namespace warpmem::mha {

/// Why a miss was not accepted. The first four are reservation fails (SPEC 1.2); `waiting` is not
/// one: the handler needs more cycles for this request (a tail search), ask again next cycle.
enum class Refusal : std::uint8_t {
  none,
  entry_full,
  merge_full,
  mshr_set_full,
  set_locked,
  waiting
};

/// What the handler knows about a block.
enum class Match : std::uint8_t {
  none,      ///< no entry: a miss is primary
  pending,   ///< an entry that takes merges
  closed,    ///< pending, but takes no merge any more: wait until it is gone
  draining,  ///< filled, its targets are on their way: wait until it is gone
};

class MissHandler {
 public:
  virtual ~MissHandler() = default;

  virtual void begin_cycle(Cycle now) = 0;
  virtual void end_cycle() = 0;
  /// Work is left that needs the next cycle (draining or releasing entries).
  virtual bool busy() const = 0;
  /// No entry in use.
  virtual bool empty() const = 0;

  /// State of the block's entry; changes nothing.
  virtual Match find(Addr block) const = 0;
  /// Primary miss: takes an entry with `request` in its first slot. Precondition: find() == none.
  /// At most one allocate() or merge() a cycle.
  virtual Refusal allocate(Addr block, Payload& request) = 0;
  /// Whether the allocate() that was accepted last took the last free entry: no further primary
  /// miss fits (KI 3.3: the MSHRs have become full).
  virtual bool took_last_entry() const = 0;
  /// Secondary miss: adds `request` to the entry. Precondition: find() == pending.
  virtual Refusal merge(Addr block, Payload& request) = 0;
  /// The entry takes no further merges: a later read must not see the line as it was requested.
  virtual void close(Addr block) = 0;

  /// The line has arrived. Precondition: find() is pending or closed.
  virtual void fill(Addr block) = 0;
  /// Oldest target of the entry being drained, or nullptr; `block()` of it by drain_block().
  virtual Payload* target() const = 0;
  virtual Addr drain_block() const = 0;
  /// Removes that target: at most one a cycle.
  virtual void pop_target() = 0;

  /// Cycles from lookup to the miss leaving: 1 conventional, 2 DL (DL 6.3).
  virtual unsigned access_cycles() const = 0;
  /// Slots in all, and occupied now.
  virtual unsigned slots() const = 0;
  virtual unsigned occupied() const = 0;

  /// Registers mshr.* statistics (SPEC 7) and the handler's laws.
  virtual void register_stats(StatGroup& group) = 0;
  /// State of every entry in use, a line each, for the watchdog's report.
  virtual std::string describe() const = 0;
};

}  // namespace warpmem::mha
