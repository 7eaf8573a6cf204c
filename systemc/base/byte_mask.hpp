// SPDX-License-Identifier: Apache-2.0
// Some bytes of a line, a bit for each (0..kMaxLineBytes - 1).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <tlm>

#include "base/assert.hpp"
#include "base/payload_bytes.hpp"
#include "base/transaction.hpp"
#include "base/types.hpp"

namespace warpmem {

class ByteMask {
 public:
  /// Returns the mask of the bytes [first, first + count).
  static ByteMask range(unsigned first, unsigned count) {
    ByteMask mask;
    for (unsigned word = 0; word < kWords; ++word)
      mask.words_[word] = below(first + count, word) & ~below(first, word);
    return mask;
  }
  /// Returns the bytes that a payload reads or writes, in a line in which it begins at `offset`.
  static ByteMask of(const tlm::tlm_generic_payload& payload, unsigned offset) {
    const unsigned bytes = payload.get_data_length();
    if (payload.get_byte_enable_ptr() == nullptr) return range(offset, bytes);
    ByteMask mask;
    unsigned i = 0;
    if (offset % 8 == 0 && bytes <= payload.get_byte_enable_length())
      for (; i + 8 <= bytes; i += 8)
        mask.words_[(offset + i) / 64] |= bits_of_eight(payload.get_byte_enable_ptr() + i)
                                          << (offset + i) % 64;
    for (; i < bytes; ++i)
      if (byte_enabled(payload, i)) mask.set(offset + i);
    return mask;
  }

  void set(unsigned byte) {
    assert(byte < kMaxLineBytes);
    words_[byte / 64] |= std::uint64_t{1} << byte % 64;
  }
  bool test(unsigned byte) const { return (words_[byte / 64] >> byte % 64 & 1) != 0; }
  bool empty() const { return *this == ByteMask(); }
  /// Returns whether every byte of `other` is among these.
  bool contains(const ByteMask& other) const {
    for (unsigned word = 0; word < kWords; ++word)
      if ((other.words_[word] & ~words_[word]) != 0) return false;
    return true;
  }
  /// Returns whether any byte of `other` is among these.
  bool meets(const ByteMask& other) const {
    for (unsigned word = 0; word < kWords; ++word)
      if ((other.words_[word] & words_[word]) != 0) return true;
    return false;
  }
  ByteMask& operator|=(const ByteMask& other) {
    for (unsigned word = 0; word < kWords; ++word) words_[word] |= other.words_[word];
    return *this;
  }
  ByteMask& operator&=(const ByteMask& other) {
    for (unsigned word = 0; word < kWords; ++word) words_[word] &= other.words_[word];
    return *this;
  }
  ByteMask& operator-=(const ByteMask& other) {
    for (unsigned word = 0; word < kWords; ++word) words_[word] &= ~other.words_[word];
    return *this;
  }
  /// Calls visit(byte) for each, ascending.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (unsigned word = 0; word < kWords; ++word)
      for (std::uint64_t rest = words_[word]; rest != 0; rest &= rest - 1)
        visit(word * 64 + static_cast<unsigned>(__builtin_ctzll(rest)));
  }
  bool operator==(const ByteMask& other) const { return words_ == other.words_; }
  bool operator!=(const ByteMask& other) const { return words_ != other.words_; }

 private:
  static constexpr unsigned kWords = kMaxLineBytes / 64;

  // Returns a bit for each of eight byte enables, the first one's lowest.
  static std::uint64_t bits_of_eight(const unsigned char* enables) {
    static_assert(TLM_BYTE_ENABLED == 0xff && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    std::uint64_t all;
    std::memcpy(&all, enables, 8);
    for (const unsigned half : {4u, 2u, 1u})
      all &= all >> half;  // a byte of ones leaves its lowest
    return (all & 0x0101010101010101u) * 0x0102040810204080u >> 56;  // brings bit 8i to 56 + i
  }
  // The bits of `word` that stand for bytes below `end`.
  static std::uint64_t below(unsigned end, unsigned word) {
    if (end <= word * 64) return 0;
    return end >= (word + 1) * 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (end - word * 64)) - 1;
  }

  std::array<std::uint64_t, kWords> words_{};
};

/// Enables only these bytes of a transaction that begins at byte `offset` of its line.
inline void enable_bytes(Transaction& t, const ByteMask& bytes, unsigned offset = 0) {
  for (unsigned i = 0; i < t.get_data_length(); ++i)
    t.byte_enable[i] = bytes.test(offset + i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  t.set_byte_enable_ptr(t.byte_enable.data());
  t.set_byte_enable_length(t.get_data_length());
}

/// Copies the bytes that `mask` names.
inline void copy_bytes(const ByteMask& mask, const std::uint8_t* from, std::uint8_t* to) {
  mask.for_each([=](unsigned i) { to[i] = from[i]; });
}

}  // namespace warpmem
