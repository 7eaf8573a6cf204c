// SPDX-License-Identifier: Apache-2.0
// Cases of cp.reduce.async.bulk, st.async and red.async, against the host arithmetic of atomics:
// each thread has its place in global or shared memory, and its mbarrier.
#pragma once

#include "unit/program/ptx_conformance_atomic.hpp"
#include "unit/program/ptx_conformance_bulk.hpp"

namespace warpmem::program::ptx {
namespace conformance {

inline double bfloat_value(std::uint64_t b) {
  return unraw<float>(static_cast<std::uint32_t>(b) << 16);
}
inline bool bfloat_nan(std::uint64_t b) { return (b & 0x7fff) > 0x7f80; }
/// Returns the bfloat16 nearest to a finite sum, ties to even, by looking at its neighbours.
inline std::uint64_t bfloat_sum(std::uint64_t a, std::uint64_t b) {
  if (bfloat_nan(a) || bfloat_nan(b)) return 0x7fff;
  const double sum = bfloat_value(a) + bfloat_value(b);
  if (std::isnan(sum)) return 0x7fff;
  const std::uint64_t sign = std::signbit(sum) ? 0x8000 : 0;
  const double magnitude = std::fabs(sum);
  if (std::isinf(magnitude)) return sign | 0x7f80;
  std::uint64_t low = 0, high = 0x7f80;
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    (bfloat_value(middle) <= magnitude ? low : high) = middle;
  }
  // Infinity stands for 2^128 here.
  const double above = high == 0x7f80 ? std::ldexp(1.0, 128) : bfloat_value(high);
  const double to_low = magnitude - bfloat_value(low), to_high = above - magnitude;
  return sign | (to_high < to_low || (to_high == to_low && low % 2 == 1) ? high : low);
}
/// Returns the lesser or greater of two numbers of 16 bits; one that is none loses.
template <class IsNan>
std::uint64_t least_or_most(bool least, std::uint64_t a, std::uint64_t b, IsNan&& is_nan) {
  if (is_nan(a) || is_nan(b)) return is_nan(a) ? (is_nan(b) ? 0x7fff : b) : a;
  const auto rank = [](std::uint64_t v) {  // as sign and magnitude
    return v & 0x8000 ? -static_cast<int>(v & 0x7fff) - 1 : static_cast<int>(v);
  };
  return (rank(a) < rank(b)) == least ? a : b;
}

inline std::vector<std::uint64_t> bfloat_values() {
  return {0x0000, 0x8000, 0x3f80, 0xbf80, 0x0001, 0x8001, 0x007f, 0x0080, 0x7f7f,
          0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xff81, 0x3eab, 0x4049, 0x3b80, 0xbf7f};
}

/// Those of cp.reduce.async.bulk to global memory, by element.
inline std::vector<AtomicForm> reduction_forms() {
  std::vector<AtomicForm> forms;
  for (const AtomicForm& f : atomic_forms())
    if (f.op != "exch" && f.op != "cas" && f.type != "f16x2" && f.op + f.type != "adds64")
      forms.push_back(f);
  for (const bool least : {true, false}) {
    forms.push_back(
        {least ? "min" : "max", "f16", 2, half_values(),
         [=](auto a, auto b, auto, bool) { return least_or_most(least, a, b, half_nan); }});
    forms.push_back(
        {least ? "min" : "max", "bf16", 2, bfloat_values(),
         [=](auto a, auto b, auto, bool) { return least_or_most(least, a, b, bfloat_nan); }});
  }
  forms.push_back({"add.noftz", "bf16", 2, bfloat_values(),
                   [](auto a, auto b, auto, bool) { return bfloat_sum(a, b); }});
  return forms;
}
/// Those in shared memory.
inline std::vector<AtomicForm> shared_reduction_forms() {
  std::vector<AtomicForm> forms;
  for (const AtomicForm& f : reduction_forms())
    if ((f.bytes == 4 && f.type != "f32") || f.op + f.type == "addu64") forms.push_back(f);
  return forms;
}

/// Returns the values side by side in 64 bits, each place with each of them once.
inline std::vector<std::uint64_t> packed(const AtomicForm& f) {
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i < f.values.size(); ++i) {
    std::uint64_t word = 0;
    for (unsigned at = 0; at < 8; at += f.bytes)
      word |= (f.values[(i + 3 * at) % f.values.size()] & low_bytes(f.bytes)) << (8 * at);
    words.push_back(word);
  }
  return words;
}
inline std::uint64_t reduced(const AtomicForm& f, std::uint64_t old, std::uint64_t value,
                             bool shared) {
  std::uint64_t now = 0;
  const std::uint64_t m = low_bytes(f.bytes);
  for (unsigned at = 0; at < 8; at += f.bytes)
    now |= (f.now(old >> (8 * at) & m, value >> (8 * at) & m, 0, shared) & m) << (8 * at);
  return now;
}

