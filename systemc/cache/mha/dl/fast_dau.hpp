// SPDX-License-Identifier: Apache-2.0
// The DAU as a class whose cost does not grow with the number of sets (but for a scan of a bitmap).
// This is the view that runs use unless they ask for another.
#pragma once

#include <cstdint>
#include <vector>

#include "cache/mha/dl/dau.hpp"

namespace warpmem::mha {

class FastDau final : public Dau {
 public:
  explicit FastDau(const DauSize& size);

  DauOut eval(const DauIn& in) const override;
  void commit(const DauIn& in) override { commit_as(in, eval(in)); }
  DauOut step(const DauIn& in) override;
  /// Does what commit() does, but that an accepted request gets the set of `out`, which may be
  /// another one than the lowest: out = eval(in) with any free set in place of a free set.
  void commit_as(const DauIn& in, const DauOut& out);
  bool may_lag() const override { return true; }
  void reset() override;
  const DauSize& size() const override { return size_; }
  DauSets inspect() const override {
    return {state_.data(), count_.data(), linked_.data(), next_.data(), peer_.data()};
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// A bit for each set.
  class SetBits {
   public:
    explicit SetBits(std::uint32_t sets) : words_((sets + 63) / 64) {}
    void set(std::uint32_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
    void clear(std::uint32_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
    void clear_all() { words_.assign(words_.size(), 0); }
    /// Returns the lowest set >= `from` whose bit is set, or kNone.
    std::uint32_t lowest(std::uint32_t from) const;

   private:
    std::vector<std::uint64_t> words_;
  };

  bool active_head(std::uint32_t set) const {
    return set < size_.sets && is_active_head(state_[set]);
  }
  bool ret_ready() const { return releasing_ == kNone || !is_attached(state_[releasing_]); }
  bool ret_fires(const DauIn& in) const {
    return in.ret_valid && ret_ready() && active_head(in.ret_head);
  }
  /// Returns whether the inputs hold a secondary request to a live chain.
  bool merges(const DauIn& in) const {
    return in.req_secondary && active_head(in.req_head) &&
           !(in.ret_head == in.req_head && ret_fires(in));
  }
  bool full(std::uint32_t set) const {
    return state_[set] != DauState::s1 && state_[set] != DauState::s6;
  }

  void accept(const DauIn& in, const DauOut& out);
  void take(std::uint32_t set, bool head);
  void refuse(std::uint32_t tail);
  void leave_fail(std::uint32_t set);
  void free_one();
  void begin_release(std::uint32_t head);

  DauSize size_;
  std::vector<DauState> state_;
  std::vector<std::uint8_t> count_;
  std::vector<std::uint8_t> linked_;
  std::vector<std::uint16_t> next_;
  std::vector<std::uint16_t> peer_;

  std::vector<std::uint16_t> previous_;  // of an attached set: the set behind which it is linked
  SetBits free_;
  SetBits failed_;  // sets in S4 or S9
  std::uint32_t n_failed_ = 0;
  std::uint32_t n_free_ = 0;
  std::uint32_t n_linkable_ = 0;
  std::uint32_t releasing_ = kNone;  // the set to be freed next
};

}  // namespace warpmem::mha
