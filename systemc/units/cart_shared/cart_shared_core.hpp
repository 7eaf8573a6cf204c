// SPDX-License-Identifier: Apache-2.0
// CART with shared comparators (GU 2.4, 2.6.4), synthesizable core: the branches of all banks, of
// which one fills and one drains in a cycle. rtl/cart_shared/README.md has the rules.
#pragma once

#include <array>
#include <cstdint>

#include "units/cart_branch/cart_branch_core.hpp"
#include "units/cart_shared/cart_shared_unit.hpp"

namespace warpmem::units {

/// `kBanks` (1..64) branches; the other parameters are those of CartBranchCore.
template <unsigned kBanks, unsigned kRows, unsigned kColumns, unsigned kDepth,
          unsigned kRowBits = 32, unsigned kColumnBits = 32>
class CartSharedCore {
  static_assert(kBanks >= 1 && kBanks <= 64, "cart_shared: BANKS must be 1 to 64");

 public:
  using In = CartSharedIn;
  using Out = CartSharedOut;

  void reset() {
    for (Branch& branch : branches_) branch.reset();
    next_ = 0;
  }

  Out eval(const In& in) const {
    Out out;
    const CartBranchOut filled = branches_[in.fill_bank].eval(fill_of(in));
    out.fill_ready = filled.fill_ready;
    out.fill_leaf = filled.fill_leaf;
    for (unsigned b = 0; b < kBanks; ++b)
      if (!branches_[b].empty()) out.held |= std::uint64_t(1) << b;
    std::uint64_t waiting = out.held;
    if (out.fill_ready) waiting |= std::uint64_t(1) << in.fill_bank;
    out.bank_valid = waiting != 0;
    if (!out.bank_valid) return out;
    out.bank = turn(waiting);
    const CartBranchOut drained = branches_[out.bank].eval(drain_of(in, out.bank));
    out.drains = drained.drains;
    out.drain_valid = drained.drain_valid;
    out.drain_again = drained.drain_again;
    out.drain_leaf = drained.drain_leaf;
    return out;
  }

  void commit(const In& in) {
    const Out out = eval(in);
    if (out.fill_ready && !(out.bank == in.fill_bank)) branches_[in.fill_bank].commit(fill_of(in));
    if (!out.bank_valid) return;
    CartBranchIn drain = drain_of(in, out.bank);
    drain.leaf = out.drain_leaf;
    drain.pop = in.pop && out.drain_valid;
    drain.refuse = in.refuse && !in.pop && out.drain_valid;
    drain.turn = out.drain_again && (drain.pop || drain.refuse);
    branches_[out.bank].commit(drain);
    // The turn moves on when a request went or was refused, and when none may be tried.
    if (drain.pop || drain.refuse || !out.drain_valid)
      next_ = static_cast<std::uint8_t>((out.bank + 1u) % kBanks);
  }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("branches", &CartSharedCore::branches_);
    v("next", &CartSharedCore::next_);
  }

 private:
  using Branch = CartBranchCore<kRows, kColumns, kDepth, kRowBits, kColumnBits>;

  static CartBranchIn fill_of(const In& in) {
    CartBranchIn fill;
    fill.fill_valid = in.fill_valid;
    fill.fill_row = in.fill_row;
    fill.fill_column = in.fill_column;
    return fill;
  }
  static CartBranchIn drain_of(const In& in, unsigned bank) {
    CartBranchIn drain = bank == in.fill_bank ? fill_of(in) : CartBranchIn();
    drain.ready = in.ready;
    return drain;
  }

  /// Returns the first bank of the mask from next_ on. Precondition: there is one.
  std::uint8_t turn(std::uint64_t waiting) const {
    unsigned bank = next_;
    for (unsigned step = 0; step < kBanks && (waiting >> bank & 1) == 0; ++step)
      bank = (bank + 1) % kBanks;
    return static_cast<std::uint8_t>(bank);
  }

  std::array<Branch, kBanks> branches_{};
  std::uint8_t next_ = 0;  // where the turn begins
};

}  // namespace warpmem::units
