// SPDX-License-Identifier: Apache-2.0
// Cases of atom and red: what is returned and what is left, each lane on a word of its own (lanes
// that meet on one word are in ptx_memory_test.cpp).
#pragma once

#include "unit/program/ptx_conformance_half.hpp"

namespace warpmem::program::ptx {

namespace conformance {

struct AtomicForm {
  std::string op;
  std::string type;
  unsigned bytes;
  std::vector<std::uint64_t> values;
  /// It takes the old value, b, c (cas), and whether this is in shared memory.
  std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t, bool)> now;
};

inline std::vector<AtomicForm> atomic_forms() {
  std::vector<AtomicForm> r;
  const auto& v = integer_values();
  for (const IntType t : integer_types()) {
    if (t.bytes == 2) continue;
    const unsigned n = t.bytes;
    const auto with = [&](const char* op, std::function<Wide(Wide, Wide)> f) {
      r.push_back({op, t.name, n, v, [=](auto a, auto b, auto, bool) {
                     return wrapped(f(number(a, t), number(b, t)), n);
                   }});
    };
    with("add", [](Wide a, Wide b) { return a + b; });
    with("min", [](Wide a, Wide b) { return a < b ? a : b; });
    with("max", [](Wide a, Wide b) { return a > b ? a : b; });
    if (std::string(t.name) != "u32") continue;
    with("inc", [](Wide a, Wide b) { return a >= b ? Wide(0) : a + 1; });
    with("dec", [](Wide a, Wide b) { return a == 0 || a > b ? b : a - 1; });
  }
  for (const unsigned n : {4u, 8u}) {
    const std::string type = "b" + std::to_string(8 * n);
    r.push_back({"and", type, n, v, [](auto a, auto b, auto, bool) { return a & b; }});
    r.push_back({"or", type, n, v, [](auto a, auto b, auto, bool) { return a | b; }});
    r.push_back({"xor", type, n, v, [](auto a, auto b, auto, bool) { return a ^ b; }});
    r.push_back({"exch", type, n, v, [](auto, auto b, auto, bool) { return b; }});
  }
  for (const unsigned n : {2u, 4u, 8u})
    r.push_back({"cas", "b" + std::to_string(8 * n), n, v,
                 [](auto a, auto b, auto c, bool) { return a == b ? c : a; }});
  // Single precision is flushed in global memory alone.
  r.push_back({"add", "f32", 4, float_values(), [](auto a, auto b, auto, bool shared) {
                 const auto in = [=](std::uint64_t x) {
                   return shared ? unraw<float>(x) : without_subnormals(unraw<float>(x));
                 };
                 volatile float x = in(a), y = in(b);
                 const float sum = x + y;
                 return result_bits(shared ? sum : without_subnormals(sum));
               }});
  std::vector<std::uint64_t> doubles;
  for (const auto d : double_values())
    if (std::isfinite(unraw<double>(d))) doubles.push_back(d);
  r.push_back({"add", "f64", 8, doubles, [](auto a, auto b, auto, bool) {
                 volatile double x = unraw<double>(a), y = unraw<double>(b);
                 return raw(x + y);
               }});
  const auto half_sum = [](std::uint64_t a, std::uint64_t b) {
    return half_fma(a & 0xffff, 0x3c00, b & 0xffff);
  };
  r.push_back({"add.noftz", "f16", 2, half_values(),
               [=](auto a, auto b, auto, bool) { return half_sum(a, b); }});
  r.push_back({"add.noftz", "f16x2", 4, half_pairs(), [=](auto a, auto b, auto, bool) {
                 return half_sum(a, b) | half_sum(a >> 16, b >> 16) << 16;
               }});
  return r;
}

inline void add_atomic(Cases& c, const AtomicForm& f, const std::string& space,
                       const std::string& modifiers, bool returns) {
  const bool shared = space == ".shared", cas = f.op == "cas";
  const std::string bits = ".b" + std::to_string(8 * f.bytes);
  const std::string n = std::to_string(8 * f.bytes);
  const std::string declare =
      ".reg .b" + n + " %old, %new; mov" + bits + " %old, 0; " +
      (shared ? ".shared .align 8 .b8 words[1024]; mov.u32 %x, %tid.x; mul.wide.u32 %pa, %x, 8; "
                "mov.u64 %pb, words; add.u64 %pa, %pa, %pb; st.shared" +
                    bits + " [%pa], %a; "
              : "");
  const std::string where = shared ? ".shared" : ".global";
  const std::uint64_t m = low_bytes(f.bytes);
  // For cas, half of the rows compare equal.
  const std::vector<std::uint64_t> third =
      cas ? std::vector<std::uint64_t>{3, ~0ULL - 1} : std::vector<std::uint64_t>{0};
  add_case(
      c, (returns ? "atom" : "red") + modifiers + space + "." + f.op + "." + f.type,
      {8, f.bytes, f.bytes, f.bytes}, combine(f.values, f.values, third),
      [=](std::uint64_t a, std::uint64_t b, std::uint64_t k) {
        const std::uint64_t now = f.now(a & m, b & m, k & m, shared) & m;
        return 3 * now + (returns ? a & m : 0);
      },
      std::string(returns ? "%old, " : "") + "[%pa], %b" + (cas ? ", %c" : ""), declare,
      " ld" + where + bits + " %new, [%pa]; cvt.u64.u" + n + " %d, %new; cvt.u64.u" + n +
          " %o, %old; mad.lo.u64 %d, %d, 3, %o;");
}

}  // namespace conformance

inline Cases atomic_cases() {
  using namespace conformance;
  Cases c;
  const auto forms = atomic_forms();
  for (const AtomicForm& f : forms)
    for (const std::string space : {"", ".global", ".shared"})
      for (const bool returns : {true, false}) {
        if (!returns && (f.op == "cas" || f.op == "exch")) continue;
        add_atomic(c, f, space, "", returns);
        if (f.op != "add" || f.type != "u32") continue;
        for (const std::string order : {"", ".relaxed", ".acquire", ".release", ".acq_rel"})
          for (const std::string scope : {"", ".cta", ".gpu", ".sys"})
            if (!(order + scope).empty()) add_atomic(c, f, space, order + scope, returns);
      }
  return c;
}

}  // namespace warpmem::program::ptx
