// SPDX-License-Identifier: Apache-2.0
// Cases of ld and st in every space, type and vector, with every order, scope and cache operator;
// mov, cvta, isspacep, prefetch, cp.async.
#pragma once

#include "unit/program/ptx_conformance.hpp"

namespace warpmem::program::ptx {

namespace conformance {

/// This is a place of 16 bytes for each thread in a state space.
struct Place {
  std::string space;    ///< space as in the spelling; empty: generic
  std::string writes;   ///< space by which the test itself writes and reads it
  std::string declare;  ///< and leave the address in %pa
  std::string address;
};
inline std::vector<Place> places() {
  const std::string global =
      ".global .align 16 .b8 buffer[65536]; mul.wide.u32 %pa, %i, 16; mov.u64 %pb, buffer; "
      "add.u64 %pa, %pa, %pb; ";
  const std::string shared =
      ".shared .align 16 .b8 tile[2048]; mov.u32 %x, %tid.x; mul.wide.u32 %pa, %x, 16; "
      "mov.u64 %pb, tile; add.u64 %pa, %pa, %pb; ";
  std::string constant = global;
  constant.replace(0, 7, ".const");
  return {{"global", "global", global, "[%pa]"},
          {"", "global", global, "[%pa]"},
          {"const", "global", constant, "[%pa]"},
          {"shared", "shared", shared, "[%pa]"},
          {"local", "local", ".local .align 16 .b8 own[16]; mov.u64 %pa, own; ", "[%pa]"},
          {"param", "param", ".param .align 16 .b8 block[16]; ", "[block]"}};
}
inline std::string at_offset(const Place& p, unsigned offset) {
  return p.address.substr(0, p.address.size() - 1) + "+" + std::to_string(offset) + "]";
}

struct MemoryType {
  const char* name;
  unsigned bytes;
  bool extends_sign;
};
inline const std::vector<MemoryType>& memory_types() {
  static const std::vector<MemoryType> kTypes = {
      {"b8", 1, false},  {"u8", 1, false}, {"s8", 1, true},   {"b16", 2, false},
      {"u16", 2, false}, {"s16", 2, true}, {"f16", 2, false}, {"b32", 4, false},
      {"u32", 4, false}, {"s32", 4, true}, {"f32", 4, false}, {"b64", 8, false},
      {"u64", 8, false}, {"s64", 8, true}, {"f64", 8, false}};
  return kTypes;
}

inline Combinations memory_values() {
  return combine(integer_values(), {0x8091a2b3c4d5e6f7ULL, 0x0123456789abcdefULL, ~0ULL});
}
/// Returns element k of the 16 bytes a, b.
inline std::uint64_t element(std::uint64_t a, std::uint64_t b, unsigned k, MemoryType t) {
  const unsigned at = k * t.bytes;
  const std::uint64_t v = ((at < 8 ? a : b) >> (8 * (at % 8))) & low_bytes(t.bytes);
  return static_cast<std::uint64_t>(number(v, {"", t.bytes, t.extends_sign}));
}

inline std::string braces(unsigned count) {
  const char* const names[] = {"", "%e0", "{%e0, %e1}", "", "{%e0, %e1, %e2, %e3}"};
  return names[count];
}

inline void add_load(Cases& c, const std::string& spelling, const Place& p, MemoryType t,
                     unsigned count, const std::string& policy = "") {
  const std::string write = "st." + p.writes + ".b64 ";
  add_case(
      c, spelling, {8, 8, 8, 4}, memory_values(),
      [=](auto a, auto b, auto) {
        std::uint64_t sum = 0;
        for (unsigned k = 0; k < count; ++k) sum += element(a, b, k, t) * (2 * k + 1);
        return sum;
      },
      braces(count) + ", " + p.address + policy,
      ".reg .b64 %e<4>; mov.u64 %e1, 0; mov.u64 %e2, 0; mov.u64 %e3, 0; " + p.declare + write +
          p.address + ", %a; " + write + at_offset(p, 8) + ", %b; ",
      " mad.lo.u64 %d, %e1, 3, %e0; mad.lo.u64 %d, %e2, 5, %d; mad.lo.u64 %d, %e3, 7, %d;");
}
inline void add_store(Cases& c, const std::string& spelling, const Place& p, MemoryType t,
                      unsigned count, const std::string& policy = "") {
  // Over a pattern, so that bytes beside the stored ones show.
  const std::string fill = "st." + p.writes + ".b64 ", read = " ld." + p.writes + ".b64 ";
  add_case(
      c, spelling, {8, 8, 8, 4}, memory_values(),
      [=](auto a, auto b, auto) {
        const std::uint64_t values[4] = {a, b, a ^ b, a + b};
        std::uint64_t word[2] = {0x1111111111111111ULL, 0x1111111111111111ULL};
        for (unsigned k = 0; k < count; ++k) {
          std::uint64_t& w = word[k * t.bytes / 8];
          const unsigned shift = 8 * (k * t.bytes % 8);
          w = (w & ~(low_bytes(t.bytes) << shift)) | (values[k] & low_bytes(t.bytes)) << shift;
        }
        return word[0] + 3 * word[1];
      },
      p.address + ", " + braces(count) + policy,
      ".reg .b64 %e<4>; mov.u64 %e0, %a; mov.u64 %e1, %b; xor.b64 %e2, %a, %b; "
      "add.u64 %e3, %a, %b; " +
          p.declare + fill + p.address + ", 0x1111111111111111; " + fill + at_offset(p, 8) +
          ", 0x1111111111111111; ",
      read + "%e0, " + p.address + ";" + read + "%e1, " + at_offset(p, 8) +
          "; mad.lo.u64 %d, %e1, 3, %e0;");
}

inline void add_accesses(Cases& c) {
  const MemoryType word = {"u32", 4, false};
  for (const Place& p : places()) {
    const std::string space = p.space.empty() ? "" : "." + p.space;
    for (const MemoryType t : memory_types())
      for (const unsigned count : {1u, 2u, 4u}) {
        if (count * t.bytes > 16) continue;
        const std::string tail =
            space + (count == 1 ? "" : ".v" + std::to_string(count)) + "." + t.name;
        add_load(c, "ld" + tail, p, t, count);
        if (p.space == "global" || p.space.empty()) add_load(c, "ldu" + tail, p, t, count);
        if (p.space == "global") add_load(c, "ld.global.nc" + tail.substr(7), p, t, count);
        if (p.space != "const") add_store(c, "st" + tail, p, t, count);
      }
    for (const char* order : {".volatile", ".weak"}) {
      add_load(c, "ld" + std::string(order) + space + ".u32", p, word, 1);
      if (p.space != "const") add_store(c, "st" + std::string(order) + space + ".u32", p, word, 1);
    }
    for (const std::string scope : {".cta", ".gpu", ".sys"}) {
      for (const std::string order : {".relaxed", ".acquire"})
        add_load(c, "ld" + order + scope + space + ".u32", p, word, 1);
      if (p.space == "const") continue;
      for (const std::string order : {".relaxed", ".release"})
        add_store(c, "st" + order + scope + space + ".u32", p, word, 1);
    }
    for (const std::string cache : {".ca", ".cg", ".cs", ".lu", ".cv"}) {
      add_load(c, "ld" + space + cache + ".u32", p, word, 1);
      if (p.space == "global") add_load(c, "ld.global" + cache + ".nc.u32", p, word, 1);
    }
    if (p.space == "const") continue;
    for (const std::string cache : {".wb", ".cg", ".cs", ".wt"})
      add_store(c, "st" + space + cache + ".u32", p, word, 1);
  }
}

/// What caches should keep and fetch changes no value.
inline void add_hinted_accesses(Cases& c) {
  const MemoryType word = {"u32", 4, false};
  for (const Place& p : places()) {
    if (p.space != "global" && !p.space.empty()) continue;
    const std::string space = p.space.empty() ? "" : ".global";
    for (const std::string keeps : {"", ".L1::evict_normal", ".L1::evict_unchanged",
                                    ".L1::evict_first", ".L1::evict_last", ".L1::no_allocate"})
      for (const std::string hint : {"", ".L2::cache_hint"}) {
        const std::string policy = hint.empty() ? "" : ", %b";
        if (keeps.size() + hint.size() != 0)
          add_store(c, "st" + space + keeps + hint + ".u32", p, word, 1, policy);
        for (const std::string fetches : {"", ".L2::64B", ".L2::128B", ".L2::256B"}) {
          const std::string hints = keeps + hint + fetches;
          if (hints.empty()) continue;
          add_load(c, "ld" + space + hints + ".u32", p, word, 1, policy);
          if (!space.empty()) add_load(c, "ld.global.nc" + hints + ".u32", p, word, 1, policy);
        }
      }
  }
  const auto in = combine(integer_values(), {1, 0x7fffffff});
  const auto zero = [](auto, auto, auto) { return std::uint64_t(0); };
  for (const std::string keeps : {"last", "normal", "first", "unchanged"})
    for (const std::string other : {"", ".L2::evict_first", ".L2::evict_unchanged"}) {
      const std::string tail = ".L2::evict_" + keeps + other + ".b64";
      add_case(c, "createpolicy.fractional" + tail, {8, 8, 8, 4}, in, zero, "%d");
      for (const std::string space : {"", ".global"})
        add_case(c, "createpolicy.range" + space + tail, {8, 8, 8, 4}, in, zero,
                 "%d, [%pa], 64, 128", "mov.u64 %pa, 0; ");
    }
  add_case(c, "createpolicy.cvt.L2.b64", {8, 8, 8, 4}, in, zero, "%d, %a");
}

inline void add_moves(Cases& c) {
  const auto in = combine(integer_values(), {0x5a5a, 0xffffffff});
  for (const MemoryType t : memory_types()) {
    if (t.bytes == 1) continue;
    add_case(
        c, std::string("mov.") + t.name, {t.bytes, t.bytes, 4, 4}, in,
        [=](auto a, auto, auto) { return a & low_bytes(t.bytes); }, "%d, %a");
  }
  add_case(
      c, "mov.f16x2", {}, in, [](auto a, auto, auto) { return a & 0xffffffff; }, "%d, %a");
  add_case(
      c, "mov.pred", {}, in,
      [](auto a, auto, auto) { return std::uint64_t((a & 0xffffffff) == 0); }, "%p, !%p",
      "setp.ne.u32 %p, %a, 0; ", " selp.u32 %d, 1, 0, %p;");
  // These pack the pieces of %a in reverse order.
  for (const unsigned bytes : {2u, 4u, 8u})
    for (const unsigned count : {2u, 4u}) {
      if (bytes % count != 0) continue;
      const unsigned piece = bytes / count;
      const std::string list = count == 2 ? "{%e0, %e1}" : "{%e0, %e1, %e2, %e3}";
      const std::string reversed = count == 2 ? "{%e1, %e0}" : "{%e3, %e2, %e1, %e0}";
      const std::string type = ".b" + std::to_string(8 * bytes);
      add_case(
          c, "mov" + type, {bytes, bytes, 4, 4}, in,
          [=](auto a, auto, auto) {
            std::uint64_t r = 0;
            for (unsigned k = 0; k < count; ++k)
              r |= (a >> (8 * piece * k) & low_bytes(piece)) << (8 * piece * (count - 1 - k));
            return r;
          },
          list + ", %a", ".reg .b" + std::to_string(8 * piece) + " %e<4>; ",
          " mov" + type + " %d, " + reversed + ";");
    }
}

inline void add_addresses(Cases& c) {
  const auto in = combine({0, 8, 0x7f8}, {0});
  const Widths w{8, 8, 4, 4};
  const std::pair<const char*, const char*> spaces[] = {{"global", ".global .b64 v[256]; "},
                                                        {"const", ".const .b64 v[256]; "},
                                                        {"shared", ".shared .b64 v[256]; "},
                                                        {"local", ".local .b64 v[256]; "}};
  for (const auto& [space, declare] : spaces) {
    const std::string s = space;
    // There and back is the identity, and a store by either address is seen by the other.
    add_case(
        c, "cvta." + s + ".u64", w, in, [](auto a, auto, auto) { return a + 77; }, "%pb, %pa",
        declare + std::string("mov.u64 %pa, v; add.u64 %pa, %pa, %a; "),
        " st.u64 [%pb], 77; ld." + s + ".u64 %d, [%pa]; cvta.to." + s +
            ".u64 %pc, %pb; sub.u64 %pc, %pc, %pa; add.u64 %d, %d, %pc; add.u64 %d, %d, %a;");
    add_case(
        c, "cvta.to." + s + ".u64", w, in, [](auto, auto, auto) { return std::uint64_t(0); },
        "%pc, %pb",
        declare + std::string("mov.u64 %pa, v; add.u64 %pa, %pa, %a; cvta.") + s +
            ".u64 %pb, %pa; ",
        " sub.u64 %d, %pc, %pa;");
    // Constants lie in device memory: their generic addresses are global ones.
    for (const auto& [tested, unused] : spaces) {
      (void)unused;
      const std::string t = tested;
      const bool yes = s == "const" ? t == "global" : s == t;
      add_case(
          c, "isspacep." + t, w, in, [=](auto, auto, auto) { return std::uint64_t(yes); },
          "%p, %pb", declare + std::string("mov.u64 %pa, v; cvta.") + s + ".u64 %pb, %pa; ",
          " selp.u64 %d, 1, 0, %p;");
    }
  }
  for (const char* hint : {"prefetch.global.L1", "prefetch.global.L2", "prefetch.L1", "prefetch.L2",
                           "prefetch.local.L1", "prefetch.local.L2", "prefetchu.L1",
                           "prefetch.global.L2::evict_last", "prefetch.global.L2::evict_normal"})
    add_case(
        c, hint, w, in, [](auto a, auto, auto) { return a; }, "[%pa]", "", " mov.u64 %d, %a;");
  for (const char* hint :
       {"applypriority.L2::evict_normal", "applypriority.global.L2::evict_normal", "discard.L2",
        "discard.global.L2"})
    add_case(
        c, hint, w, in, [](auto a, auto, auto) { return a; }, "[%pa], 128", "", " mov.u64 %d, %a;");
}

/// Copies %a (and %b) from global to shared memory and reads `bytes` of it there.
inline void add_copy(Cases& c, const std::string& spelling, const std::string& operands,
                     const std::string& wait, unsigned bytes, const std::string& before = "") {
  add_case(
      c, spelling, {8, 8, 8, 4}, memory_values(),
      [=](auto a, auto b, auto) {
        return (a & low_bytes(std::min(bytes, 8u))) + 3 * (bytes == 16 ? b : 0);
      },
      operands,
      ".reg .b64 %e<4>; .global .align 16 .b8 buffer[65536]; .shared .align 16 .b8 tile[2048]; "
      "mul.wide.u32 %pa, %i, 16; mov.u64 %pb, buffer; add.u64 %pa, %pa, %pb; "
      "mov.u32 %y, %tid.x; shl.b32 %y, %y, 4; mov.u32 %x, tile; add.u32 %y, %y, %x; "
      "st.global.b64 [%pa], %a; st.global.b64 [%pa+8], %b; "
      "st.shared.b64 [%y], 0; st.shared.b64 [%y+8], 0; " +
          before,
      wait +
          " ld.shared.b64 %e0, [%y]; ld.shared.b64 %e1, [%y+8]; "
          "mad.lo.u64 %d, %e1, 3, %e0;");
}

inline void add_copies(Cases& c) {
  const std::string wait = " cp.async.commit_group; cp.async.wait_group 0;";
  for (const std::string shared : {".shared", ".shared::cta"})
    for (const std::string hint : {"", ".L2::64B", ".L2::128B", ".L2::256B"}) {
      const std::string tail = shared + ".global" + hint;
      add_copy(c, "cp.async.cg" + tail, "[%y], [%pa], 16", wait, 16);
      for (const unsigned bytes : {4u, 8u, 16u})
        add_copy(c, "cp.async.ca" + tail, "[%y], [%pa], " + std::to_string(bytes), wait, bytes);
    }
  for (const std::string fetches : {"", ".L2::64B", ".L2::128B", ".L2::256B"})
    for (const std::string shared : {".shared", ".shared::cta"})
      for (const std::string cache : {"ca", "cg"})
        add_copy(c, "cp.async." + cache + shared + ".global.L2::cache_hint" + fetches,
                 "[%y], [%pa], 16, %a", wait, 16);
  const std::string copy = "cp.async.ca.shared.global [%y], [%pa], 16; ";
  add_copy(c, "cp.async.commit_group", "", " cp.async.wait_group 0;", 16, copy);
  add_copy(c, "cp.async.wait_group", "0", "", 16, copy + "cp.async.commit_group; ");
  add_copy(c, "cp.async.wait_all", "", "", 16, copy);
}

}  // namespace conformance

inline Cases memory_cases() {
  Cases c;
  conformance::add_accesses(c);
  conformance::add_hinted_accesses(c);
  conformance::add_moves(c);
  conformance::add_addresses(c);
  conformance::add_copies(c);
  return c;
}

}  // namespace warpmem::program::ptx
