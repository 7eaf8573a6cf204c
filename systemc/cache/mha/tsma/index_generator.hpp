// SPDX-License-Identifier: Apache-2.0
// The index generator of TSMA (KI 5.1; docs/mechanisms.md 2.4). Three views agree in every cycle:
// the class below, the synthesizable core (units/tsma_index_gen) and the RTL (rtl/tsma_index_gen).
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.hpp"

namespace warpmem::mha {

class IndexGenerator {
 public:
  /// Inputs of a cycle.
  struct In {
    bool take = false;              ///< a primary miss takes idx(); precondition: !full()
    bool release = false;           ///< release_idx is free again
    std::uint32_t release_idx = 0;  ///< precondition: this entry is taken
  };

  virtual ~IndexGenerator() = default;

  /// The index that the next primary miss gets; 0 while full.
  virtual std::uint32_t idx() const = 0;
  /// Returns whether no index was available at the last clock edge.
  virtual bool full() const = 0;
  /// Performs the clock edge. A cycle without inputs may be left out.
  virtual void commit(const In& in) = 0;
};

/// The class, whose size is known at run time; it works on a word of the vector at a time.
class FastIndexGenerator final : public IndexGenerator {
 public:
  /// `entries`: at least 1.
  explicit FastIndexGenerator(std::uint32_t entries)
      : entries_(entries), words_((entries + 63) / 64) {
    reset();
  }

  void reset() {
    for (std::uint32_t i = 0; i < entries_; ++i) set(i);
    idx_ = 0;
    full_ = false;
  }

  std::uint32_t idx() const override { return idx_; }
  bool full() const override { return full_; }
  bool available(std::uint32_t entry) const { return (words_[entry / 64] >> entry % 64 & 1) != 0; }

  void commit(const In& in) override {
    if (in.take) {
      assert(!full_);
      words_[idx_ / 64] &= ~(std::uint64_t{1} << idx_ % 64);
    }
    if (in.release) {
      assert(!available(in.release_idx));
      set(in.release_idx);
    }
    idx_ = 0;
    full_ = true;
    for (std::uint32_t w = 0; w < words_.size() && full_; ++w) {
      if (words_[w] == 0) continue;
      idx_ = w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(words_[w]));
      full_ = false;
    }
  }

 private:
  void set(std::uint32_t entry) { words_[entry / 64] |= std::uint64_t{1} << entry % 64; }

  std::uint32_t entries_;
  std::vector<std::uint64_t> words_;  // 1 = available
  std::uint32_t idx_ = 0;
  bool full_ = false;
};

}  // namespace warpmem::mha
