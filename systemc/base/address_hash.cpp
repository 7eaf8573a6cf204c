// SPDX-License-Identifier: Apache-2.0
#include "base/address_hash.hpp"

#include <algorithm>
#include <memory>

#include "base/assert.hpp"

namespace warpmem {

namespace {

// Primitive polynomials with few terms, as for shift registers of maximal length; index: degree.
constexpr std::array<std::uint32_t, PolynomialHash::kMostDegree + 1> kPolynomials = {
    0x1,     0x3,     0x7,      0xb,      0x13,     0x25,     0x43,     0x83,    0x11d,
    0x211,   0x409,   0x805,    0x1053,   0x201b,   0x4443,   0x8003,   0x1100b, 0x20009,
    0x40081, 0x80027, 0x100009, 0x200005, 0x400003, 0x800021, 0x1000087};

unsigned degree_for(std::uint64_t places) {
  unsigned bits = 0;
  while ((std::uint64_t{1} << bits) < places) ++bits;
  if ((places & (places - 1)) == 0) return bits == 0 ? 1 : bits;
  return std::min(bits + 6, PolynomialHash::kMostDegree);
}

}  // namespace

std::uint32_t PolynomialHash::polynomial(unsigned degree) {
  assert(degree >= 1 && degree <= kMostDegree);
  return kPolynomials[degree];
}

// A machine has hundreds of caches of one shape, which share a table.
const PolynomialHash::Table& PolynomialHash::table_of(unsigned degree) {
  static std::array<std::unique_ptr<Table>, kMostDegree + 1> tables;
  std::unique_ptr<Table>& table = tables[degree];
  if (table != nullptr) return *table;
  table = std::make_unique<Table>();
  const std::uint32_t p = polynomial(degree);
  std::uint32_t power = 1;  // x^bit
  for (unsigned bit = 0; bit < 64; ++bit) {
    if (power >> degree != 0) power ^= p;
    auto& residues = (*table)[bit / 8];
    const unsigned step = 1u << bit % 8;
    for (unsigned low = 0; low < step; ++low) residues[step + low] = residues[low] ^ power;
    power <<= 1;
  }
  return *table;
}

PolynomialHash::PolynomialHash(std::uint64_t places)
    : degree_(degree_for(places)), table_(&table_of(degree_)) {
  assert(places >= 1 && places <= std::uint64_t{1} << kMostDegree);
}

}  // namespace warpmem
