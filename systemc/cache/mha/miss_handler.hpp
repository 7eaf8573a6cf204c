// SPDX-License-Identifier: Apache-2.0
// Miss-handling architecture: what a cache asks of the structure that tracks its outstanding
// misses. L1D and L2 hold one each, which the configuration chooses (registry.hpp).
//
// An entry is free, pending, draining and free again. The primary miss occupies the first slot. A
// draining (or closed) entry takes no merge. Targets drain in arrival order, one a cycle, and
// entries in the order of their fills. In every tick of the cache begin_cycle() comes first and
// end_cycle() last; a handler with busy() must be ticked again in the next cycle, or may_rest().
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/types.hpp"
#include "cache/stall.hpp"
#include "cache/tag_array.hpp"

namespace warpmem::mha {

using cache::Allocate;
using cache::kNoLine;
using cache::LineId;
using cache::LineState;
using cache::SectorMask;
using cache::Stall;
using cache::TagArray;

/// A block, and what the cache knows of it. Handlers with tags of their own need the block alone:
/// it is the address of what a miss is tracked by, the line or, with mshr.granularity: sector, a
/// part.
struct Where {
  Addr block;
  /// Line with the block's tag: found, or about to be taken by the block's miss.
  LineId line = kNoLine;
  std::uint32_t index = 0;  ///< index that came back with the response (for fill())

  // The constructor is implicit, so that a block will do as an argument.
  Where(Addr b, LineId l = kNoLine, std::uint32_t i = 0) : block(b), line(l), index(i) {}
};

/// A primary miss. `key` selects the set of its block (TagArray::find()).
struct Miss {
  Addr block;
  Addr key;
  bool keeps_line = true;  ///< false: the line is not to stay in the cache, so the miss takes none
  /// The block's own line, which lacks bytes: where misses take lines, this one is taken and
  /// nothing is replaced, and the cache holds it until the targets have drained. kNoLine: there is
  /// none.
  LineId present = kNoLine;
};

/// What the cache can do about a primary miss in this cycle. `clean` says why one that takes no
/// line, or a clean one, cannot go; `dirty` says so of one that takes a dirty line; none means that
/// it can go.
struct Room {
  Stall clean = Stall::none;
  Stall dirty = Stall::none;
};

/// The answer to a primary miss. With a refusal the other fields mean nothing.
struct Allocation {
  Stall refusal = Stall::none;
  LineId line = kNoLine;  ///< line to evict and to reserve now; kNoLine: it is chosen at the fill
  /// Index of the entry; travels with the fetch and comes back in Where::index.
  std::uint32_t index = 0;
  /// Cycles from the lookup until the fetch leaves: 1, or 2 with DL (DL 6.3).
  unsigned cycles = 1;
  bool last_entry = false;  ///< no further primary miss fits (KI 3.3: the MSHRs have become full)
};

/// The sectors of a miss, where lines are fetched in parts, as bits of what its entry tracks.
struct MissSectors {
  SectorMask lacks = 0;    ///< those that the request wants and the line lacks
  SectorMask held = 0;     ///< others, whose bytes the cache captures beside the entry
  SectorMask fetched = 0;  ///< of those that the line lacks: not on their way, or here, already
};

/// Where the last request that was asked for is kept, as the hardware would number it.
struct Placement {
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
  std::uint32_t entry = kUnknown;  ///< entry, or slot set; kUnknown: numbers are not the hardware's
  bool link = false;               ///< a slot set newly linked for it
  std::uint32_t branch = kUnknown;  ///< HTSMA, of the last primary miss: units::HtsmaSteer
};

/// What the handler knows about a block.
enum class Match : std::uint8_t {
  none,      ///< there is no entry, so a miss is primary
  pending,   ///< the entry takes merges
  closed,    ///< the entry is pending but takes no merge any more: wait until it is gone
  draining,  ///< the entry is filled and its targets are on their way: wait until it is gone
};

class MissHandler {
 public:
  /// `tags` are those of the cache and must outlive the handler. `allocate` is the cache's setting;
  /// a handler that shares the cache's tags has its own rule.
  MissHandler(const TagArray& tags, Allocate allocate) : tags_(tags), allocate_(allocate) {}
  virtual ~MissHandler() = default;