/// As add_bulk_case(), of 16 bytes that are reduced: the old ones are %a, %b, the values %b, %a.
inline void add_bulk_reduction(Cases& c, const AtomicForm& f, const std::string& spelling,
                               const std::string& operands, bool shared, const std::string& before,
                               const std::string& after) {
  const std::vector<std::uint64_t> words = packed(f);
  add_case(
      c, spelling, {8, 8, 8, 4}, combine(words, words, {0}),
      [=](std::uint64_t a, std::uint64_t b, std::uint64_t) {
        return reduced(f, a, b, shared) + 3 * reduced(f, b, a, shared);
      },
      operands, bulk_places() + "st.shared.v2.b64 [%y], {%b, %a}; " + before,
      after + " mad.lo.u64 %d, %e1, 3, %e0;");
}

inline void add_bulk_reductions(Cases& c) {
  for (const AtomicForm& f : reduction_forms())
    for (const std::string hint : {"", ".L2::cache_hint"})
      add_bulk_reduction(
          c, f,
          "cp.reduce.async.bulk.global.shared::cta.bulk_group" + hint + "." + f.op + "." + f.type,
          "[%pa], [%y], 16" + std::string(hint.empty() ? "" : ", %e2"), false,
          "st.global.v2.b64 [%pa], {%a, %b}; ",
          " cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
          " ld.global.v2.b64 {%e0, %e1}, [%pa];");
  for (const AtomicForm& f : shared_reduction_forms())
    add_bulk_reduction(
        c, f,
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." + f.op +
            "." + f.type,
        "[%z], [%y], 16, [%x]", true, other_place() + "st.shared.v2.b64 [%z], {%a, %b}; ",
        await_mbarrier() + " ld.shared.v2.b64 {%e0, %e1}, [%z];");
}

/// The thread's value goes to its place in shared memory, which held 16 bytes of `old`. What is
/// there afterwards is %d, in 64 bits plus three times the others.
inline void add_async_write(Cases& c, const std::string& spelling, const Combinations& values,
                            Expected expected, const std::string& value, unsigned bytes,
                            const std::string& old) {
  add_case(c, spelling, {8, 8, 8, 4}, values, std::move(expected), "[%y], " + value + ", [%x]",
           bulk_places(bytes) + "st.shared.v2.b64 [%y], " + old +
               "; .reg .b32 %lo<2>, %hi<2>; "
               "mov.b64 {%lo0, %hi0}, %a; mov.b64 {%lo1, %hi1}, %b; ",
           await_mbarrier() + " ld.shared.v2.b64 {%e0, %e1}, [%y]; mad.lo.u64 %d, %e1, 3, %e0;");
}

inline void add_async_writes(Cases& c) {
  const std::string to = ".shared::cluster.mbarrier::complete_tx::bytes";
  for (const std::string weak : {"", ".weak"})
    for (const std::string type : {"b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"}) {
      const bool wide = type.substr(1) == "64";
      const std::string st = "st.async" + weak + to;
      const auto both = [](auto a, auto b, auto) { return a + 3 * b; };
      if (wide) {
        add_async_write(
            c, st + "." + type, memory_values(), [](auto a, auto, auto) { return a; }, "%a", 8,
            "{0, 0}");
        add_async_write(c, st + ".v2." + type, memory_values(), both, "{%a, %b}", 16, "{0, 0}");
      } else {
        add_async_write(
            c, st + "." + type, memory_values(),
            [](auto a, auto, auto) { return a & low_bytes(4); }, "%lo0", 4, "{0, 0}");
        add_async_write(
            c, st + ".v2." + type, memory_values(), [](auto a, auto, auto) { return a; },
            "{%lo0, %hi0}", 8, "{0, 0}");
        add_async_write(c, st + ".v4." + type, memory_values(), both, "{%lo0, %hi0, %lo1, %hi1}",
                        16, "{0, 0}");
      }
    }
  for (const AtomicForm& f : shared_reduction_forms()) {
    const bool wide = f.bytes == 8;
    add_async_write(
        c, "red.async.relaxed.cluster" + to + "." + f.op + "." + f.type,
        combine(f.values, f.values, {0}),
        [=](std::uint64_t a, std::uint64_t b, std::uint64_t) {
          const std::uint64_t m = low_bytes(f.bytes);
          return (a & ~m) + (f.now(a & m, b & m, 0, true) & m);
        },
        wide ? "%b" : "%lo1", f.bytes, "{%a, 0}");
  }
}

}  // namespace conformance

inline Cases async_write_cases() {
  Cases c;
  conformance::add_bulk_reductions(c);
  conformance::add_async_writes(c);
  return c;
}

}  // namespace warpmem::program::ptx
