// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic, logic, shifts and bit fields against host arithmetic in 128 bits.
#include <functional>

#include "unit/program/ptx_fixture.hpp"
#include "unit/program/ptx_numbers.hpp"

namespace warpmem::program::ptx {
namespace {

Wide clamp32(Wide v) { return std::min<Wide>(std::max<Wide>(v, INT32_MIN), INT32_MAX); }

Combinations pairs() { return combine(integer_values(), integer_values()); }
Combinations triples() {
  static const std::vector<std::uint64_t> kFew = {
      0, 1, 0x7fff, 0xffff, 0x80000000, 0xffffffff, 0x123456789abcdef0ULL, ~0ULL};
  return combine(kFew, integer_values(), kFew);
}

class PtxInteger : public testing::TestWithParam<IntType> {};
INSTANTIATE_TEST_SUITE_P(Types, PtxInteger, testing::ValuesIn(integer_types()),
                         [](const auto& p) { return std::string(p.param.name); });

TEST_P(PtxInteger, TwoOperandArithmetic) {
  const IntType t = GetParam();
  const auto n = t.bytes;
  const std::string s = std::string(".") + t.name + " %d, %a, %b;";
  const auto with = [&](const std::string& op, std::function<Wide(Wide, Wide)> f) {
    check(op + s, {n, n, n, n}, pairs(), [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
      return wrapped(f(number(a, t), number(b, t)), n);
    });
  };
  with("add", [](Wide a, Wide b) { return a + b; });
  with("sub", [](Wide a, Wide b) { return a - b; });
  with("mul.lo", [](Wide a, Wide b) {
    return Wide(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
  });
  with("min", [](Wide a, Wide b) { return std::min(a, b); });
  with("max", [](Wide a, Wide b) { return std::max(a, b); });
  with("div", [](Wide a, Wide b) { return b == 0 ? Wide(-1) : a / b; });
  with("rem", [](Wide a, Wide b) { return b == 0 ? -1 : a % b; });
}

TEST_P(PtxInteger, HighAndWideProducts) {
  const IntType t = GetParam();
  const auto n = t.bytes;
  const auto high = [&](std::uint64_t a, std::uint64_t b) {
    const Wide x = number(a, t), y = number(b, t);
    if (t.is_signed || n < 8) return wrapped((x * y) >> (8 * n), n);
    return static_cast<std::uint64_t>(
        (static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y)) >> 64);
  };
  check(std::string("mul.hi.") + t.name + " %d, %a, %b;", {n, n, n, n}, pairs(),
        [&](std::uint64_t a, std::uint64_t b, std::uint64_t) { return high(a, b); });
  check(std::string("mad.hi.") + t.name + " %d, %a, %b, %c;", {n, n, n, n}, triples(),
        [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          return wrapped(Wide(high(a, b)) + number(c, t), n);
        });
  check(std::string("mad.lo.") + t.name + " %d, %a, %b, %c;", {n, n, n, n}, triples(),
        [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          const auto p = static_cast<unsigned __int128>(number(a, t)) *
                         static_cast<unsigned __int128>(number(b, t));
          return wrapped(static_cast<Wide>(p + static_cast<unsigned __int128>(number(c, t))), n);
        });
  if (n == 8) return;
  check(std::string("mul.wide.") + t.name + " %d, %a, %b;", {2 * n, n, n, n}, pairs(),
        [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
          return wrapped(number(a, t) * number(b, t), 2 * n);
        });
  check(std::string("mad.wide.") + t.name + " %d, %a, %b, %c;", {2 * n, n, n, 2 * n}, triples(),
        [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          return wrapped(number(a, t) * number(b, t) + Wide(c & low_bytes(2 * n)), 2 * n);
        });
}

TEST_P(PtxInteger, OneOperandAndSad) {
  const IntType t = GetParam();
  const auto n = t.bytes;
  const auto one = combine(integer_values(), {0});
  if (t.is_signed) {
    check(std::string("abs.") + t.name + " %d, %a;", {n, n, n, n}, one,
          [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
            return wrapped(number(a, t) < 0 ? -number(a, t) : number(a, t), n);
          });
    check(std::string("neg.") + t.name + " %d, %a;", {n, n, n, n}, one,
          [&](std::uint64_t a, std::uint64_t, std::uint64_t) { return wrapped(-number(a, t), n); });
  }
  check(std::string("sad.") + t.name + " %d, %a, %b, %c;", {n, n, n, n}, triples(),
        [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          const Wide d = number(a, t) - number(b, t);
          return wrapped(number(c, t) + (d < 0 ? -d : d), n);
        });
}

TEST_P(PtxInteger, ShiftsByTheWidthAndMore) {
  const IntType t = GetParam();
  const auto n = t.bytes;
  const auto in = combine(integer_values(),
                          {0, 1, 4, 8 * n - 1, 8 * n, 8 * n + 1, 100, 0x80000000, 0xffffffff});
  check("shl.b" + std::to_string(8 * n) + " %d, %a, %b;", {n, n, 4, 4}, in,
        [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
          return b >= 8 * n ? 0 : wrapped(Wide(a & low_bytes(n)) << b, n);
        });
  check(std::string("shr.") + t.name + " %d, %a, %b;", {n, n, 4, 4}, in,
        [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
          return wrapped(number(a, t) >> std::min<std::uint64_t>(b, 100), n);
        });
}

TEST(PtxIntegerBits, SaturatingAdd) {
  const IntType t{"s32", 4, true};
  check("add.sat.s32 %d, %a, %b;", {}, pairs(),
        [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
          return wrapped(clamp32(number(a, t) + number(b, t)), 4);
        });
  check("sub.sat.s32 %d, %a, %b;", {}, pairs(),
        [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
          return wrapped(clamp32(number(a, t) - number(b, t)), 4);
        });
  check("mad.hi.sat.s32 %d, %a, %b, %c;", {}, triples(),
        [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          return wrapped(clamp32(((number(a, t) * number(b, t)) >> 32) + number(c, t)), 4);
        });
}

TEST(PtxIntegerBits, CarryChainsAddAndMultiplyWide) {
  // 128-bit sums and 64 x 64 products out of 64- and 32-bit steps.
  const auto in = pairs();
  check(
      "add.cc.u64 %d, %a, %b; addc.u64 %d, %a, %b;", {8, 8, 8, 8}, in,
      [](std::uint64_t a, std::uint64_t b, std::uint64_t) { return a + b + (a + b < a ? 1 : 0); });
  check("sub.cc.u32 %d, %a, %b; subc.u32 %d, 0, 0;", {}, in,
        [](std::uint64_t a, std::uint64_t b, std::uint64_t) {
          return (a & 0xffffffff) < (b & 0xffffffff) ? 0xffffffffULL : 0ULL;
        });
  check("mad.lo.cc.u32 %x, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0;", {}, triples(),
        [](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          return ((a & 0xffffffff) * (b & 0xffffffff) + (c & 0xffffffff)) >> 32;
        });
}

TEST(PtxIntegerBits, Logic) {
  for (const unsigned n : {2u, 4u, 8u}) {
    const std::string s = ".b" + std::to_string(8 * n) + " %d, %a, %b;";
    const Widths w{n, n, n, n};
    check("and" + s, w, pairs(),
          [&](std::uint64_t a, std::uint64_t b, std::uint64_t) { return a & b & low_bytes(n); });
    check("or" + s, w, pairs(),
          [&](std::uint64_t a, std::uint64_t b, std::uint64_t) { return (a | b) & low_bytes(n); });
    check("xor" + s, w, pairs(),
          [&](std::uint64_t a, std::uint64_t b, std::uint64_t) { return (a ^ b) & low_bytes(n); });
    check("not.b" + std::to_string(8 * n) + " %d, %a;", w, pairs(),
          [&](std::uint64_t a, std::uint64_t, std::uint64_t) { return ~a & low_bytes(n); });
    check("cnot.b" + std::to_string(8 * n) + " %d, %a;", w, pairs(),
          [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
            return (a & low_bytes(n)) == 0 ? 1 : 0;
          });
  }
}

TEST(PtxIntegerBits, CountsAndReversal) {
  const auto in = combine(integer_values(), {0});
  check("popc.b32 %d, %a;", {}, in, [](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return std::uint64_t(__builtin_popcount(static_cast<unsigned>(a)));
  });
  check("popc.b64 %d, %a;", {4, 8, 4, 4}, in, [](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return std::uint64_t(__builtin_popcountll(a));
  });
  check("clz.b32 %d, %a;", {}, in, [](std::uint64_t a, std::uint64_t, std::uint64_t) {
    std::uint64_t n = 0;
    while (n < 32 && !(a >> (31 - n) & 1)) ++n;
    return n;
  });
  check("clz.b64 %d, %a;", {4, 8, 4, 4}, in, [](std::uint64_t a, std::uint64_t, std::uint64_t) {
    std::uint64_t n = 0;
    while (n < 64 && !(a >> (63 - n) & 1)) ++n;
    return n;
  });
  for (const unsigned n : {4u, 8u})
    check("brev.b" + std::to_string(8 * n) + " %d, %a;", {n, n, n, n}, in,
          [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
            std::uint64_t r = 0;
            for (unsigned i = 0; i < 8 * n; ++i) r |= (a >> i & 1) << (8 * n - 1 - i);
            return r;
          });
  for (const IntType t : integer_types()) {
    if (t.bytes == 2) continue;
    for (const bool amount : {false, true})
      check(std::string("bfind.") + (amount ? "shiftamt." : "") + t.name + " %d, %a;",
            {4, t.bytes, 4, 4}, in,
            [&](std::uint64_t a, std::uint64_t, std::uint64_t) -> std::uint64_t {
              const bool negative = number(a, t) < 0;
              for (unsigned i = 8 * t.bytes; i-- > 0;)
                if ((a >> i & 1) != (negative ? 1u : 0u)) return amount ? 8 * t.bytes - 1 - i : i;
              return 0xffffffff;
            });
  }
}

TEST(PtxIntegerBits, BitFields) {
  const std::vector<std::uint64_t> fields = {0,  1,  4,  16,  31,  32,  33, 40,
                                             63, 64, 65, 200, 255, 256, 257};
  for (const IntType t : integer_types()) {
    if (t.bytes == 2) continue;
    const auto n = t.bytes;
    check(std::string("bfe.") + t.name + " %d, %a, %b, %c;", {n, n, 4, 4},
          combine(integer_values(), fields, fields),
          [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
            // This is the algorithm of the PTX manual, bit by bit.
            const unsigned msb = 8 * n - 1, pos = b & 0xff, len = c & 0xff;
            std::uint64_t sign = 0;
            if (t.is_signed && len != 0) sign = a >> std::min(pos + len - 1, msb) & 1;
            std::uint64_t d = 0;
            for (unsigned i = 0; i <= msb; ++i) {
              const std::uint64_t bit = i < len && pos + i <= msb ? a >> (pos + i) & 1 : sign;
              d |= bit << i;
            }
            return d;
          });
  }
  for (const unsigned n : {4u, 8u}) {
    // The form is bfi f, a, b, pos, len with the length from %c and the position from %x.
    for (const std::uint64_t pos : fields)
      check("mov.u32 %x, " + std::to_string(pos) + "; bfi.b" + std::to_string(8 * n) +
                " %d, %a, %b, %x, %c;",
            {n, n, n, 4}, combine(integer_values(), {0, ~0ULL, 0x123456789abcdef0ULL}, fields),
            [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
              const unsigned at = pos & 0xff, len = c & 0xff;
              std::uint64_t f = b & low_bytes(n);
              for (unsigned i = 0; i < len && at + i < 8 * n; ++i)
                f = (f & ~(1ULL << (at + i))) | (a >> i & 1) << (at + i);
              return f;
            });
  }
}

TEST(PtxIntegerBits, PermuteFunnelAndLut) {
  const std::vector<std::uint64_t> words = {0x03020100, 0x80ff7f01, 0xdeadbeef, 0};
  const std::vector<std::uint64_t> selectors = {0x3210, 0x7654, 0xfedc, 0x89ab, 0x0000,
                                                0x5555, 1,      2,      3};
  check("prmt.b32 %d, %a, %b, %c;", {}, combine(words, words, selectors),
        [](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          const std::uint64_t both = b << 32 | a;
          std::uint64_t d = 0;
          for (unsigned i = 0; i < 4; ++i) {
            const unsigned s = c >> (4 * i) & 15;
            std::uint64_t byte = both >> (8 * (s & 7)) & 0xff;
            if (s & 8) byte = byte & 0x80 ? 0xff : 0;
            d |= byte << (8 * i);
          }
          return d;
        });
  // These are the modes of the manual's table for selector 1, bytes named from a0 = 0 to b3 = 7.
  const std::pair<const char*, std::uint64_t> modes[] = {{"f4e", 0x04030201}, {"b4e", 0x06070001},
                                                         {"rc8", 0x01010101}, {"ecl", 0x03020101},
                                                         {"ecr", 0x01010100}, {"rc16", 0x03020302}};
  for (const auto& [mode, want] : modes)
    check(std::string("prmt.b32.") + mode + " %d, %a, %b, 1;", {},
          combine({0x03020100}, {0x07060504}),
          [want = want](std::uint64_t, std::uint64_t, std::uint64_t) { return want; });
  const std::vector<std::uint64_t> amounts = {0, 1, 31, 32, 33, 64, 0xffffffff};
  for (const bool left : {false, true})
    for (const bool clamp : {false, true})
      check(std::string("shf.") + (left ? "l." : "r.") + (clamp ? "clamp" : "wrap") +
                ".b32 %d, %a, %b, %c;",
            {}, combine(words, words, amounts),
            [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
              const std::uint64_t n = clamp ? std::min<std::uint64_t>(c, 32) : c % 32;
              const Wide both = Wide(b) << 32 | Wide(a);
              return static_cast<std::uint64_t>(left ? (both << n) >> 32 : both >> n) & 0xffffffff;
            });
  for (const unsigned lut : {0x00u, 0xffu, 0xc0u, 0xfcu, 0x96u, 0xe8u, 0x1bu})
    check("lop3.b32 %d, %a, %b, %c, " + std::to_string(lut) + ";", {}, combine(words, words, words),
          [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
            std::uint64_t d = 0;
            for (unsigned i = 0; i < 32; ++i) {
              const unsigned k = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
              d |= std::uint64_t(lut >> k & 1) << i;
            }
            return d;
          });
}

TEST(PtxIntegerBits, Mul24AndDotProducts) {
  const auto low24 = [](std::uint64_t v, bool s) {
    return s ? Wide(static_cast<std::int32_t>(v << 8) >> 8) : Wide(v & 0xffffff);
  };
  for (const bool s : {false, true}) {
    const std::string t = s ? "s32" : "u32";
    check("mul24.lo." + t + " %d, %a, %b;", {}, pairs(),
          [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
            return wrapped(low24(a, s) * low24(b, s), 4);
          });
    check("mul24.hi." + t + " %d, %a, %b;", {}, pairs(),
          [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
            return wrapped((low24(a, s) * low24(b, s)) >> 16, 4);
          });
    check("mad24.lo." + t + " %d, %a, %b, %c;", {}, triples(),
          [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
            return wrapped(low24(a, s) * low24(b, s) + Wide(c), 4);
          });
  }
  check("dp4a.s32.u32 %d, %a, %b, %c;", {}, triples(),
        [](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          Wide r = Wide(c);
          for (unsigned i = 0; i < 4; ++i)
            r += Wide(static_cast<std::int8_t>(a >> (8 * i))) *
                 static_cast<std::uint8_t>(b >> (8 * i));
          return wrapped(r, 4);
        });
  check("dp2a.hi.u32.s32 %d, %a, %b, %c;", {}, triples(),
        [](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          Wide r = Wide(c);
          for (unsigned i = 0; i < 2; ++i)
            r += Wide(static_cast<std::uint16_t>(a >> (16 * i))) *
                 static_cast<std::int8_t>(b >> (8 * i + 16));
          return wrapped(r, 4);
        });
}

}  // namespace
}  // namespace warpmem::program::ptx
