// SPDX-License-Identifier: Apache-2.0
// A small fully associative table of a prefetcher. It keeps its entries in the order of their
// insertion; the least recently used one gives way. `Entry` has a `key`.
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "units/bits_for.hpp"

namespace warpmem::l1d {

template <class Entry>
class LruTable {
 public:
  explicit LruTable(std::uint32_t entries) : entries_(entries) {
    assert(entries >= 1);
    used_.reserve(entries);
  }

  /// Returns the entry of `key`, or nullptr. Finding an entry does not count as a use of it.
  template <class Key>
  const Entry* find(const Key& key) const {
    for (const Slot& slot : used_)
      if (slot.entry.key == key) return &slot.entry;
    return nullptr;
  }
  /// Returns the entry of `key`, which becomes the most recently used one, or nullptr.
  template <class Key>
  Entry* use(const Key& key) {
    for (Slot& slot : used_) {
      if (!(slot.entry.key == key)) continue;
      slot.last_use = ++clock_;
      return &slot.entry;
    }
    return nullptr;
  }
  /// Adds the entry at the end; the least recently used one gives way if the table is full.
  /// Precondition: find() == nullptr.
  Entry& insert(const Entry& entry) {
    if (used_.size() == entries_) {
      std::size_t oldest = 0;
      for (std::size_t i = 1; i < used_.size(); ++i)
        if (used_[i].last_use < used_[oldest].last_use) oldest = i;
      used_.erase(used_.begin() + static_cast<std::ptrdiff_t>(oldest));
      ++replaced_;
    }
    used_.push_back({entry, ++clock_});
    return used_.back().entry;
  }
  void clear() { used_.clear(); }

  std::uint32_t capacity() const { return entries_; }
  std::size_t size() const { return used_.size(); }
  /// The i-th entry in the order of insertion. Precondition: `i` < size().
  const Entry& at(std::size_t i) const { return used_[i].entry; }
  Entry& at(std::size_t i) { return used_[i].entry; }
  /// Number of entries that gave way.
  const std::uint64_t& replaced() const { return replaced_; }
  /// Bits of the table when the fields of an entry take `entry_bits`: each entry has a valid bit
  /// and its rank in the order of uses as well.
  std::uint64_t bits(std::uint64_t entry_bits) const {
    const std::uint64_t rank = entries_ == 1 ? 0 : units::bits_for(entries_);
    return entries_ * (entry_bits + 1 + rank);
  }

 private:
  struct Slot {
    Entry entry;
    std::uint64_t last_use;
  };
  std::uint32_t entries_;
  std::vector<Slot> used_;
  std::uint64_t clock_ = 0;
  std::uint64_t replaced_ = 0;
};

}  // namespace warpmem::l1d
