// SPDX-License-Identifier: Apache-2.0
#include "l1d/params.hpp"

#include "base/quantity.hpp"
#include "cache/bank_use.hpp"

namespace warpmem::l1d {

namespace {
constexpr unsigned kMostMissPorts = 8;
}

void L1dParams::describe(Schema& s) {
  s.flag("enable", enable,
         "whether there is an L1D; false: every request goes to L2, local memory too", "DL Fig 11");
  const auto with_l1d = [&](const std::function<void()>& body) {
    s.only_noted_if(
        "l1d.enable: true", [this] { return enable; }, body);
  };
  s.size("unified", unified, {0, 1 << 20},
         "bytes of data that L1D and shared memory of an SM have together, divided anew at each "
         "launch; 0 = each has its own (l1d.size, sm.shared_memory)",
         "0: Fermi, Kepler with l1d.size of 16 and 48 KiB; Volta: 128 KiB");
  s.only_if(
      "l1d.unified other than 0", [this] { return unified != 0; },
      [&] {
        s.text("carveout", carveout,
               "what of l1d.unified is shared memory, and L1D has the rest: auto, the smallest of "
               "l1d.carveout_steps that holds the blocks of the kernel that fit an SM; or a size, "
               "rounded up to a step, or to one that holds a block",
               "CUDA C++ Programming Guide, compute capability 7.x");
        s.text("carveout_steps", carveout_steps,
               "sizes of shared memory that the chip has, ascending, separated by commas",
               "CUDA C++ Programming Guide: Volta");
      });
  with_l1d([&] {
    s.only_if(
        "l1d.unified: 0", [this] { return unified == 0; },
        [&] {
          s.size("size", size, {1024, 1 << 20}, "bytes of data that each SM's L1D holds",
                 "DL Table 2");
        });
    s.integer("ways", ways, {1, cache::kMaxWays}, "ways of L1D: the lines of each of its sets",
              "DL Table 2");
  });
  s.integer("line", line_bytes, {32, 128, true}, "bytes of an L1D line", "DL Table 2");
  with_l1d([&] {
    describe_sectors(s, "l1d");
    s.choice("index", index,
             {{"linear", cache::IndexHash::linear},
              {"xor", cache::IndexHash::xor5},
              {"polynomial", cache::IndexHash::polynomial}},
             "where the number of a set comes from: the line's address, the same with its five "
             "lowest bits XOR the five bits above the index, or its residue by an irreducible "
             "polynomial over GF(2); modulo the sets",
             "BU section V; polynomial: Rau, ISCA 1991");
    replacement.describe(s);
    describe_allocate(s, "l1d");
    s.choice(
        "write", write,
        {{"through_evict", Write::through_evict}, {"through_update", Write::through_update}},
        "what a store of global memory, which goes to L2, does to the line that it hits: drop it, "
        "or write its bytes there too",
        "through_evict: MR 2, Fermi; through_update: NVIDIA, Volta white paper (2017)");
    s.only_if(
        "l1d.write: through_update", [this] { return write == Write::through_update; },
        [&] {
          s.choice(
              "write_miss", write_miss,
              {{"pass", WriteMiss::pass}, {"allocate", WriteMiss::allocate}},
              "a store that finds none of the sectors that it writes only goes to L2 (in local "
              "memory it fetches them); or its bytes take a line as well, and the others are "
              "fetched when one of them is read",
              "chosen; allocate: NVIDIA, Volta white paper (2017), GPGPU-Sim 4 class");
        });
    s.choice("keep", keep, {{"all", Keep::all}, {"prefetches", Keep::prefetches}},
             "which misses of global memory leave their line in L1D; prefetches: L1D is a prefetch "
             "cache, in which the other misses only merge",
             "KI 4.4.2");
    s.integer("hit_cycles", hit_cycles, {1, 256},
              "SM cycles from the acceptance of a hit to its response",
              "MR section 7: 1-cycle hit latency");
  });
  s.integer("banks", banks, {1, cache::BankUse::kWordBanks, true},
            "banks of L1D; 1: it takes a request a cycle, whatever its size. More: each serves a "
            "32 B sector a cycle, or a word (l1d.bank_width), those of a line lie in successive "
            "banks, and requests of one instruction go together when their banks are free; as many "
            "answers go back in a cycle",
            "1: Fermi; NVIDIA, Volta white paper (2017): 128 B a cycle; GPGPU-Sim 4 class: 4");
  s.only_if(
      "l1d.banks > 1", [this] { return banks > 1; },
      [&] {
        s.choice(
            "bank_width", bank_width,
            {{"sector", cache::BankWidth::sector}, {"word", cache::BankWidth::word}},
            "what a bank serves in a cycle: a sector of 32 B, whatever a request wants of it; "
            "or a word of 4 B, as in shared memory, so that requests go together whose lanes "
            "want words of different banks, of which there are 32 then",
            "sector: GPGPU-Sim 4 class; word: measured on an H200 (workloads/micro/gather.cu)");
        s.integer(
            "lookups", lookups, {0, 32},
            "lines of a cycle, a tag lookup each, for which requests are accepted; the LSU "
            "sends those of an instruction for a line one after the other then; 0: any number",
            "0: GPGPU-Sim 4 class; 4: measured on an H200 (workloads/micro/gather.cu)");
        s.integer("miss_ports", miss_ports, {1, kMostMissPorts},
                  "requests of one cycle that may be other than hits: ports of the miss "
                  "handler, and of the queue to L2",
                  "chosen; as l1d.banks: GPGPU-Sim 4 class");
        s.choice("drain", drain, {{"target", cache::Drain::target}, {"line", cache::Drain::line}},
                 "what a fill answers in a cycle: one of the requests that wait for it; or those "
                 "whose bytes are a line together, as an instruction's requests for sectors that "
                 "are next to each other in one line take a cycle in all",
                 "target: GPGPU-Sim 4 class; line: 128 B a cycle as for hits (NVIDIA, Volta white "
                 "paper)");
      });
  s.integer("input_queue", input_queue, {1, 256},
            "requests of the LSU that may wait for the tag lookup of L1D", "chosen");
  s.integer(
      "miss_queue", miss_queue, {2, 256},
      "requests of L1D that may wait for the crossbar: fetches, stores, bypasses, write-backs",
      "GPGPU-Sim class");
  s.integer("response_queue", response_queue, {1, 256},
            "responses from the crossbar that may wait for L1D", "GPGPU-Sim class");
  s.integer("outstanding_writes", outstanding_writes, {1, 4096},
            "stores, atomics and bypassed loads of an L1D that may be without an answer from L2",
            "1024: GPGPU-Sim has no such limit");
  s.choice(
      "store_packet", store_packet,
      {{"segment", StorePacket::segment}, {"line", StorePacket::line}},
      "what a store or an atomic carries to L2 besides its header: the least aligned 32, 64 or "
      "128 B with what its lanes write, or all of its request, a line unless "
      "sm.coalescer.granularity makes smaller ones",
      "MR section 3: up to 136 B with the header; GPGPU-Sim class");
  frontend.describe_l1d(s);
  s.group("bypass", "loads that do not wait for the cache", [&] {
    with_l1d([&] {
      s.choice("kind", bypass,
               {{"none", cache::Bypass::none},
                {"associativity", cache::Bypass::associativity},
                {"any_rf", cache::Bypass::any_rf},
                {"bucl_dyn", cache::Bypass::bucl_dyn},
                {"bucl_prf", cache::Bypass::bucl_prf}},
               "which loads of global memory go straight to L2 and fill nothing: those that L1D "
               "refuses for this reservation fail or for any; un-coalesced ones by BUCL, whose "
               "threshold adapts (bucl_dyn) or is profiled (bucl_prf)",
               "MR 3.4, BU section IV");
    });
    s.choice("fetch", bypass_fetch,
             {{"segment", BypassFetch::segment}, {"line", BypassFetch::line}},
             "what a load that goes straight to L2 (by l1d.bypass.kind, as volatile, or with "
             "l1d.enable: false) asks for: the least aligned 32, 64 or 128 B with what its lanes "
             "want, or all of its request, a line unless sm.coalescer.granularity makes smaller "
             "ones",
             "CUDA C++ Programming Guide, compute capability 2.x; GPGPU-Sim class");
    with_l1d([&] {
      s.only_if(
          "l1d.bypass.kind: bucl_dyn or bucl_prf", [this] { return uses_bucl(); },
          [&] {
            s.group("bucl", "bypassing of un-coalesced loads", [&] {
              bucl.describe(s, [this] { return bypass == cache::Bypass::bucl_prf; });
            });
          });
    });
  });
  with_l1d([&] {
    s.group("prefetch", "hardware prefetching of lines of global memory",
            [&] { prefetch.describe(s); });
    s.group("observe", "statistics that cost time and change no cycle", [&] {
      s.flag("locality", observe_locality,
             "count the class of each access by the warp that brought the line, and why lines that "
             "miss had been evicted; the schedulers laws, laws_th, laws_nmd and ccws go by it, so "
             "that it is always counted with them",
             "KI Fig 2.11, MR Fig 4");
      s.flag("reuse", observe_reuse,
             "count the lines that are hit before they leave, by the un-coalescing degree of the "
             "load that brought them",
             "BU Fig 5");
    });
    mshr.describe(s, "l1d.mshr", [this] { return sectored(); });
  });
}

L1dParams L1dParams::effective() const {
  L1dParams all = *this;
  if (enable) return all;
  const L1dParams defaults;
  all.size = defaults.size;
  all.ways = defaults.ways;
  all.sector_bytes = defaults.sector_bytes;
  all.fetch_bytes = defaults.fetch_bytes;
  all.index = defaults.index;
  all.replacement = defaults.replacement;
  all.allocate = defaults.allocate;
  all.write = defaults.write;
  all.write_miss = defaults.write_miss;
  all.keep = defaults.keep;
  all.hit_cycles = defaults.hit_cycles;
  all.bypass = defaults.bypass;
  all.bucl = defaults.bucl;
  all.prefetch = defaults.prefetch;
  all.observe_locality = defaults.observe_locality;
  all.observe_reuse = defaults.observe_reuse;
  all.mshr = defaults.mshr;
  return all;
}

void L1dParams::validate(Problems& problems) const { effective().validate_effective(problems); }

void L1dParams::validate_effective(Problems& problems) const {
  if (uses_bucl()) bucl.validate(problems);
  if (keep == Keep::prefetches && mshr.shares_tags()) {
    problems.add("l1d.keep", "prefetches with misses that share the tags of lines; allowed: all");
  }
  if (prefetch.enabled() && misses_by_sector())
    problems.add("l1d.mshr.granularity",
                 "sector with l1d.prefetch, which brings whole lines; allowed: line");
  if (banks > 1) validate_banks(problems);
  if (unified == 0) {
    validate_cache(problems, "l1d");
  } else {
    validate_unified(problems);
  }
}

void L1dParams::validate_banks(Problems& problems) const {
  if (frontend.kind != cache::FrontendKind::fifo || !frontend.added.empty())
    problems.add("l1d.banks", std::to_string(banks) +
                                  " with an l1d.frontend.kind that offers one request a cycle; "
                                  "allowed: 1, or l1d.frontend.kind: none");
  const bool any_port = mshr.added.empty() && (mshr.kind == mha::Kind::conventional ||
                                               mshr.kind == mha::Kind::set_associative);
  if (bank_width == cache::BankWidth::word && banks != cache::BankUse::kWordBanks)
    problems.add("l1d.bank_width", "word with " + std::to_string(banks) +
                                       " in l1d.banks; allowed: sector, or l1d.banks: 32");
  if (bank_width == cache::BankWidth::sector && banks > cache::BankUse::kMaxSectorBanks)
    problems.add("l1d.banks", std::to_string(banks) +
                                  " of a sector each; allowed: at most 8, or l1d.bank_width: word");
  if (miss_ports > banks)
    problems.add("l1d.miss_ports", std::to_string(miss_ports) + " with " + std::to_string(banks) +
                                       " in l1d.banks; allowed: at most as many");
  if (miss_ports > 1 && !any_port)
    problems.add("l1d.miss_ports",
                 std::to_string(miss_ports) +
                     " with an l1d.mshr.kind whose units take one miss a cycle; allowed: 1, or "
                     "l1d.mshr.kind: conventional or set_associative");
  if (drain == cache::Drain::line && !any_port)
    problems.add("l1d.drain",
                 "line with an l1d.mshr.kind whose units let one target go a cycle; allowed: "
                 "target, or l1d.mshr.kind: conventional or set_associative");
}

Carveout L1dParams::division() const {
  Problems none;
  return read_carveout(carveout, carveout_steps, none);
}

// The tags are those of all bytes; a carve-out takes whole ways of every set.
void L1dParams::validate_unified(Problems& problems) const {
  const std::size_t before = problems.list().size();
  L1dParams whole = *this;
  if (enable) whole.size = unified;
  whole.validate_cache(problems, "l1d", "unified");
  if (enable && write == Write::through_evict)
    problems.add("l1d.write",
                 "through_evict, as on Fermi, with l1d.unified, as since Volta; allowed: "
                 "through_update, or l1d.unified: 0");
  const Carveout parts = read_carveout(carveout, carveout_steps, problems);
  if (problems.list().size() != before) return;
  const auto text = [](std::uint64_t bytes) { return format_quantity(QuantityKind::bytes, bytes); };
  for (const std::uint64_t step : parts.steps) {
    if (step < unified && (!enable || (unified - step) % way_bytes() == 0)) continue;
    const std::string left = step < unified ? text(unified - step) : "nothing";
    return problems.add("l1d.carveout_steps",
                        text(step) + " of l1d.unified " + text(unified) + " leaves " + left +
                            " for L1D; allowed: what leaves whole ways of " + text(way_bytes()) +
                            " (l1d.unified / l1d.ways), at least one");
  }
  if (parts.size.value_or(0) > parts.largest())
    problems.add("l1d.carveout", text(*parts.size) + " of l1d.unified " + text(unified) +
                                     "; allowed: auto, or at most the largest of "
                                     "l1d.carveout_steps, " +
                                     text(parts.largest()));
}

}  // namespace warpmem::l1d
