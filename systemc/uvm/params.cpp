// SPDX-License-Identifier: Apache-2.0
#include "uvm/params.hpp"

#include <string>

namespace warpmem::uvm {

void TlbParams::validate(Problems& problems, const char* key) const {
  if (entries % ways != 0) {
    problems.add(std::string(key) + ".entries", std::to_string(entries) + " entries in sets of " +
                                                    std::to_string(ways) +
                                                    "; allowed: a multiple of " + key + ".ways");
  } else if ((entries / ways & (entries / ways - 1)) != 0) {
    problems.add(std::string(key) + ".entries",
                 std::to_string(entries / ways) + " sets; allowed: a power of two");
  }
}

void UvmParams::describe(Schema& s) {
  s.flag("enable", enable,
         "whether addresses are translated and memory of cudaMallocManaged migrates on demand",
         "chosen: off");
  s.only_noted_if(
      "uvm.enable: true", [this] { return enable; },
      [&] {
        s.flag("manage_all", manage_all,
               "cudaMalloc gives managed memory too: programs with explicit copies run on demand "
               "paging as they are",
               "chosen");
        s.flag(
            "move_ahead", move_ahead,
            "all managed memory moves to the device before every launch, as if the program called "
            "cudaMemPrefetchAsync for it",
            "chosen");
        s.size("page", page_bytes, {4096, 2 << 20, true},
               "bytes of a page, the unit of translation and migration: 4 KiB, 64 KiB or 2 MiB",
               "GU Table 4.1");
        s.choice<PrefetchKind>("prefetch", prefetch,
                               {{"none", PrefetchKind::none},
                                {"random", PrefetchKind::random},
                                {"sequential", PrefetchKind::sequential},
                                {"tree", PrefetchKind::tree},
                                {"cap", PrefetchKind::cap}},
                               "which pages migrate together with a faulting one", "GU 4.3.1");
        s.choice<EvictKind>("evict", evict,
                            {{"random", EvictKind::random},
                             {"sequential", EvictKind::sequential},
                             {"nvidia", EvictKind::nvidia},
                             {"tree", EvictKind::tree},
                             {"ture", EvictKind::ture}},
                            "which pages leave when device memory is full", "GU 4.3.2");
        s.real("oversubscription", oversubscription, {0, 64},
               "managed footprint / device memory (1.25: 125 %), which sets the device memory of "
               "managed pages; 0 = what memory.size leaves",
               "GU 4.5");
        s.size("host_memory", host_bytes, {1 << 20, std::uint64_t(1) << 40},
               "bytes of host memory; managed footprint and device allocations together may take "
               "these and device memory",
               "chosen");
        s.integer("seed", seed, {0, 0xffffffff},
                  "seed of the random prefetcher and of the random evictor", "chosen");
        s.group("cap", "the capacity-aware prefetcher", [&] {
          s.only_noted_if(
              "uvm.prefetch: cap", [this] { return prefetch == PrefetchKind::cap; },
              [&] { cap.describe(s); });
        });
        s.group("ture", "the eviction that reflects true usage", [&] {
          s.only_noted_if(
              "uvm.evict: ture", [this] { return evict == EvictKind::ture; },
              [&] { ture.describe(s); });
        });
        s.group("tlb", "translation look-aside buffer of each SM", [&] {
          s.integer("entries", tlb.entries, {1, 65536}, "translations that the TLB of an SM holds",
                    "chosen");
          s.integer("ways", tlb.ways, {1, 1024},
                    "ways of an SM's TLB: the translations of each of its sets", "chosen");
          s.integer("misses", tlb_misses, {1, 4096},
                    "pages whose translation an SM waits for at a time", "chosen");
          s.integer("held", tlb_held, {1, 65536},
                    "requests of an SM that may wait for a translation", "chosen");
          s.integer("queue", tlb_requests, {1, 1024},
                    "requests from the LSU that may wait for the TLB of an SM", "chosen");
        });
        s.group("l2_tlb", "translation look-aside buffer that the SMs share", [&] {
          s.integer("entries", l2_tlb.entries, {1, 1 << 20},
                    "translations that the shared TLB holds", "chosen");
          s.integer("ways", l2_tlb.ways, {1, 1024},
                    "ways of the shared TLB: the translations of each of its sets", "chosen");
          s.integer("latency", l2_tlb_cycles, {1, 4096}, "SM cycles of a look-up in the shared TLB",
                    "chosen");
        });
        s.group("walk", "page-table walks", [&] {
          s.integer("concurrent", walks, {1, 4096},
                    "page-table walks that may be under way at a time", "chosen");
          s.integer("cycles", walk_cycles, {1, 65536}, "SM cycles of a page-table walk",
                    "GU Table 4.1");
        });
        s.group("fault", "far faults", [&] {
          s.choice<FaultHandling>(
              "handling", handling,
              {{"single", FaultHandling::single}, {"batch", FaultHandling::batch}},
              "whether the host handles far faults one at a time or in batches", "GU 4.2.1");
          s.only_noted_if(
              "uvm.fault.handling: batch", [this] { return handling == FaultHandling::batch; },
              [&] {
                s.integer("batch", batch, {1, 65536}, "largest number of faults in a batch",
                          "chosen");
              });
          s.integer("latency_ns", fault_nanoseconds, {1, 1'000'000'000},
                    "nanoseconds that the host takes to handle a fault or a batch", "GU Table 4.1");
          s.integer("mshrs", fault_mshrs, {1, 1 << 20},
                    "pages whose far fault may be outstanding at a time", "chosen");
          s.integer("buffer", fault_buffer, {1, 1 << 20},
                    "far faults that may wait until the host takes them", "chosen");
        });
        s.group("pcie", "link to the host, one of these in each direction", [&] {
          s.integer("bandwidth", pcie_megabytes, {1, 1'000'000},
                    "effective bandwidth of transfers of 1 MiB and more in each direction, MB/s",
                    "GU Fig 4.2");
          s.integer("queue", pcie_queue, {1, 4096},
                    "transfers that may wait at each direction of the link", "chosen");
        });
      });
}

void UvmParams::validate(Problems& problems) const {
  if (!enable) return;
  if (page_bytes != 4096 && page_bytes != 65536 && page_bytes != 2 << 20)
    problems.add("uvm.page", std::to_string(page_bytes) + " B; allowed: 4 KiB, 64 KiB, 2 MiB");
  cap.validate(problems, "uvm.cap");
  ture.validate(problems, "uvm.ture");
  tlb.validate(problems, "uvm.tlb");
  l2_tlb.validate(problems, "uvm.l2_tlb");
}

}  // namespace warpmem::uvm
