// SPDX-License-Identifier: Apache-2.0
// What stands beside each entry of a miss handler where lines may lack bytes: the mask of the
// sectors that the entry is about, how many of its fetches are under way, and bytes.
//
// A request that wants sectors which the line has and others that it lacks reads the ones it has at
// its lookup, as does one that fetches a sector of which bytes have been written: these bytes are
// captured here. From then on every access to such a sector joins the entry, so they are the newest
// until the targets drain, whatever becomes of the line. With misses tracked by line, a secondary
// miss may add a fetch; the targets begin to drain when the last one has arrived.
#pragma once

#include <array>
#include <cstring>
#include <vector>

#include "base/assert.hpp"
#include "base/byte_mask.hpp"
#include "base/numbered_pool.hpp"
#include "base/transaction.hpp"
#include "cache/block_map.hpp"
#include "cache/tag_array.hpp"

namespace warpmem::cache {

class PendingSectors {
 public:
  /// `misses` is the most that are outstanding at a time; 0: lines are always whole.
  explicit PendingSectors(unsigned misses) : entries_(misses) {}

  /// A primary miss opens the entry of `unit`, with the first of its fetches; `index` is the one
  /// that travels with them.
  void open(Addr unit, std::uint32_t index) {
    const std::uint32_t e = entries_.take();
    Entry& entry = entries_[e];
    entry.sectors = entry.covered = 0;
    entry.fetches = 1;
    entry.index = index;
    entry.captured = {};
    entry.first = nullptr;
    entry.written = false;
    map_.insert(unit, e);
  }
  /// The sectors that the entry of `unit` is about; 0: there is no entry.
  SectorMask sectors(Addr unit) const {
    const std::uint32_t e = map_.find(unit);
    return e == BlockMap::kAbsent ? SectorMask{0} : entries_[e].sectors;
  }
  /// Whether every fetch of the entry has arrived. Precondition of this and the next ones: there is
  /// an entry.
  bool complete(Addr unit) const { return at(unit).fetches == 0; }
  std::uint32_t index(Addr unit) const { return at(unit).index; }
  /// Those of them that have been fetched or captured whole.
  SectorMask covered(Addr unit) const { return at(unit).covered; }
  /// The entry is about `sectors` and `covered`, too.
  void add(Addr unit, SectorMask sectors, SectorMask covered) {
    at(unit).sectors |= sectors | covered;
    at(unit).covered |= covered;
  }
  /// A target of the entry writes.
  void note_write(Addr unit) { at(unit).written = true; }
  bool written(Addr unit) const { return at(unit).written; }
  /// One more fetch is under way. Precondition: !complete(unit).
  void add_fetch(Addr unit) {
    assert(!complete(unit));
    ++at(unit).fetches;
  }
  /// Captures bytes that the line has; `line` points at its first byte, or is nullptr in a cache
  /// that carries none.
  void capture(Addr unit, const ByteMask& bytes, const std::uint8_t* line) {
    Entry& entry = at(unit);
    entry.captured |= bytes;
    if (line != nullptr) copy_bytes(bytes, line, entry.bytes.data());
  }
  /// Takes a fetch that has arrived; its bytes, `valid`, stand at their place in the line. When it
  /// was the last, returns the fetch that holds the bytes of all of them with what was captured,
  /// and sets `valid` to these bytes. Otherwise returns nullptr.
  Transaction* arrived(Addr unit, Transaction& fetch, ByteMask& valid) {
    Entry& entry = at(unit);
    assert(entry.fetches != 0);
    if (entry.first == nullptr) {
      entry.first = &fetch;
      entry.valid = valid;
    } else {
      if (!fetch.is_response_ok()) entry.first->set_response_status(fetch.get_response_status());
      entry.first->access.tag |= fetch.access.tag;
      copy_bytes(valid, fetch.data.data(), entry.first->data.data());
      entry.valid |= valid;
      fetch.release();
    }
    if (--entry.fetches != 0) return nullptr;
    copy_bytes(entry.captured, entry.bytes.data(), entry.first->data.data());
    entry.valid |= entry.captured;
    valid = entry.valid;
    return entry.first;
  }
  /// An access without time writes bytes of the line; those that were captured change.
  void overwrite(Addr unit, unsigned offset, const std::uint8_t* bytes, unsigned count) {
    if (sectors(unit) != 0) std::memcpy(at(unit).bytes.data() + offset, bytes, count);
  }
  /// The targets begin to drain. Precondition: complete(unit).
  void close(Addr unit) {
    const std::uint32_t e = map_.find(unit);
    assert(e != BlockMap::kAbsent && entries_[e].fetches == 0);
    map_.erase(unit);
    entries_.give_back(e);
  }

 private:
  struct Entry {
    SectorMask sectors = 0;
    SectorMask covered = 0;
    std::uint8_t fetches = 0;  // under way
    bool written = false;      // by a target
    std::uint32_t index = 0;
    ByteMask captured;
    ByteMask valid;                // of what has arrived
    Transaction* first = nullptr;  // the first fetch that has arrived, with the bytes of all so far
    std::array<std::uint8_t, kMaxLineBytes> bytes{};  // those captured
  };

  Entry& at(Addr unit) { return entries_[map_.find(unit)]; }
  const Entry& at(Addr unit) const { return entries_[map_.find(unit)]; }

  BlockMap map_;
  NumberedPool<Entry> entries_;
};

}  // namespace warpmem::cache
