// SPDX-License-Identifier: Apache-2.0
#include "l1d/params.hpp"

namespace warpmem::l1d {

void L1dParams::describe(Schema& s) {
  s.flag("enable", enable, "false: every request goes to L2, local memory too", "DL Fig 11");
  s.size("size", size, {1024, 1 << 20}, "bytes", "DL Table 2");
  s.integer("ways", ways, {1, 64}, "lines a set", "DL Table 2");
  s.integer("line", line_bytes, {32, 128, true}, "bytes of a line", "DL Table 2");
  s.choice("index", index, {{"linear", cache::IndexHash::linear}, {"xor", cache::IndexHash::xor5}},
           "set index: low block address bits, or their five lowest XOR the five bits above the "
           "index",
           "BU section V");
  replacement.describe(s);
  describe_allocate(s, "l1d");
  s.choice(
      "keep", keep, {{"all", Keep::all}, {"prefetches", Keep::prefetches}},
      "whose misses of global memory leave their line here; prefetches: L1D is a prefetch cache, "
      "and misses only merge",
      "KI 4.4.2");
  s.integer("hit_cycles", hit_cycles, {1, 256}, "cycles from acceptance of a hit to its response",
            "MR section 7: 1-cycle hit latency");
  s.integer("input_queue", input_queue, {1, 256}, "requests that wait for the tag lookup",
            "chosen");
  s.integer("miss_queue", miss_queue, {2, 256},
            "requests that wait for the crossbar: fetches, stores, bypasses, write-backs",
            "GPGPU-Sim class");
  s.integer("response_queue", response_queue, {1, 256}, "responses that wait, from the crossbar",
            "GPGPU-Sim class");
  s.integer("outstanding_writes", outstanding_writes, {1, 4096},
            "stores, atomics and bypassed loads without an answer from L2", "chosen");
  frontend.describe_l1d(s);
  s.group("bypass", "loads that do not wait for the cache", [&] {
    s.choice("kind", bypass,
             {{"none", cache::Bypass::none},
              {"associativity", cache::Bypass::associativity},
              {"any_rf", cache::Bypass::any_rf},
              {"bucl_dyn", cache::Bypass::bucl_dyn},
              {"bucl_prf", cache::Bypass::bucl_prf}},
             "which loads of global memory go straight to L2 and fill nothing: those with this "
             "reservation fail; un-coalesced ones by BUCL, whose threshold adapts or is profiled",
             "MR 3.4, BU section IV");
    s.choice("fetch", bypass_fetch,
             {{"segment", BypassFetch::segment}, {"line", BypassFetch::line}},
             "what any load asks L2 for that goes straight there (kind, volatile loads, enable: "
             "false): the least aligned 32, 64 or 128 B with what its lanes want, or its line",
             "CUDA C++ Programming Guide, compute capability 2.x; GPGPU-Sim class");
    s.only_if(
        "l1d.bypass.kind: bucl_dyn or bucl_prf", [this] { return uses_bucl(); },
        [&] {
          s.group("bucl", "bypassing of un-coalesced loads",
                  [&] { bucl.describe(s, [this] { return bypass == cache::Bypass::bucl_prf; }); });
        });
  });
  s.group("prefetch", "hardware prefetching of lines of global memory",
          [&] { prefetch.describe(s); });
  s.group("observe", "statistics that cost time and change no cycle", [&] {
    s.flag(
        "locality", observe_locality,
        "class of each access by the warp that brought the line, and why misses had been evicted; "
        "laws, laws_th, laws_nmd and ccws need it",
        "KI Fig 2.11, MR Fig 4");
    s.flag("reuse", observe_reuse,
           "lines that are hit before they leave, by the degree of the load that brought them",
           "BU Fig 5");
  });
  mshr.describe(s, "l1d.mshr");
}

void L1dParams::validate(Problems& problems) const {
  if (uses_bucl()) bucl.validate(problems);
  if (keep == Keep::prefetches && mshr.shares_tags()) {
    problems.add("l1d.keep", "prefetches with misses that share the tags of lines; allowed: all");
  }
  validate_cache(problems, "l1d");
}

}  // namespace warpmem::l1d
