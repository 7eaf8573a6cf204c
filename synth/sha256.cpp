// SPDX-License-Identifier: Apache-2.0
#include "synth/sha256.hpp"

#include <fmt/format.h>

#include <cmath>

namespace warpmem::synth {
namespace {

using Word = std::uint32_t;

Word rotate(Word x, unsigned n) { return (x >> n) | (x << (32 - n)); }

/// FIPS 180-4 defines its constants as the first 32 fractional bits of roots of primes. A long
/// double has 64 bits of mantissa here, enough for 32 fractional bits of a root below 8.
template <std::size_t N>
std::array<Word, N> fractional_root_bits(long double (*root)(long double)) {
  std::array<Word, N> bits{};
  std::size_t found = 0;
  for (unsigned candidate = 2; found < N; ++candidate) {
    bool prime = true;
    for (unsigned d = 2; d * d <= candidate; ++d) prime = prime && candidate % d != 0;
    if (!prime) continue;
    const long double r = root(candidate);
    bits[found++] = static_cast<Word>((r - std::floor(r)) * 4294967296.0L);
  }
  return bits;
}

long double square_root(long double x) { return std::sqrt(x); }
long double cube_root(long double x) { return std::cbrt(x); }

const std::array<Word, 64>& round_constants() {
  static const auto constants = fractional_root_bits<64>(cube_root);
  return constants;
}

}  // namespace

Sha256::Sha256() : state_(fractional_root_bits<8>(square_root)) {}

void Sha256::add(std::string_view bytes) {
  for (const char c : bytes) {
    pending_[length_++ % 64] = static_cast<unsigned char>(c);
    if (length_ % 64 == 0) block(pending_.data());
  }
}

void Sha256::add_field(std::string_view bytes) {
  add(fmt::format("{}:", bytes.size()));
  add(bytes);
}

std::string Sha256::hex() {
  const std::uint64_t bits = length_ * 8;
  add(std::string_view("\x80", 1));
  while (length_ % 64 != 56) add(std::string_view("\0", 1));
  std::string tail;
  for (int shift = 56; shift >= 0; shift -= 8) tail += static_cast<char>(bits >> shift);
  add(tail);
  std::string text;
  for (const Word word : state_) text += fmt::format("{:08x}", word);
  return text;
}

void Sha256::block(const unsigned char* bytes) {
  std::array<Word, 64> w{};
  for (unsigned i = 0; i < 16; ++i) {
    w[i] = Word{bytes[4 * i]} << 24 | Word{bytes[4 * i + 1]} << 16 | Word{bytes[4 * i + 2]} << 8 |
           Word{bytes[4 * i + 3]};
  }
  for (unsigned i = 16; i < 64; ++i) {
    const Word s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const Word s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (unsigned i = 0; i < 64; ++i) {
    const Word s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const Word choose = (e & f) ^ (~e & g);
    const Word t1 = h + s1 + choose + round_constants()[i] + w[i];
    const Word s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const Word majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + s0 + majority;
  }
  const std::array<Word, 8> added{a, b, c, d, e, f, g, h};
  for (unsigned i = 0; i < 8; ++i) state_[i] += added[i];
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

}  // namespace warpmem::synth
