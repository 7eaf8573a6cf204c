// SPDX-License-Identifier: Apache-2.0
// Sums and products of amounts that come from outside: a result that exceeds 64 bits is no number.
#pragma once

#include <cstdint>

namespace warpmem {

/// An unsigned amount. A sum or product that does not fit 64 bits, or has a part that did not, is
/// over() every limit from then on.
class Checked {
 public:
  // Converts, so that operands may be plain numbers.
  constexpr Checked(std::uint64_t value) : value_(value) {}

  friend constexpr Checked operator+(Checked a, Checked b) {
    Checked sum(0);
    sum.overflow_ = __builtin_add_overflow(a.value_, b.value_, &sum.value_) || a.lost(b);
    return sum;
  }
  friend constexpr Checked operator*(Checked a, Checked b) {
    Checked product(0);
    product.overflow_ = __builtin_mul_overflow(a.value_, b.value_, &product.value_) || a.lost(b);
    return product;
  }
  /// Returns the smallest multiple of `unit` (not 0) that is not below the amount.
  constexpr Checked rounded_up(std::uint64_t unit) const {
    const std::uint64_t rest = value_ % unit;
    return rest == 0 ? *this : *this + Checked(unit - rest);
  }

  constexpr bool overflow() const { return overflow_; }
  constexpr bool over(std::uint64_t limit) const { return overflow_ || value_ > limit; }
  /// Returns the amount, which means nothing when it overflowed.
  constexpr std::uint64_t value() const { return value_; }

 private:
  constexpr bool lost(Checked other) const { return overflow_ || other.overflow_; }

  std::uint64_t value_;
  bool overflow_ = false;
};

}  // namespace warpmem
