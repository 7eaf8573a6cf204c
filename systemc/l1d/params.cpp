// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "l1d/l1d.hpp"

namespace warpmem::l1d {

void L1d::Params::describe(Schema& s) {
  s.flag("enable", enable, "false: every request goes to L2, local memory too", "DL Fig 11");
  s.size("size", size, {1024, 1 << 20}, "bytes", "DL Table 2");
  s.integer("ways", ways, {1, 64}, "lines a set", "DL Table 2");
  s.integer("line", line_bytes, {32, 128, true}, "bytes of a line", "DL Table 2");
  s.choice("index", index, {{"linear", mha::IndexHash::linear}, {"xor", mha::IndexHash::xor5}},
           "set index: low block address bits, or their five lowest XOR the five bits above the "
           "index",
           "BU section V");
  s.only_noted_if(
      "l1d.mshr.kind: conventional, set_associative or dl", [this] { return !mshr.shares_tags(); },
      [&] {
        s.choice(
            "allocate", allocate,
            {{"on_miss", mha::Allocate::on_miss}, {"on_fill", mha::Allocate::on_fill}},
            "when a miss takes its line; tsma takes it on the miss, htsma's s-MSHR on the fill",
            "SPEC 1.2");
      });
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
  s.group("frontend", "what reorders requests before the cache", [&] {
    s.choice("kind", frontend, {{"none", Frontend::none}, {"mrpb", Frontend::mrpb}},
             "request queues in front of the cache", "SPEC 3.1");
    s.only_if(
        "l1d.frontend.kind: mrpb", [this] { return frontend == Frontend::mrpb; },
        [&] {
          s.group("mrpb", "memory request prioritization buffer", [&] { mrpb.describe(s); });
        });
  });
  s.group("bypass", "loads that do not wait for the cache", [&] {
    s.choice("kind", bypass,
             {{"none", Bypass::none},
              {"associativity", Bypass::associativity},
              {"any_rf", Bypass::any_rf},
              {"bucl_dyn", Bypass::bucl_dyn},
              {"bucl_prf", Bypass::bucl_prf}},
             "which loads of global memory go straight to L2 and fill nothing: those with this "
             "reservation fail; un-coalesced ones by BUCL, whose threshold adapts or is profiled",
             "MR 3.4, BU section IV");
    s.choice("fetch", bypass_fetch,
             {{"segment", BypassFetch::segment}, {"line", BypassFetch::line}},
             "what any load asks L2 for that goes straight there (kind, volatile loads, enable: "
             "false): the least aligned 32, 64 or 128 B with what its lanes want, or its line",
             "CUDA C++ Programming Guide, compute capability 2.x; GPGPU-Sim class");
    s.only_if(
        "l1d.bypass.kind: bucl_dyn or bucl_prf",
        [this] { return bypass == Bypass::bucl_dyn || bypass == Bypass::bucl_prf; },
        [&] {
          s.group("bucl", "bypassing of un-coalesced loads",
                  [&] { bucl.describe(s, [this] { return bypass == Bypass::bucl_prf; }); });
        });
  });
  s.group("prefetch", "hardware prefetching of lines of global memory",
          [&] { prefetch.describe(s); });
  mshr.describe(s, "l1d.mshr");
}

void L1d::Params::validate(Problems& problems) const {
  const std::uint64_t way_bytes = std::uint64_t(ways) * line_bytes;
  const std::uint64_t sets = way_bytes == 0 ? 0 : size / way_bytes;
  if (sets == 0 || sets * way_bytes != size || (sets & (sets - 1)) != 0) {
    problems.add("l1d.size", std::to_string(size) + " bytes with " + std::to_string(ways) +
                                 " ways of " + std::to_string(line_bytes) +
                                 " B are not a power of two of sets; allowed: ways x line x 2^n");
  }
  if (bypass == Bypass::bucl_dyn || bypass == Bypass::bucl_prf) bucl.validate(problems);
  if (frontend == Frontend::mrpb) mrpb.validate(problems);
  if (keep == Keep::prefetches && mshr.shares_tags()) {
    problems.add("l1d.keep", "prefetches with misses that share the tags of lines; allowed: all");
  }
  mshr.validate(problems, "l1d.mshr");
}

}  // namespace warpmem::l1d