  virtual void begin_cycle(Cycle now) = 0;
  virtual void end_cycle() = 0;
  /// Returns whether work is left that needs the next cycle (draining or releasing entries).
  virtual bool busy() const = 0;
  /// Returns whether the next begin_cycle() makes up for cycles left out although busy(). A later
  /// one comes in any case: a line is awaited. To be asked when nobody waits for what the handler
  /// frees.
  virtual bool may_rest() const { return false; }
  /// Returns whether no entry is in use.
  virtual bool empty() const = 0;

  /// Returns the state of the block's entry; changes nothing.
  virtual Match find(Where where) const = 0;
  /// Handles a primary miss: takes an entry with `request` in its first slot, and a line of the
  /// cache where the handler takes it now. Precondition: find() == none. At most one allocate() or
  /// merge() comes in a cycle, or as many as the cache has miss ports (l1d.miss_ports). A miss is
  /// refused, in this order, for what the cache's lines, the cache (`room`) and the handler lack.
  virtual Allocation allocate(const Miss& miss, const Room& room, Payload& request) = 0;
  /// Handles a secondary miss: adds `request` to the entry, or says why not. Precondition: find()
  /// == pending.
  virtual Stall merge(Where where, Payload& request) = 0;
  /// Returns the request in the first slot of the block's entry. Precondition: find() == pending.
  virtual const Payload& first_target(Where where) const = 0;
  /// Handles a secondary miss that takes the first slot from the prefetch there instead of a slot
  /// of its own; otherwise it is like merge(). Precondition: first_target() is a prefetch.
  virtual Stall take_over(Where where, Payload& request) = 0;
  /// Closes the entry to further merges: a later read must not see the line as it was requested.
  virtual void close(Where where) = 0;
  /// A store has passed `block`, which no line holds.
  virtual void written(Addr block, Addr key) {
    (void)block;
    (void)key;
  }

  /// The line has arrived. Precondition: find() is pending or closed.
  virtual void fill(Where where) = 0;
  /// Returns the oldest target of the entry that drains, or nullptr. drain_block() gives its block.
  virtual Payload* target() const = 0;
  virtual Addr drain_block() const = 0;
  /// Removes that target. One target leaves a cycle, or up to four of an entry (l1d.drain).
  virtual void pop_target() = 0;

  /// Returns whether the handler is to be told of sectors (the next two). The cache keeps them and
  /// makes the fetches (pending_sectors.hpp), so that this decides nothing.
  virtual bool follows_sectors() const { return false; }
  /// These are the sectors of the last miss that was accepted.
  virtual void note_sectors(const MissSectors& sectors) { (void)sectors; }
  /// Some sectors of a block have arrived. Behind its last ones, `complete`, fill() follows.
  virtual void note_arrival(Where where, SectorMask sectors, bool complete) {
    (void)where;
    (void)sectors;
    (void)complete;
  }

  /// Returns whether misses may take a line although the cache allocates on fill. Such a line
  /// belongs to its entry until the last target has left, even when its bytes are not kept.
  virtual bool shares_tags() const { return false; }
  /// Number of primary misses that would still fit. A set may be full before.
  virtual unsigned free_entries() const = 0;
  /// Number of misses that can be outstanding at a time.
  virtual unsigned most_misses() const = 0;
  /// Returns where the last request is that was accepted, or refused for want of a slot.
  virtual Placement placement() const { return {}; }
  /// Number of all slots, and of those occupied now.
  virtual unsigned slots() const = 0;
  virtual unsigned occupied() const = 0;

  /// Registers mshr.* statistics (docs/mechanisms.md 7) and the handler's laws.
  virtual void register_stats(StatGroup& group) = 0;
  /// Describes the state of every entry in use, a line each, for the watchdog's report.
  virtual std::string describe() const = 0;

 protected:
  /// Returns the line that a miss takes by the cache's own rule, or why the miss cannot go.
  Allocation line_for(const Miss& miss, const Room& room) const {
    if (allocate_ == Allocate::on_fill || !miss.keeps_line) return {room.clean};
    if (miss.present != kNoLine) return {room.clean, miss.present};
    const LineId line = tags_.victim(miss.key);
    if (line == kNoLine) return {Stall::assoc_full};
    return {refusal_of(room, line), line};
  }
  /// Returns why the cache lets no miss go that takes `line` (kNoLine: no line), or none.
  Stall refusal_of(const Room& room, LineId line) const {
    return line != kNoLine && tags_.dirty(line) ? room.dirty : room.clean;
  }

  const TagArray& tags_;

 private:
  Allocate allocate_;
};

}  // namespace warpmem::mha
