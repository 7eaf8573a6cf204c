// SPDX-License-Identifier: Apache-2.0
// Index generator of TSMA (KI 5.1, Fig 5.2; docs/mechanisms.md 2.4), synthesizable core: a vector
// with a bit for each entry (1 = available), a priority encoder, and the IDX register, which always
// holds the index that the next primary miss gets.
//
//   cycle n      take: the miss uses idx; release: a response has freed release_idx
//   clock edge   both change the vector, and IDX becomes the lowest available index
//   cycle n+1    idx and full show the change: a released entry can be taken from here on
#pragma once

#include <array>
#include <cstdint>

#include "units/tsma_index_gen/tsma_index_gen_unit.hpp"

namespace warpmem::units {

/// `kEntries` is 1..4096.
template <unsigned kEntries>
class TsmaIndexGenCore {
  static_assert(kEntries >= 1 && kEntries <= 4096, "tsma_index_gen: ENTRIES must be 1 to 4096");

 public:
  using EntryIndex = std::uint16_t;

  using In = TsmaIndexGenIn;
  using Out = TsmaIndexGenOut;

  TsmaIndexGenCore() { reset(); }

  void reset() {
    for (unsigned i = 0; i < kEntries; ++i) available_[i] = true;
    idx_ = 0;
    full_ = false;
  }

  /// Returns the registers: no output depends on the inputs of the same cycle.
  Out eval(const In& = {}) const {
    Out out;
    out.idx = idx_;
    out.full = full_;
    return out;
  }

  void commit(const In& in) {
    if (in.take && !full_) available_[idx_] = false;
    if (in.release && in.release_idx < kEntries) available_[in.release_idx] = true;
    idx_ = 0;
    full_ = true;
    for (unsigned i = kEntries; i-- > 0;) {
      if (!available_[i]) continue;
      idx_ = static_cast<EntryIndex>(i);
      full_ = false;
    }
  }

  bool available(unsigned entry) const { return available_[entry]; }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("available", &TsmaIndexGenCore::available_);
    v("idx", &TsmaIndexGenCore::idx_);
    v("full", &TsmaIndexGenCore::full_);
  }

 private:
  std::array<bool, kEntries> available_;
  EntryIndex idx_;
  bool full_;
};

}  // namespace warpmem::units
