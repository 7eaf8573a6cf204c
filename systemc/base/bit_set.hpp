// SPDX-License-Identifier: Apache-2.0
// A set of small numbers: ports of a crossbar, ways of a cache set. A word above the members' words
// says which of these are not empty, so that a walk costs what the set holds and not what it could
// hold: a machine with a thousand ports pays for the busy ones.
#pragma once

#include <array>
#include <cstdint>

#include "base/assert.hpp"

namespace warpmem {

/// Holds numbers from 0 to `kMembers` - 1; `kMembers` is at most 4096.
template <unsigned kMembers>
class BitSet {
  static constexpr unsigned kWords = (kMembers + 63) / 64;
  static_assert(kMembers >= 1 && kWords <= 64);

 public:
  static constexpr unsigned kNone = ~0u;

  BitSet() = default;
  /// The numbers below `count`.
  static BitSet below(unsigned count) {
    BitSet all;
    for (unsigned i = 0; i < count; ++i) all.set(i);
    return all;
  }

  /// Makes the numbers from 64 * `word` on members that `bits` has, and no others of the 64.
  void set_word(unsigned word, std::uint64_t bits) {
    assert(word < kWords);
    words_[word] = bits;
    if (bits != 0)
      used_ |= bit(word);
    else
      used_ &= ~bit(word);
  }
  // Called for every packet; left to itself the compiler calls these few instructions.
  [[gnu::always_inline]] void set(unsigned i) {
    assert(i < kMembers);
    words_[i / 64] |= bit(i);
    used_ |= bit(i / 64);
  }
  [[gnu::always_inline]] void clear(unsigned i) {
    assert(i < kMembers);
    if ((words_[i / 64] &= ~bit(i)) == 0) used_ &= ~bit(i / 64);
  }
  bool test(unsigned i) const { return (words_[i / 64] & bit(i)) != 0; }
  bool none() const { return used_ == 0; }
  unsigned count() const {
    unsigned sum = 0;
    for (std::uint64_t used = used_; used != 0; used &= used - 1)
      sum += static_cast<unsigned>(__builtin_popcountll(words_[lowest(used)]));
    return sum;
  }

  /// Returns the least member, or kNone.
  unsigned first() const {
    if (used_ == 0) return kNone;
    const unsigned w = lowest(used_);
    return w * 64 + lowest(words_[w]);
  }
  /// Returns the least member from `from` on that is not in `except`, or else the least of all that
  /// is not, or kNone.
  unsigned next(unsigned from, const BitSet& except) const {
    if (in_first_word()) {
      const std::uint64_t all = words_[0] & ~except.words_[0];
      if (all == 0) return kNone;
      const std::uint64_t later = from < 64 ? all & (~std::uint64_t{0} << from) : 0;
      return lowest(later != 0 ? later : all);
    }
    const unsigned start = from / 64;
    const std::uint64_t here = ~std::uint64_t{0} << (from % 64);
    if (const std::uint64_t rest = words_[start] & ~except.words_[start] & here; rest != 0)
      return start * 64 + lowest(rest);
    const std::uint64_t later = start == 63 ? 0 : ~std::uint64_t{0} << (start + 1);
    if (const unsigned after = least(used_ & later, except); after != kNone) return after;
    return least(used_ & ~later, except);
  }
  /// Returns whether a member is not in `except`.
  bool any_besides(const BitSet& except) const {
    if (in_first_word()) return (words_[0] & ~except.words_[0]) != 0;
    return least(used_, except) != kNone;
  }
  /// Returns whether one of the `count` numbers from `begin` on is a member. `count` is a power of
  /// two and `begin` a multiple of it.
  bool any_of(unsigned begin, unsigned count) const {
    if (count < 64)
      return (words_[begin / 64] >> (begin % 64) & ((std::uint64_t{1} << count) - 1)) != 0;
    for (unsigned w = begin / 64; w < (begin + count) / 64 && w < kWords; ++w)
      if (words_[w] != 0) return true;
    return false;
  }
  /// Calls visit(i) for the members, ascending. It may remove members; one that it adds may be left
  /// out.
  template <class Visit>
  void for_each(Visit&& visit) const {
    if (in_first_word()) {
      for (std::uint64_t rest = words_[0]; rest != 0; rest &= rest - 1) visit(lowest(rest));
      return;
    }
    for (std::uint64_t used = used_; used != 0; used &= used - 1) {
      const unsigned w = lowest(used);
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        visit(w * 64 + lowest(rest));
    }
  }

 private:
  static std::uint64_t bit(unsigned i) { return std::uint64_t{1} << (i % 64); }
  static unsigned lowest(std::uint64_t word) {
    return static_cast<unsigned>(__builtin_ctzll(word));
  }
  /// Most machines have all of their ports there, and pay for no more than a word.
  bool in_first_word() const { return used_ <= 1; }
  unsigned least(std::uint64_t used, const BitSet& except) const {
    for (; used != 0; used &= used - 1) {
      const unsigned w = lowest(used);
      if (const std::uint64_t rest = words_[w] & ~except.words_[w]; rest != 0)
        return w * 64 + lowest(rest);
    }
    return kNone;
  }

  std::array<std::uint64_t, kWords> words_{};
  std::uint64_t used_ = 0;  // bit w: word w has a member
};

/// Most L2 slices, and with them crossbar ports, of a machine; most SMs.
inline constexpr unsigned kMaxSlices = 1024;
inline constexpr unsigned kMaxSms = 256;
/// A set of SMs or slices.
using PortSet = BitSet<kMaxSlices>;

}  // namespace warpmem
