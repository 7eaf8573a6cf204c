// SPDX-License-Identifier: Apache-2.0
// Cases of integer arithmetic, expected values in 128 bits.
#pragma once

#include "unit/program/ptx_conformance.hpp"

namespace warpmem::program::ptx {

namespace conformance {

/// Returns the low 24 bits as a number.
inline Wide low24(std::uint64_t v, bool is_signed) {
  const Wide n = Wide(v & 0xffffff);
  return is_signed && (n >> 23 & 1) != 0 ? n - (1 << 24) : n;
}

inline Combinations integer_pairs() { return combine(integer_values(), integer_values()); }
inline Combinations integer_triples() {
  static const std::vector<std::uint64_t> kFew = {
      0, 1, 0x7fff, 0xffff, 0x80000000, 0xffffffff, 0x123456789abcdef0ULL, ~0ULL};
  return combine(kFew, integer_values(), kFew);
}
/// Returns the product modulo 2^128.
inline Wide product(Wide a, Wide b) {
  return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
}
/// Returns the sum modulo 2^128.
inline Wide sum(Wide a, Wide b) {
  return static_cast<Wide>(static_cast<unsigned __int128>(a) + static_cast<unsigned __int128>(b));
}
/// Returns the upper half of the double-width product.
inline Wide high_product(Wide a, Wide b, IntType t) {
  if (t.is_signed || t.bytes < 8) return (a * b) >> (8 * t.bytes);
  return static_cast<Wide>(
      (static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b)) >> 64);
}

inline void add_two_and_three_operands(Cases& c, IntType t) {
  const unsigned n = t.bytes;
  const Widths same{n, n, n, n};
  const std::string s = std::string(".") + t.name;
  const auto two = [&](const std::string& op, std::function<Wide(Wide, Wide)> f) {
    add_case(
        c, op + s, same, integer_pairs(),
        [=](auto a, auto b, auto) { return wrapped(f(number(a, t), number(b, t)), n); },
        "%d, %a, %b");
  };
  two("add", [](Wide a, Wide b) { return a + b; });
  two("sub", [](Wide a, Wide b) { return a - b; });
  two("mul.lo", [](Wide a, Wide b) { return product(a, b); });
  two("mul.hi", [=](Wide a, Wide b) { return high_product(a, b, t); });
  two("min", [](Wide a, Wide b) { return a < b ? a : b; });
  two("max", [](Wide a, Wide b) { return a > b ? a : b; });
  // Division by zero gives all ones, and the dividend as the rest; INT_MIN / -1 wraps.
  two("div", [](Wide a, Wide b) { return b == 0 ? Wide(-1) : a / b; });
  two("rem", [](Wide a, Wide b) { return b == 0 ? -1 : a % b; });
  const auto three = [&](const std::string& op, std::function<Wide(Wide, Wide, Wide)> f) {
    add_case(
        c, op + s, same, integer_triples(),
        [=](auto a, auto b, auto third) {
          return wrapped(f(number(a, t), number(b, t), number(third, t)), n);
        },
        "%d, %a, %b, %c");
  };
  three("mad.lo", [](Wide a, Wide b, Wide d) { return sum(product(a, b), d); });
  three("mad.hi", [=](Wide a, Wide b, Wide d) { return high_product(a, b, t) + d; });
  three("sad", [](Wide a, Wide b, Wide d) { return d + (a < b ? b - a : a - b); });
  if (!t.is_signed) return;
  const auto one = combine(integer_values(), {0});
  add_case(
      c, "abs" + s, same, one,
      [=](auto a, auto, auto) {
        return wrapped(number(a, t) < 0 ? -number(a, t) : number(a, t), n);
      },
      "%d, %a");
  add_case(
      c, "neg" + s, same, one, [=](auto a, auto, auto) { return wrapped(-number(a, t), n); },
      "%d, %a");
}

inline void add_wide(Cases& c, IntType t) {
  const unsigned n = t.bytes;
  if (n == 8) return;
  const std::string s = std::string(".") + t.name;
  add_case(
      c, "mul.wide" + s, {2 * n, n, n, n}, integer_pairs(),
      [=](auto a, auto b, auto) { return wrapped(number(a, t) * number(b, t), 2 * n); },
      "%d, %a, %b");
  add_case(
      c, "mad.wide" + s, {2 * n, n, n, 2 * n}, integer_triples(),
      [=](auto a, auto b, auto d) {
        return wrapped(number(a, t) * number(b, t) + Wide(d & low_bytes(2 * n)), 2 * n);
      },
      "%d, %a, %b, %c");
}

inline void add_saturating(Cases& c) {
  const IntType t{"s32", 4, true};
  const auto to32 = [](Wide v) { return wrapped(clamped(v, INT32_MIN, INT32_MAX), 4); };
  add_case(
      c, "add.sat.s32", {}, integer_pairs(),
      [=](auto a, auto b, auto) { return to32(number(a, t) + number(b, t)); }, "%d, %a, %b");
  add_case(
      c, "sub.sat.s32", {}, integer_pairs(),
      [=](auto a, auto b, auto) { return to32(number(a, t) - number(b, t)); }, "%d, %a, %b");
  add_case(
      c, "mad.hi.sat.s32", {}, integer_triples(),
      [=](auto a, auto b, auto d) {
        return to32(((number(a, t) * number(b, t)) >> 32) + number(d, t));
      },
      "%d, %a, %b, %c");
  add_case(
      c, "mad24.hi.sat.s32", {}, integer_triples(),
      [=](auto a, auto b, auto d) {
        const auto high = wrapped((low24(a, true) * low24(b, true)) >> 16, 4);
        return to32(number(high, t) + number(d, t));
      },
      "%d, %a, %b, %c");
  for (const bool s : {false, true})
    for (const bool high : {false, true}) {
      const std::string name = std::string(high ? ".hi" : ".lo") + (s ? ".s32" : ".u32");
      const auto part = [=](std::uint64_t a, std::uint64_t b) {
        return (low24(a, s) * low24(b, s)) >> (high ? 16 : 0);
      };
      add_case(
          c, "mul24" + name, {}, integer_pairs(),
          [=](auto a, auto b, auto) { return wrapped(part(a, b), 4); }, "%d, %a, %b");
      add_case(
          c, "mad24" + name, {}, integer_triples(),
          [=](auto a, auto b, auto d) { return wrapped(part(a, b) + Wide(d), 4); },
          "%d, %a, %b, %c");
    }
}

/// Adds the forms with carry in and out: %c's low bit is the carry before, and the carry after is
/// added as 2^63.
inline void add_carries(Cases& c, IntType t) {
  if (t.bytes == 2) return;
  const unsigned n = t.bytes;
  const std::string s = std::string(".") + t.name;
  const std::string word = n == 8 ? "u64" : "u32";
  // add.cc of all ones and the bit sets the carry to the bit.
  const std::string set = "cvt.u32.u" + std::to_string(8 * n) +
                          " %x, %c; and.b32 %x, %x, 1; add.cc.u32 %y, %x, 0xffffffff; ";
  const std::string borrow =
      "cvt.u32.u" + std::to_string(8 * n) + " %x, %c; and.b32 %x, %x, 1; sub.cc.u32 %y, 0, %x; ";
  const std::string fold =
      " addc.u32 %y, 0, 0; cvt.u64.u32 %o, %y; shl.b64 %o, %o, 63;" +
      std::string(n == 8 ? " xor.b64 %d, %d, %o;" : " cvt.u64.u32 %pa, %e; or.b64 %d, %pa, %o;");
  const Combinations in = combine(integer_values(), integer_values(), {0, 1});
  const unsigned __int128 one = static_cast<unsigned __int128>(1) << (8 * n);
  for (const bool subtract : {false, true})
    for (const bool carry_in : {false, true})
      for (const bool carry_out : {false, true}) {
        if (!carry_in && !carry_out) continue;
        const std::string op = std::string(subtract ? "sub" : "add") + (carry_in ? "c" : "") +
                               (carry_out ? ".cc" : "") + s;
        add_case(
            c, op, {8, n, n, n}, in,
            [=](std::uint64_t a, std::uint64_t b, std::uint64_t d) {
              const unsigned __int128 x = a & low_bytes(n), y = b & low_bytes(n),
                                      k = carry_in ? d & 1 : 0;
              const unsigned __int128 r = subtract ? x + one - y - k : x + y + k;
              const bool carry = r >= one;  // of a subtraction: no borrow
              const auto low = static_cast<std::uint64_t>(r) & low_bytes(n);
              return carry_out && carry ? low ^ (1ULL << 63) : low;
            },
            n == 8 ? "%d, %a, %b" : "%e, %a, %b",
            std::string(n == 8 ? "" : ".reg .b32 %e; ") + (subtract ? borrow : set),
            carry_out ? fold
            : n == 8  ? ""
                      : " cvt.u64.u32 %d, %e;");
      }
  const Combinations few = combine({0, 1, 3, 0xffffffff, ~0ULL, 0x80000000, 1ULL << 63},
                                   {0, 1, 5, 0xffffffff, ~0ULL, 1ULL << 63}, {0, 1, ~0ULL});
  for (const bool high : {false, true})
    for (const bool carry_in : {false, true})
      for (const bool carry_out : {false, true}) {
        if (!carry_in && !carry_out) continue;
        const std::string op = std::string("mad") + (carry_in ? "c" : "") + (high ? ".hi" : ".lo") +
                               (carry_out ? ".cc" : "") + s;
        add_case(
            c, op, {8, n, n, n}, few,
            [=](std::uint64_t a, std::uint64_t b, std::uint64_t d) {
              const Wide p = high ? high_product(number(a, t), number(b, t), t)
                                  : product(number(a, t), number(b, t));
              const unsigned __int128 r = static_cast<unsigned __int128>(wrapped(p, n)) +
                                          (d & low_bytes(n)) + (carry_in ? d & 1 : 0);
              const auto low = static_cast<std::uint64_t>(r) & low_bytes(n);
              return carry_out && r >= one ? low ^ (1ULL << 63) : low;
            },
            n == 8 ? "%d, %a, %b, %c" : "%e, %a, %b, %c",
            std::string(n == 8 ? "" : ".reg .b32 %e; ") + set,
            carry_out ? fold
            : n == 8  ? ""
                      : " cvt.u64.u32 %d, %e;");
      }
}

inline void add_dot_products(Cases& c) {
  for (const bool sa : {false, true})
    for (const bool sb : {false, true}) {
      const std::string types = std::string(sa ? ".s32" : ".u32") + (sb ? ".s32" : ".u32");
      for (const int half : {-1, 0, 1}) {
        const unsigned terms = half < 0 ? 4 : 2;
        const IntType ta{"", 4 / terms, sa}, tb{"", 1, sb};
        const std::string op = half < 0 ? "dp4a" : half == 0 ? "dp2a.lo" : "dp2a.hi";
        add_case(
            c, op + types, {}, integer_triples(),
            [=](std::uint64_t a, std::uint64_t b, std::uint64_t d) {
              Wide r = Wide(d);
              for (unsigned i = 0; i < terms; ++i)
                r += number(a >> (8 * ta.bytes * i), ta) *
                     number(b >> (8 * i + (half > 0 ? 16 : 0)), tb);
              return wrapped(r, 4);
            },
            "%d, %a, %b, %c");
      }
    }
}

}  // namespace conformance

inline Cases integer_cases() {
  Cases c;
  for (const IntType t : integer_types()) {
    conformance::add_two_and_three_operands(c, t);
    conformance::add_wide(c, t);
    conformance::add_carries(c, t);
  }
  conformance::add_saturating(c);
  conformance::add_dot_products(c);
  return c;
}

}  // namespace warpmem::program::ptx
