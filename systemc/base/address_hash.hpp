// SPDX-License-Identifier: Apache-2.0
// Hashes that choose one of several places (partition, slice, cache set) by the number of a chunk
// of memory or of a line (docs/mechanisms.md 1.8).
#pragma once

#include <array>
#include <cstdint>

namespace warpmem {

/// How many bits of a number take part in the choice of its place.
enum class AddressHash : std::uint8_t {
  linear,      ///< the low ones
  xor_fold,    ///< the groups of a few bits, XORed
  polynomial,  ///< all, as the residue by an irreducible polynomial over GF(2)
  xor_low      ///< the low ones, XORed with as many of the next: for a power of two of places
};

/// The residue of a number, read as a polynomial over GF(2), by an irreducible polynomial (Rau,
/// ISCA 1991). Numbers a power of two apart never keep the same residue for long, as x^k is never 0
/// modulo such a polynomial: 2^degree of them have all residues.
class PolynomialHash {
 public:
  static constexpr unsigned kMostDegree = 24;

  /// `places` is how many the residue chooses from, modulo their number, 1..2^24. A power of two
  /// takes its logarithm as the degree. Any other number takes six more than that, rounded up, so
  /// that no place has over 2 % more residues than another. kMostDegree is never exceeded.
  explicit PolynomialHash(std::uint64_t places);

  unsigned degree() const { return degree_; }
  /// Returns the residue, below 2^degree.
  std::uint32_t operator()(std::uint64_t number) const {
    std::uint32_t residue = 0;
    for (unsigned byte = 0; number != 0; ++byte, number >>= 8)
      residue ^= (*table_)[byte][number & 0xff];
    return residue;
  }
  /// Returns the polynomial of a degree, 1..kMostDegree; bit i is the coefficient of x^i.
  static std::uint32_t polynomial(unsigned degree);

 private:
  /// Residues of each byte at each place. Residues add up (XOR).
  using Table = std::array<std::array<std::uint32_t, 256>, 8>;
  static const Table& table_of(unsigned degree);

  unsigned degree_;
  const Table* table_;
};

}  // namespace warpmem
