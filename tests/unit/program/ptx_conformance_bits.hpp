// SPDX-License-Identifier: Apache-2.0
// Cases of logic, shifts, counts and bit fields, computed bit by bit.
#pragma once

#include "unit/program/ptx_conformance.hpp"

namespace warpmem::program::ptx {

namespace conformance {

inline void add_logic(Cases& c, unsigned n) {
  const std::string s = ".b" + std::to_string(8 * n);
  const Widths w{n, n, n, n};
  const auto in = combine(integer_values(), integer_values());
  const std::uint64_t m = low_bytes(n);
  add_case(
      c, "and" + s, w, in, [=](auto a, auto b, auto) { return a & b & m; }, "%d, %a, %b");
  add_case(
      c, "or" + s, w, in, [=](auto a, auto b, auto) { return (a | b) & m; }, "%d, %a, %b");
  add_case(
      c, "xor" + s, w, in, [=](auto a, auto b, auto) { return (a ^ b) & m; }, "%d, %a, %b");
  add_case(
      c, "not" + s, w, in, [=](auto a, auto, auto) { return ~a & m; }, "%d, %a");
  add_case(
      c, "cnot" + s, w, in, [=](auto a, auto, auto) { return std::uint64_t((a & m) == 0); },
      "%d, %a");
  const auto shifts = combine(integer_values(),
                              {0, 1, 4, 8 * n - 1, 8 * n, 8 * n + 1, 100, 0x80000000, 0xffffffff});
  add_case(
      c, "shl" + s, {n, n, 4, 4}, shifts,
      [=](auto a, auto b, auto) { return b >= 8 * n ? 0 : (a << b) & m; }, "%d, %a, %b");
  for (const char* sign : {"b", "u", "s"}) {
    const IntType t{"", n, *sign == 's'};
    add_case(
        c, std::string("shr.") + sign + std::to_string(8 * n), {n, n, 4, 4}, shifts,
        [=](auto a, auto b, auto) {
          return wrapped(number(a, t) >> std::min<std::uint64_t>(b, 100), n);
        },
        "%d, %a, %b");
  }
}

inline void add_predicate_logic(Cases& c) {
  const auto in = combine({0, 1}, {0, 1});
  const auto with = [&](const std::string& op, const std::string& operands,
                        std::function<bool(bool, bool)> f) {
    add_case(
        c, op + ".pred", {}, in,
        [=](auto a, auto b, auto) { return std::uint64_t(f(a != 0, b != 0)); }, operands,
        "setp.ne.u32 %p, %a, 0; setp.ne.u32 %q, %b, 0; ", " selp.u32 %d, 1, 0, %p;");
  };
  with("and", "%p, %p, %q", [](bool a, bool b) { return a && b; });
  with("or", "%p, %p, !%q", [](bool a, bool b) { return a || !b; });
  with("xor", "%p, %p, %q", [](bool a, bool b) { return a != b; });
  with("not", "%p, %p", [](bool a, bool) { return !a; });
}

inline void add_counts(Cases& c) {
  const auto in = combine(integer_values(), {0});
  add_case(
      c, "and.b32", {}, in, [](auto a, auto, auto) { return a & 32; }, "%d, %a, WARP_SZ");
  for (const unsigned n : {4u, 8u}) {
    const std::string s = ".b" + std::to_string(8 * n);
    const unsigned bits = 8 * n;
    add_case(
        c, "popc" + s, {4, n, 4, 4}, in,
        [=](std::uint64_t a, auto, auto) {
          std::uint64_t r = 0;
          for (unsigned i = 0; i < bits; ++i) r += a >> i & 1;
          return r;
        },
        "%d, %a");
    add_case(
        c, "clz" + s, {4, n, 4, 4}, in,
        [=](std::uint64_t a, auto, auto) {
          std::uint64_t r = 0;
          while (r < bits && !(a >> (bits - 1 - r) & 1)) ++r;
          return r;
        },
        "%d, %a");
    add_case(
        c, "brev" + s, {n, n, 4, 4}, in,
        [=](std::uint64_t a, auto, auto) {
          std::uint64_t r = 0;
          for (unsigned i = 0; i < bits; ++i) r |= (a >> i & 1) << (bits - 1 - i);
          return r;
        },
        "%d, %a");
  }
  for (const IntType t : integer_types()) {
    if (t.bytes == 2) continue;
    for (const bool amount : {false, true})
      add_case(
          c, std::string("bfind.") + (amount ? "shiftamt." : "") + t.name, {4, t.bytes, 4, 4}, in,
          [=](std::uint64_t a, auto, auto) -> std::uint64_t {
            const unsigned copy = number(a, t) < 0 ? 1 : 0;
            for (unsigned i = 8 * t.bytes; i-- > 0;)
              if ((a >> i & 1) != copy) return amount ? 8 * t.bytes - 1 - i : i;
            return 0xffffffff;
          },
          "%d, %a");
  }
  add_case(
      c, "fns.b32", {},
      combine(integer_values(), {0, 1, 5, 31},
              {0, 1, 2, 5, 40, 0xffffffff, 0xfffffffe, 0x80000000}),
      [](std::uint64_t a, std::uint64_t b, std::uint64_t d) -> std::uint64_t {
        const auto n = static_cast<std::int32_t>(d);
        std::vector<unsigned> found;  // set bits in the order of the search
        for (int i = static_cast<int>(b); i >= 0 && i < 32; i += n < 0 ? -1 : 1)
          if (a >> i & 1) found.push_back(static_cast<unsigned>(i));
        if (n == 0) return (a >> b & 1) != 0 ? b : 0xffffffff;
        const std::uint64_t nth =
            n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
        return nth <= found.size() ? found[nth - 1] : 0xffffffff;
      },
      "%d, %a, %b, %c");
}

inline const std::vector<std::uint64_t>& field_values() {
  static const std::vector<std::uint64_t> kFields = {0,  1,  4,  16,  31,  32,  33, 40,
                                                     63, 64, 65, 200, 255, 256, 257};
  return kFields;
}
inline void add_fields(Cases& c) {
  for (const IntType t : integer_types()) {
    if (t.bytes == 2) continue;
    const unsigned n = t.bytes;
    add_case(
        c, std::string("bfe.") + t.name, {n, n, 4, 4},
        combine(integer_values(), field_values(), field_values()),
        [=](std::uint64_t a, std::uint64_t b, std::uint64_t len) {
          const unsigned msb = 8 * n - 1, at = b & 0xff;
          len &= 0xff;
          std::uint64_t sign = 0;
          if (t.is_signed && len != 0) sign = a >> std::min<std::uint64_t>(at + len - 1, msb) & 1;
          std::uint64_t d = 0;
          for (unsigned i = 0; i <= msb; ++i)
            d |= (i < len && at + i <= msb ? a >> (at + i) & 1 : sign) << i;
          return d;
        },
        "%d, %a, %b, %c");
  }
  for (const unsigned n : {4u, 8u})
    for (const std::uint64_t pos : field_values())
      add_case(
          c, "bfi.b" + std::to_string(8 * n), {n, n, n, 4},
          combine(integer_values(), {0, ~0ULL, 0x123456789abcdef0ULL}, field_values()),
          [=](std::uint64_t a, std::uint64_t b, std::uint64_t len) {
            std::uint64_t f = b & low_bytes(n);
            for (unsigned i = 0; i < (len & 0xff) && (pos & 0xff) + i < 8 * n; ++i) {
              const unsigned at = (pos & 0xff) + i;
              f = (f & ~(1ULL << at)) | (a >> i & 1) << at;
            }
            return f;
          },
          "%d, %a, %b, %x, %c", "mov.u32 %x, " + std::to_string(pos) + "; ");
}

inline void add_words(Cases& c) {
  const std::vector<std::uint64_t> words = {0x03020100, 0x80ff7f01, 0xdeadbeef, 0, 0x07060504};
  std::vector<std::uint64_t> selectors = {0x3210, 0x7654, 0xfedc, 0x89ab, 0x5555, 0xf3e2};
  for (unsigned i = 0; i < 8; ++i) selectors.push_back(i);
  add_case(
      c, "prmt.b32", {}, combine(words, words, selectors),
      [](std::uint64_t a, std::uint64_t b, std::uint64_t s) {
        std::uint64_t d = 0;
        for (unsigned i = 0; i < 4; ++i) {
          const unsigned pick = s >> (4 * i) & 15;
          std::uint64_t byte = (b << 32 | a) >> (8 * (pick & 7)) & 0xff;
          if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
          d |= byte << (8 * i);
        }
        return d;
      },
      "%d, %a, %b, %c");
  // This is the manual's table: the byte taken for d.b3 d.b2 d.b1 d.b0, selectors 0 to 3.
  struct PermuteMode {
    const char* name;
    std::uint16_t picks[4];
  };
  const PermuteMode modes[] = {
      {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
      {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
      {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
  for (const PermuteMode& mode : modes)
    add_case(
        c, std::string("prmt.b32.") + mode.name, {}, combine(words, words, {0, 1, 2, 3, 4, 0xfffe}),
        [mode](std::uint64_t a, std::uint64_t b, std::uint64_t s) {
          std::uint64_t d = 0;
          for (unsigned i = 0; i < 4; ++i)
            d |= ((b << 32 | a) >> (8 * (mode.picks[s & 3] >> (4 * i) & 15)) & 0xff) << (8 * i);
          return d;
        },
        "%d, %a, %b, %c");
  for (const bool left : {false, true})
    for (const bool clamp : {false, true})
      add_case(
          c, std::string("shf.") + (left ? "l." : "r.") + (clamp ? "clamp" : "wrap") + ".b32", {},
          combine(words, words, {0, 1, 31, 32, 33, 64, 0xffffffff}),
          [=](std::uint64_t a, std::uint64_t b, std::uint64_t amount) {
            const std::uint64_t n = clamp ? std::min<std::uint64_t>(amount, 32) : amount % 32;
            const Wide both = Wide(b) << 32 | Wide(a);
            return static_cast<std::uint64_t>(left ? (both << n) >> 32 : both >> n) & 0xffffffff;
          },
          "%d, %a, %b, %c");
  for (unsigned lut = 0; lut < 256; lut += 5)
    add_case(
        c, "lop3.b32", {}, combine(words, words, words),
        [=](std::uint64_t a, std::uint64_t b, std::uint64_t third) {
          std::uint64_t d = 0;
          for (unsigned i = 0; i < 32; ++i) {
            const unsigned k = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (third >> i & 1);
            d |= std::uint64_t(lut >> k & 1) << i;
          }
          return d;
        },
        "%d, %a, %b, %c, " + std::to_string(lut));
}

inline void add_masks(Cases& c) {
  const std::vector<std::uint64_t> counts = {0, 1, 5, 16, 31, 32, 33, 37, 64, 255, 0xffffffff};
  for (const bool clamp : {false, true}) {
    const std::string mode = clamp ? ".clamp" : ".wrap";
    const auto counted = [=](std::uint64_t n) { return clamp ? n : n % 32; };
    add_case(
        c, "bmsk" + mode + ".b32", {}, combine(counts, counts),
        [=](std::uint64_t a, std::uint64_t b, auto) {
          std::uint64_t d = 0;
          for (std::uint64_t i = counted(a); i < 32 && i < counted(a) + counted(b); ++i)
            d |= std::uint64_t(1) << i;
          return d;
        },
        "%d, %a, %b");
    for (const bool is_signed : {false, true})
      add_case(
          c, "szext" + mode + (is_signed ? ".s32" : ".u32"), {}, combine(integer_values(), counts),
          [=](std::uint64_t a, std::uint64_t b, auto) {
            const std::uint64_t bits = counted(b);
            std::uint64_t d = 0;
            for (std::uint64_t i = 0; i < 32; ++i) {
              const std::uint64_t from = i < bits ? i : bits - 1;
              if (i < bits || (is_signed && bits != 0)) d |= (a >> from & 1) << i;
            }
            return d;
          },
          "%d, %a, %b");
  }
}

/// Parts of a register, as numbers of two's complement cut out of 64 bits.
inline void add_parts(Cases& c) {
  using Number = std::int64_t;
  std::vector<std::uint64_t> words = {0,          0x01020304, 0xff7f8001, 0x80808080,
                                      0x7fffffff, 0xffffffff, 0x8000ff00, 0x00ff7f80};
  const auto in = combine(words, words);
  for (const unsigned parts : {2u, 4u})
    for (const bool is_signed : {false, true}) {
      const unsigned bits = 32 / parts;
      const Number span = Number(1) << bits;
      const auto number = [=](std::uint64_t word, unsigned part) {
        const Number v = Number(word >> bits * part) & (span - 1);
        return is_signed && v >= span / 2 ? v - span : v;
      };
      const std::string t = is_signed ? ".s32" : ".u32";
      // `end`: nothing, .sat or .add; c is 7.
      const auto with = [&](const std::string& spelling, const std::string& end,
                            const std::function<Number(Number, Number)>& f) {
        add_case(
            c, spelling + end, {}, in,
            [=](auto a, auto b, auto) -> std::uint64_t {
              std::uint64_t packed = 0;
              Number sum = 7;
              for (unsigned part = 0; part < parts; ++part) {
                Number v = f(number(a, part), number(b, part));
                const Number least = is_signed ? -span / 2 : 0, most = least + span - 1;
                if (end == ".sat") v = v < least ? least : v > most ? most : v;
                const std::uint64_t cut = std::uint64_t(v) & std::uint64_t(span - 1);
                packed |= cut << bits * part;
                sum += number(cut, 0);
              }
              return (end == ".add" ? std::uint64_t(sum) : packed) & 0xffffffff;
            },
            "%d, %a, %b, 7");
      };
      const std::string n = std::to_string(parts);
      for (const char* const end : {"", ".sat", ".add"}) {
        const std::string types = n + t + t + t;
        with("vadd" + types, end, [](Number a, Number b) { return a + b; });
        with("vsub" + types, end, [](Number a, Number b) { return a - b; });
        with("vabsdiff" + types, end, [](Number a, Number b) { return a < b ? b - a : a - b; });
        with("vmin" + types, end, [](Number a, Number b) { return a < b ? a : b; });
        with("vmax" + types, end, [](Number a, Number b) { return a < b ? b : a; });
        if (!is_signed)
          with("vavrg" + types, end, [](Number a, Number b) { return (a + b + 1) / 2; });
      }
      for (const char* const end : {"", ".add"}) {
        const std::string types = "vset" + n + t + t;
        with(types + ".eq", end, [](Number a, Number b) { return Number(a == b); });
        with(types + ".ne", end, [](Number a, Number b) { return Number(a != b); });
        with(types + ".lt", end, [](Number a, Number b) { return Number(a < b); });
        with(types + ".le", end, [](Number a, Number b) { return Number(a <= b); });
        with(types + ".gt", end, [](Number a, Number b) { return Number(a > b); });
        with(types + ".ge", end, [](Number a, Number b) { return Number(a >= b); });
      }
    }
}

}  // namespace conformance

inline Cases bits_cases() {
  Cases c;
  for (const unsigned n : {2u, 4u, 8u}) conformance::add_logic(c, n);
  conformance::add_predicate_logic(c);
  conformance::add_counts(c);
  conformance::add_fields(c);
  conformance::add_words(c);
  conformance::add_masks(c);
  conformance::add_parts(c);
  return c;
}

}  // namespace warpmem::program::ptx
