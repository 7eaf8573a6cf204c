// SPDX-License-Identifier: Apache-2.0
// Residues over GF(2) against long division, and what the choice of the polynomials promises.
#include "base/address_hash.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/random.hpp"

namespace warpmem {
namespace {

unsigned degree_of(std::uint64_t polynomial) {
  unsigned degree = 0;
  while (polynomial >> 1 >> degree != 0) ++degree;
  return degree;
}

std::uint64_t remainder(std::uint64_t number, std::uint64_t polynomial) {
  const unsigned degree = degree_of(polynomial);
  for (unsigned bit = 64; bit-- > degree;)
    if (number >> bit & 1) number ^= polynomial << (bit - degree);
  return number;
}

TEST(AddressHash, ThePolynomialsAreIrreducible) {
  for (unsigned degree = 1; degree <= PolynomialHash::kMostDegree; ++degree) {
    const std::uint32_t p = PolynomialHash::polynomial(degree);
    ASSERT_EQ(degree_of(p), degree);
    for (std::uint32_t divisor = 2; degree_of(divisor) <= degree / 2; ++divisor)
      ASSERT_NE(remainder(p, divisor), 0u) << p << " by " << divisor;
  }
}

TEST(AddressHash, IsTheRemainder) {
  Random random(5);
  for (const std::uint64_t places : {1u, 2u, 3u, 8u, 80u, 96u, 1024u, 100'000u}) {
    const PolynomialHash hash(places);
    const std::uint32_t p = PolynomialHash::polynomial(hash.degree());
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t number = random.next() >> random.below(64);
      ASSERT_EQ(hash(number), remainder(number, p));
    }
  }
}

// 80 places take degree 7 + 6.
TEST(AddressHash, Degrees) {
  EXPECT_EQ(PolynomialHash(1).degree(), 1u);
  EXPECT_EQ(PolynomialHash(2).degree(), 1u);
  EXPECT_EQ(PolynomialHash(64).degree(), 6u);
  EXPECT_EQ(PolynomialHash(80).degree(), 13u);
  EXPECT_EQ(PolynomialHash((1 << 21) - 1).degree(), PolynomialHash::kMostDegree);
}

// Numbers any power of two apart have all residues in turn.
TEST(AddressHash, EveryPowerOfTwoReachesEveryResidue) {
  const PolynomialHash hash(64);
  for (unsigned shift = 0; shift < 50; ++shift) {
    std::set<std::uint32_t> seen;
    for (std::uint64_t i = 0; i < 64; ++i) seen.insert(hash(i << shift));
    EXPECT_EQ(seen.size(), 64u) << shift;
  }
}

}  // namespace
}  // namespace warpmem
