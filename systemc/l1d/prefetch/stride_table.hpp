// SPDX-License-Identifier: Apache-2.0
// A table of strides by PC (KI 4.1.1). PCST also uses its number of accesses (KI Table 4.1).
#pragma once

#include <algorithm>
#include <cstdint>

#include "l1d/prefetch/lru_table.hpp"
#include "l1d/prefetch/prefetcher.hpp"
#include "l1d/prefetch/stride_pattern.hpp"

namespace warpmem::l1d {

class StrideTable {
 public:
  struct Entry {
    std::uint32_t key = 0;  ///< PC
    Addr address = 0;       ///< address of the last access
    StridePattern pattern;
    std::uint8_t accesses = 0;  ///< accesses in this block; saturates
  };
  /// Bits of the number of accesses, in tables that count them.
  static constexpr unsigned kCountBits = 8;

  StrideTable(std::uint32_t entries, unsigned stride_bits)
      : table_(entries), stride_bits_(stride_bits) {}

  void train(std::uint32_t pc, Addr address) {
    Entry* const entry = table_.use(pc);
    if (entry == nullptr) {
      table_.insert({pc, address, {}, 1});
      return;
    }
    if (entry->accesses != 0)
      entry->pattern.observe(stride_between(entry->address, address, stride_bits_));
    entry->address = address;
    entry->accesses = static_cast<std::uint8_t>(std::min(entry->accesses + 1, 255));
  }
  /// Returns the stride that the entry of `pc` predicts, or 0.
  std::int64_t prediction(std::uint32_t pc) const {
    const Entry* const entry = table_.find(pc);
    return entry == nullptr ? 0 : entry->pattern.prediction();
  }
  /// A new block begins: its first access says nothing about the stride within a block.
  void next_block() {
    for (std::size_t i = 0; i < table_.size(); ++i) table_.at(i).accesses = 0;
  }
  void clear() { table_.clear(); }

  std::size_t size() const { return table_.size(); }
  /// The i-th entry, in the order of first execution.
  const Entry& at(std::size_t i) const { return table_.at(i); }
  const std::uint64_t& replaced() const { return table_.replaced(); }
  std::uint64_t bits(unsigned address_bits, bool counts) const {
    return table_.bits(kPcBits + address_bits + stride_bits_ + 2 + (counts ? kCountBits : 0));
  }

 private:
  LruTable<Entry> table_;
  unsigned stride_bits_;
};

}  // namespace warpmem::l1d
