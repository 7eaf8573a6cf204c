// SPDX-License-Identifier: Apache-2.0
#include "l2/params.hpp"

namespace warpmem::l2 {

L2Params::L2Params() {
  size = 128 * 1024;
  ways = 16;
  hit_cycles = 10;
  mshr.entries = 32;
  mshr.slots = 4;
}

void L2Params::describe(Schema& s) {
  s.size("size", size, {1024, 64 << 20}, "bytes of data that each L2 bank holds", "DL Table 2");
  s.integer("ways", ways, {1, cache::kMaxWays}, "ways of an L2 bank: the lines of each of its sets",
            "DL Table 2");
  s.integer("line", line_bytes, {32, 128, true}, "bytes of an L2 line", "DL Table 2");
  describe_sectors(s, "l2");
  s.only_noted_if(
      "l2.sector other than 0", [this] { return sectored(); },
      [&] {
        s.flag("hit_under_drain", hit_under_drain,
               "true: a read hits what has arrived while the reads that waited for it are still "
               "answered, and takes turns with them; false: it waits until they have left",
               "false: chosen; true: Accel-Sim, whose lines are valid from the fill on");
      });
  s.choice("index", index,
           {{"linear", cache::IndexHash::linear},
            {"xor", cache::IndexHash::xor5},
            {"polynomial", cache::IndexHash::polynomial}},
           "where the number of a set comes from: the line's number in its slice, the same with "
           "its five "
           "lowest bits XOR the five bits above the index, or its residue by an irreducible "
           "polynomial over GF(2); modulo the sets",
           "BU section V; polynomial: Rau, ISCA 1991");
  replacement.describe(s);
  describe_allocate(s, "l2");
  s.choice(
      "write_miss", write_miss,
      {{"fetch", WriteMiss::fetch},
       {"fetch_partial", WriteMiss::fetch_partial},
       {"validate", WriteMiss::validate},
       {"through_fetch", WriteMiss::through_fetch}},
      "a write that misses L2 fetches its line; or takes it without a fetch when it writes the "
      "whole line; or always, the bytes that nobody has written being fetched when one of them "
      "is read; or it goes to DRAM and fetches its line",
      "mechanisms 1.4");
  s.integer("hit_cycles", hit_cycles, {1, 1024},
            "cycles of L2 from the acceptance of a hit to its response", "chosen");
  s.integer("input_queue", input_queue, {1, 256},
            "requests from the crossbar that may wait for the tag lookup of an L2 bank",
            "GPGPU-Sim class");
  s.integer("miss_queue", miss_queue, {1, 256}, "fetches of an L2 bank that may wait for DRAM",
            "GPGPU-Sim class");
  s.integer("evict_buffer", evict_buffer, {1, 256},
            "dirty lines of an L2 bank that may be on their way to DRAM",
            "chosen: as many as the queue of a DRAM channel holds");
  s.integer("response_queue", response_queue, {1, 256},
            "responses from DRAM that may wait for an L2 bank", "GPGPU-Sim class");
  s.choice("memcpy", memcpy,
           {{"drop", HostCopy::drop}, {"keep", HostCopy::keep}, {"update", HostCopy::update}},
           "what a copy or a memset by the host does with the lines that it writes: L2 drops them, "
           "or holds them afterwards, clean, as if they had been fetched in the order of their "
           "addresses, or keeps those that it has and takes no others",
           "mechanisms 1.7; keep: Accel-Sim; update: Accel-Sim without gpgpu_perf_sim_memcpy");
  s.flag("footprint", footprint, "count the distinct lines that the program touches", "chosen");
  frontend.describe_l2(s);
  s.group("bypass", "reads that do not wait for the bank", [&] {
    s.choice("kind", bypass, {{"none", cache::Bypass::none}, {"any_rf", cache::Bypass::any_rf}},
             "a read whose miss the bank refuses goes to DRAM without filling: never, or on any "
             "reservation fail",
             "GU 2.5: resource-aware bypassing");
    s.only_if(
        "l2.bypass.kind: any_rf", [this] { return bypass == cache::Bypass::any_rf; },
        [&] {
          s.integer("reads", bypass_reads, {1, 256},
                    "reads that may be on their way past an L2 bank at a time",
                    "256: no source has a limit");
        });
  });
  s.group("atomic", "the atomic unit of an L2 bank", [&] {
    s.integer("lanes", atomic.lanes, {1, 32},
              "lanes of an instruction on one word that the unit serves in one operation; further "
              "ones make further operations, one after the other",
              "GPGPU-Sim class; Volta: 16, as 163840 threads on one word made 10240 operations on "
              "a Quadro GV100");
    s.integer("words", atomic.words, {1, 32},
              "operations of a request, on different words, that the unit does in one step",
              "GPGPU-Sim class: those of a line");
    s.integer("interval", atomic.interval, {1, 64},
              "cycles of L2 that the unit takes for a step before the next one", "GPGPU-Sim class");
  });
  s.group("coalescer", "the request coalescer between the crossbar and an L2 bank", [&] {
    s.integer("entries", coalescer.entries, {0, 1024},
              "entries of the request coalescer: requests to the bank that several reads of a line "
              "may share; 0 = there is no coalescer",
              "0: before Hopper; Accel-Sim has 1024 for H100, a guess");
    s.only_noted_if(
        "l2.coalescer.entries other than 0", [this] { return coalescer.entries != 0; },
        [&] {
          s.integer("merges", coalescer.merges, {1, 1024},
                    "reads that an entry of the coalescer answers, the one that opened it included",
                    "Accel-Sim, for H100");
        });
  });
  mshr.describe(s, "l2.mshr", [this] { return sectored(); });
}

void L2Params::validate(Problems& problems) const {
  validate_cache(problems, "l2");
  if (write_miss == WriteMiss::through_fetch && evict_buffer < 2)
    problems.add(
        "l2.evict_buffer",
        "1 with l2.write_miss: through_fetch, whose misses send a write and a victim; allowed: "
        "2..256, or another l2.write_miss");
}

}  // namespace warpmem::l2
