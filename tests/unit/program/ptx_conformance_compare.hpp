// SPDX-License-Identifier: Apache-2.0
// Cases of set, setp, selp and slct.
#pragma once

#include "unit/program/ptx_conformance_half.hpp"

namespace warpmem::program::ptx {

namespace conformance {

/// Evaluates a relation by its definition; `order` is -1, 0, 1, or 2 when an operand is NaN.
inline bool holds(const std::string& op, int order) {
  const bool unordered = order == 2;
  if (op == "num") return !unordered;
  if (op == "nan") return unordered;
  if (op.size() == 3) return unordered || holds(op.substr(0, 2), order);
  if (unordered) return false;
  if (op == "eq") return order == 0;
  if (op == "ne") return order != 0;
  if (op == "lt" || op == "lo") return order < 0;
  if (op == "le" || op == "ls") return order <= 0;
  if (op == "gt" || op == "hi") return order > 0;
  return order >= 0;  // ge, hs
}

struct Comparable {
  std::string name;
  unsigned bytes;
  std::vector<std::uint64_t> values;
  std::vector<std::string> relations;
  /// How two operands compare; the flag is .ftz.
  std::function<int(std::uint64_t, std::uint64_t, bool)> order;
  bool has_ftz = false;
};

template <class T>
int order_of(T a, T b) {
  if (a != a || b != b) return 2;
  return a < b ? -1 : a > b ? 1 : 0;
}

inline std::vector<Comparable> comparables() {
  std::vector<Comparable> r;
  const std::vector<std::string> six = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (const IntType t : integer_types()) {
    auto relations = six;
    relations.insert(relations.end(), {"lo", "ls", "hi", "hs"});
    r.push_back({t.name, t.bytes, integer_values(), relations,
                 [=](auto a, auto b, bool) { return order_of(number(a, t), number(b, t)); }});
  }
  for (const unsigned n : {2u, 4u, 8u})
    r.push_back(
        {"b" + std::to_string(8 * n), n, integer_values(), {"eq", "ne"}, [=](auto a, auto b, bool) {
           return order_of(a & low_bytes(n), b & low_bytes(n));
         }});
  auto fourteen = six;
  fourteen.insert(fourteen.end(), {"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  // The interpreter takes the unsigned spellings for floats, too.
  fourteen.insert(fourteen.end(), {"lo", "ls", "hi", "hs"});
  r.push_back({"f32", 4, float_values(), fourteen,
               [](auto a, auto b, bool ftz) {
                 const float x = unraw<float>(a), y = unraw<float>(b);
                 return ftz ? order_of(without_subnormals(x), without_subnormals(y))
                            : order_of(x, y);
               },
               true});
  r.push_back({"f64", 8, double_values(), fourteen,
               [](auto a, auto b, bool) { return order_of(unraw<double>(a), unraw<double>(b)); }});
  const auto half_order = [](std::uint64_t a, std::uint64_t b, bool ftz) {
    a &= 0xffff, b &= 0xffff;
    if (half_nan(a) || half_nan(b)) return 2;
    const auto units = [&](std::uint64_t h) { return half_units(ftz ? half_flushed(h) : h); };
    return order_of(units(a), units(b));
  };
  r.push_back({"f16", 2, half_values(), fourteen, half_order, true});
  r.push_back({"f16x2", 4, half_pairs(), fourteen, half_order, true});
  return r;
}

inline bool combined(const std::string& how, bool r, bool c) {
  return how == "and" ? r && c : how == "or" ? r || c : how == "xor" ? r != c : r;
}

inline void add_comparisons(Cases& c, const Comparable& t) {
  const bool bfloat = t.name.substr(0, 2) == "bf";
  const bool pair = t.name == "f16x2" || t.name == "bf16x2";
  const auto upper = [=](std::uint64_t v) { return pair ? v >> 16 : v; };
  for (const auto& op : t.relations)
    for (const std::string how : {"", "and", "or", "xor"})
      for (const bool ftz : {false, true}) {
        if (ftz && !t.has_ftz) continue;
        const auto few =
            how.empty() ? t.values
                        : std::vector<std::uint64_t>(t.values.begin() + 2, t.values.begin() + 12);
        const Combinations in = combine(few, few, {0, 1});
        const Widths w{4, t.bytes, t.bytes, 4};
        const std::string middle = "." + op + (how.empty() ? "" : "." + how) + (ftz ? ".ftz" : "");
        const std::string third = how.empty() ? "" : ", !%guard";
        const std::string before = "setp.ne.u32 %guard, %c, 0; ";
        add_case(
            c, "setp" + middle + "." + t.name, w, in,
            [=](auto a, auto b, auto k) {
              const bool p = holds(op, t.order(a, b, ftz));
              const bool q = pair ? holds(op, t.order(upper(a), upper(b), ftz)) : !p;
              return std::uint64_t(combined(how, p, k == 0)) +
                     2 * std::uint64_t(combined(how, q, k == 0));
            },
            "%p|%q, %a, %b" + third, before,
            " selp.u32 %x, 1, 0, %p; selp.u32 %d, 2, 0, %q; add.u32 %d, %d, %x;");
        const auto set = [&](const std::string& result, unsigned bytes, std::uint64_t yes) {
          add_case(
              c, "set" + middle + "." + result + "." + t.name, {bytes, t.bytes, t.bytes, 4}, in,
              [=](auto a, auto b, auto k) {
                std::uint64_t r = combined(how, holds(op, t.order(a, b, ftz)), k == 0) ? yes : 0;
                if (pair && combined(how, holds(op, t.order(upper(a), upper(b), ftz)), k == 0))
                  r |= yes << 16;
                return r;
              },
              "%d, %a, %b" + third, before);
        };
        const bool half = t.name == "f16" || bfloat || pair;
        set("u32", 4, pair ? 0xffff : 0xffffffff);
        set("s32", 4, pair ? 0xffff : 0xffffffff);
        if (!pair) set("f32", 4, raw(1.0f));
        if (pair) set(t.name, 4, bfloat ? 0x3f80 : 0x3c00);
        if (!pair) set(bfloat ? "bf16" : "f16", 2, bfloat ? 0x3f80 : 0x3c00);
        if (half && !pair) set("u16", 2, 0xffff);
        if (half && !pair) set("s16", 2, 0xffff);
      }
}

inline void add_selections(Cases& c) {
  const auto in =
      combine({1, 2}, {3, ~0ULL - 3},
              {0, 0x80000000u, 0xbf800000u, 0x3f800000u, 0x7fc00000u, 0x80000001u, 1, 0xffffffffu});
  const std::pair<const char*, unsigned> types[] = {
      {"b16", 2}, {"u16", 2}, {"s16", 2}, {"b32", 4}, {"u32", 4}, {"s32", 4},  {"f32", 4},
      {"b64", 8}, {"u64", 8}, {"s64", 8}, {"f64", 8}, {"f16", 2}, {"f16x2", 4}};
  for (const auto& [name, n] : types) {
    const std::uint64_t m = low_bytes(n);
    add_case(
        c, std::string("selp.") + name, {n, n, n, 4}, in,
        [=](auto a, auto b, auto k) { return (k != 0 ? a : b) & m; }, "%d, %a, %b, !%p",
        "setp.eq.u32 %p, %c, 0; ");
    const std::string slct = std::string(".") + name;
    add_case(
        c, "slct" + slct + ".s32", {n, n, n, 4}, in,
        [=](auto a, auto b, auto k) { return (k >> 31 == 0 ? a : b) & m; }, "%d, %a, %b, %c");
    for (const bool ftz : {false, true})
      add_case(
          c, std::string("slct") + (ftz ? ".ftz" : "") + slct + ".f32", {n, n, n, 4}, in,
          [=](auto a, auto b, auto k) {
            const float v = unraw<float>(k);
            return ((ftz ? without_subnormals(v) : v) >= 0 ? a : b) & m;
          },
          "%d, %a, %b, %c");
  }
  add_case(
      c, "selp.pred", {}, combine({0, 1}, {0, 1}, {0, 1}),
      [](auto a, auto b, auto k) { return std::uint64_t((k != 0 ? a : b) != 0); },
      "%p, %p, %q, %guard",
      "setp.ne.u32 %p, %a, 0; setp.ne.u32 %q, %b, 0; setp.ne.u32 %guard, %c, 0; ",
      " selp.u32 %d, 1, 0, %p;");
}

}  // namespace conformance

inline Cases compare_cases() {
  Cases c;
  for (const auto& t : conformance::comparables()) conformance::add_comparisons(c, t);
  conformance::add_selections(c);
  return c;
}

}  // namespace warpmem::program::ptx
