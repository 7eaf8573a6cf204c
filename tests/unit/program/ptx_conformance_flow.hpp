// SPDX-License-Identifier: Apache-2.0
// Cases of what looks across lanes and warps, and of control: one CTA of 64 threads, %a = thread
// (0..63); expected values are functions of the thread.
#pragma once

#include "unit/program/ptx_conformance.hpp"

namespace warpmem::program::ptx {

namespace conformance {

inline Combinations threads() {
  Combinations in;
  for (std::uint64_t i = 0; i < 64; ++i) {
    in.a.push_back(i);
    in.b.push_back(i % 3);
    in.c.push_back(7);
  }
  return in;
}
using OfThread = std::function<std::uint64_t(std::uint64_t)>;
inline void add_flow(Cases& c, const std::string& spelling, const std::string& operands,
                     const std::string& before, const std::string& after, OfThread expected) {
  add_case(
      c, spelling, {}, threads(), [=](auto a, auto, auto) { return expected(a); }, operands, before,
      after);
}

inline void add_votes(Cases& c) {
  // Lanes 8 to 31 of a warp take part; %p holds for the odd ones.
  const std::string before =
      "mov.u32 %d, 0; and.b32 %x, %a, 1; setp.ne.u32 %p, %x, 0; and.b32 %x, %a, 31; "
      "setp.lt.u32 %q, %x, 8; @%q bra OUT; ";
  const std::uint64_t odd = 0xaaaaaa00;
  for (const bool sync : {false, true}) {
    const std::string s = sync ? "sync." : "", m = sync ? ", -1" : "";
    const auto with = [&](const char* how, const char* source, std::uint64_t value) {
      add_flow(c, "vote." + s + how + ".pred", "%q, " + std::string(source) + m, before,
               " selp.u32 %d, 1, 2, %q; OUT:", [=](auto a) { return a % 32 < 8 ? 0 : value; });
    };
    with("all", "%p", 2);
    with("any", "%p", 1);
    with("uni", "!%p", 2);
    add_flow(c, "vote." + s + "ballot.b32", "%d, %p" + m, before,
             " OUT:", [=](auto a) { return a % 32 < 8 ? 0 : odd; });
  }
  add_flow(c, "activemask.b32", "%d", before,
           " OUT:", [](auto a) { return a % 32 < 8 ? 0 : 0xffffff00ULL; });
}

inline void add_matches(Cases& c) {
  for (const bool wide : {false, true}) {
    const std::string type = wide ? ".b64" : ".b32", source = wide ? "%o" : "%b";
    const std::string before = wide ? "cvt.u64.u32 %o, %b; shl.b64 %o, %o, 40; " : "";
    add_flow(c, "match.any.sync" + type, "%d, " + source + ", -1", before, "", [](auto a) {
      std::uint64_t m = 0;
      for (std::uint64_t k = 0; k < 32; ++k)
        if ((a / 32 * 32 + k) % 3 == a % 3) m |= 1ULL << k;
      return m;
    });
    add_flow(c, "match.all.sync" + type, "%d|%p, " + source + ", -1",
             before + "setp.eq.u32 %p, 1, 1; ", " @%p mov.u32 %d, 99;", [](auto) { return 0; });
    add_flow(c, "match.all.sync" + type, std::string("%d|%p, ") + (wide ? "%pa" : "%c") + ", -1",
             wide ? "mov.u64 %pa, 5; " : "", " @!%p mov.u32 %d, 99;",
             [](auto) { return 0xffffffffULL; });
  }
}

/// One lane of those that take part is elected, and all know which.
inline void add_elections(Cases& c) {
  add_flow(c, "elect.sync", "%d|%p, -1", "", " @%p add.u32 %d, %d, 500;",
           [](auto a) { return a % 32 == 0 ? 500 : 0; });
  add_flow(c, "elect.sync", "%d|%p, 0xffffff00",
           "mov.u32 %d, 0; and.b32 %y, %a, 31; setp.lt.u32 %q, %y, 8; @%q bra OUT; ",
           " @%p add.u32 %d, %d, 500; OUT:", [](auto a) {
             return a % 32 < 8 ? 0 : a % 32 == 8 ? 508 : 8;
           });
}

inline void add_reductions(Cases& c) {
  // Lanes 8 to 31 of a warp take part, with the thread and its negative.
  const std::string before =
      "mov.u32 %d, 0; neg.s32 %x, %a; and.b32 %y, %a, 31; setp.lt.u32 %q, %y, 8; @%q bra OUT; ";
  const auto with = [&](const std::string& spelling, const std::string& source, auto combine) {
    const bool negative = source == "%x";
    add_flow(c, "redux.sync." + spelling, "%d, " + source + ", 0xffffff00", before,
             " OUT:", [=](std::uint64_t a) -> std::uint64_t {
               if (a % 32 < 8) return 0;
               const auto value = [=](std::uint64_t lane) {
                 const auto thread = static_cast<std::uint32_t>(a / 32 * 32 + lane);
                 return negative ? 0 - thread : thread;
               };
               std::uint32_t all = value(8);
               for (std::uint64_t lane = 9; lane < 32; ++lane) all = combine(all, value(lane));
               return all;
             });
  };
  using Word = std::uint32_t;
  const auto smaller = [](Word a, Word b) {
    return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  };
  for (const char* const source : {"%a", "%x"}) {
    for (const char* const type : {"u32", "s32"})
      with(std::string("add.") + type, source, [](Word a, Word b) { return a + b; });
    with("min.u32", source, [](Word a, Word b) { return a < b ? a : b; });
    with("max.u32", source, [](Word a, Word b) { return a < b ? b : a; });
    with("min.s32", source, [=](Word a, Word b) { return smaller(a, b) ? a : b; });
    with("max.s32", source, [=](Word a, Word b) { return smaller(a, b) ? b : a; });
    with("and.b32", source, [](Word a, Word b) { return a & b; });
    with("or.b32", source, [](Word a, Word b) { return a | b; });
    with("xor.b32", source, [](Word a, Word b) { return a ^ b; });
  }
}

inline void add_shuffles(Cases& c) {
  for (const bool sync : {false, true})
    for (const unsigned width : {32u, 8u})
      for (const std::string mode : {"up", "down", "bfly", "idx"})
        for (const unsigned amount : {0u, 1u, 5u, 31u}) {
          const unsigned clamp = (32 - width) << 8 | (mode == "up" ? 0 : 31);
          add_flow(c, std::string("shfl.") + (sync ? "sync." : "") + mode + ".b32",
                   "%d|%p, %a, " + std::to_string(amount) + ", " + std::to_string(clamp) +
                       (sync ? ", -1" : ""),
                   "", " @!%p add.u32 %d, %d, 1000;", [=](std::uint64_t a) -> std::uint64_t {
                     const auto lane = static_cast<int>(a % 32), n = static_cast<int>(amount),
                                w = static_cast<int>(width), first = lane / w * w;
                     const int from = mode == "up"     ? lane - n
                                      : mode == "down" ? lane + n
                                      : mode == "bfly" ? lane ^ n
                                                       : first + n % w;
                     // bfly may reach down into an earlier segment, never up into a later one.
                     const bool inside = from < first + w && (mode == "bfly" || from >= first);
                     return inside ? a / 32 * 32 + static_cast<std::uint64_t>(from) : a + 1000;
                   });
        }
}

inline void add_barriers(Cases& c) {
  const auto red = [&](const std::string& name) {
    // 21 of the 64 threads have %b = 2.
    const std::string before = "setp.eq.u32 %p, %b, 2; ";
    add_flow(c, name + ".popc.u32", "%d, 1, %p", before, "", [](auto) { return 21; });
    add_flow(c, name + ".popc.u32", "%d, 3, 64, !%p", before, "", [](auto) { return 43; });
    add_flow(c, name + ".and.pred", "%q, 0, %p", before, " selp.u32 %d, 1, 0, %q;",
             [](auto) { return 0; });
    add_flow(c, name + ".or.pred", "%q, 15, 64, %p", before, " selp.u32 %d, 1, 0, %q;",
             [](auto) { return 1; });
  };
  // Warp 1 reads what warp 0 wrote before it came.
  const std::string write =
      ".shared .u32 box[1]; setp.lt.u32 %p, %a, 32; @%p st.shared.u32 [box], 41; mov.u32 %x, 64; ";
  const std::string read = " ld.shared.u32 %d, [box]; add.u32 %d, %d, 1;";
  for (const std::string bar : {"bar", "bar.cta", "barrier", "barrier.cta"})
    for (const std::string aligned : {"", ".aligned"}) {
      add_flow(c, bar + ".sync" + aligned, "2", write, read, [](auto) { return 42; });
      add_flow(c, bar + ".sync" + aligned, "%c, %x", write, read, [](auto) { return 42; });
      add_flow(c, bar + ".arrive" + aligned, "2, 64", write + "@!%p bra WAIT; ",
               " mov.u32 %d, 5; bra DONE; WAIT: bar.sync 2, 64;" + read + " DONE:", [](auto a) {
                 return a < 32 ? 5 : 42;
               });
      red(bar + ".red" + aligned);
    }
  for (const std::string aligned : {"", ".aligned"}) {
    for (const std::string order : {"", ".release", ".relaxed"})
      add_flow(c, "barrier.cluster.arrive" + order + aligned, "", write,
               " barrier.cluster.wait;" + read, [](auto) { return 42; });
    for (const std::string order : {"", ".acquire"})
      add_flow(c, "barrier.cluster.wait" + order + aligned, "", write + "barrier.cluster.arrive; ",
               read, [](auto) { return 42; });
  }
  const std::string box =
      ".shared .u32 box[1]; mov.u32 %x, box; mov.u64 %pa, box; "
      "cvta.shared.u64 %pb, %pa; st.shared.u32 [box], 7; ";
  add_flow(c, "mapa.shared::cluster.u32", "%y, %x, 0", box, " ld.shared::cluster.u32 %d, [%y];",
           [](auto) { return 7; });
  add_flow(c, "mapa.shared::cluster.u64", "%pc, %pa, 0", box, " ld.shared::cluster.u32 %d, [%pc];",
           [](auto) { return 7; });
  add_flow(c, "mapa.u64", "%pc, %pb, 0", box, " ld.u32 %d, [%pc];", [](auto) { return 7; });
  add_flow(c, "getctarank.shared::cluster.u32", "%d, %x", box, "", [](auto) { return 0; });
  add_flow(c, "getctarank.shared::cluster.u64", "%d, %pa", box, "", [](auto) { return 0; });
  add_flow(c, "getctarank.u64", "%d, %pb", box, "", [](auto) { return 0; });
  add_flow(c, "bar.warp.sync", "-1", "", " mov.u32 %d, %a;", [](auto a) { return a; });
  for (const char* fence : {"membar.cta",
                            "membar.gl",
                            "membar.sys",
                            "fence.sc.cta",
                            "fence.sc.gpu",
                            "fence.sc.sys",
                            "fence.acq_rel.cta",
                            "fence.acq_rel.gpu",
                            "fence.acq_rel.sys",
                            "fence.cta",
                            "fence.gpu",
                            "fence.sys",
                            "fence.cluster",
                            "fence.sc.cluster",
                            "fence.acq_rel.cluster",
                            "fence.mbarrier_init.release.cluster",
                            "fence.proxy.async",
                            "fence.proxy.async.global",
                            "fence.proxy.async.shared::cta",
                            "fence.proxy.async.shared::cluster"})
    add_flow(c, fence, "", "", " mov.u32 %d, %a;", [](auto a) { return a; });
}

inline void add_control(Cases& c) {
  const OfThread same = [](auto a) { return a; };
  add_flow(c, "bra", "ODD", "and.b32 %x, %a, 1; setp.ne.u32 %p, %x, 0; mov.u32 %d, 1; @%p ",
           " mov.u32 %d, 2; ODD: add.u32 %d, %d, %a;",
           [](auto a) { return a + (a % 2 == 1 ? 1 : 2); });
  add_flow(c, "bra.uni", "ON", "mov.u32 %d, %a; ", " mov.u32 %d, 7; ON:", same);
  for (const char* uni : {"", ".uni"}) {
    add_flow(c, std::string("brx.idx") + uni, "%b, T", "T: .branchtargets A, B, C; ",
             " A: mov.u32 %d, 10; bra E; B: mov.u32 %d, 20; bra E; C: mov.u32 %d, 30; E:",
             [](auto a) { return 10 + 10 * (a % 3); });
    c.push_back({std::string("call") + uni, [uni] {
                   DeviceMemory memory(1 << 16);
                   Module module(
                       header() +
                           ".func (.param .b32 r) sum(.param .align 4 .b8 s[12], .param .b32 n) { "
                           ".reg .b32 %r<9>; ld.param.u32 %r1, [s+8]; ld.param.u32 %r2, [n]; "
                           "add.u32 %r1, %r1, %r2; st.param.b32 [r], %r1; ret" +
                           uni +
                           "; }\n.visible .entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 "
                           "%rd<5>; ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; .param .align 4 "
                           ".b8 s[12]; .param .b32 n; .param .b32 r; st.param.u32 [s+8], 100; "
                           "st.param.u32 [n], %r1; call" +
                           uni +
                           " (r), sum, (s, n); ld.param.u32 %r2, [r]; mul.wide.u32 %rd2, %r1, 4; "
                           "add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r2; ret; }",
                       "call.ptx");
                   module.bind(memory);
                   const Addr out = memory.allocate(128);
                   run_functional(
                       *make_grid(module, "k", {1}, {32}, 0, Arguments().add(out).bytes(), memory));
                   for (unsigned i = 0; i < 32; ++i)
                     EXPECT_EQ(reinterpret_cast<const std::uint32_t*>(DeviceMemory::host(out))[i],
                               100 + i);
                 }});
    // Lanes that end leave no result.
    add_flow(c, std::string("ret") + uni, "", "setp.gt.u32 %p, %a, 40; @%p ", " add.u32 %d, %a, 1;",
             [](auto a) { return a > 40 ? 0 : a + 1; });
  }
  add_flow(c, "exit", "", "setp.gt.u32 %p, %a, 40; @%p ", " add.u32 %d, %a, 1;",
           [](auto a) { return a > 40 ? 0 : a + 1; });
  for (const char* nothing : {"brkpt", "griddepcontrol.wait", "griddepcontrol.launch_dependents",
                              "nanosleep.u32", "pmevent", "pmevent.mask"})
    add_flow(c, nothing, *nothing == 'b' || *nothing == 'g' ? "" : "3", "", " mov.u32 %d, %a;",
             same);
  c.push_back(
      {"trap", [] {
         const auto error =
             error_of([] { evaluate("setp.eq.u32 %p, %a, 3; @%p trap;", {}, threads().a); });
         EXPECT_NE(error.find("`trap`, CTA (0,0,0) thread (3,0,0): the program executed trap"),
                   std::string::npos)
             << error;
       }});
}

}  // namespace conformance

inline Cases flow_cases() {
  Cases c;
  conformance::add_votes(c);
  conformance::add_matches(c);
  conformance::add_shuffles(c);
  conformance::add_reductions(c);
  conformance::add_elections(c);
  conformance::add_barriers(c);
  conformance::add_control(c);
  return c;
}

}  // namespace warpmem::program::ptx
