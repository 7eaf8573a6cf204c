// SPDX-License-Identifier: Apache-2.0
// What the machine and the watchdog ask of the bank, and its statistics.
#include <fmt/format.h>

#include <algorithm>

#include "l2/l2_bank.hpp"

namespace warpmem::l2 {

bool L2Bank::idle() const {
  return engine_idle() && evicting_.empty() && (host_ == nullptr || host_->idle());
}

std::string L2Bank::describe() const {
  return describe_counts() +
         fmt::format(", {}/{} dirty lines leaving", evicting_.used(), evicting_.lines()) +
         (host_used_ == 0 ? "" : fmt::format(", {} requests to the host", host_used_)) +
         describe_rest();
}

void L2Bank::register_stats(StatRegistry& registry, unsigned index) {
  StatGroup& g = registry.group("l2", index);
  g.series_clock("l2");
  const Stats& s = stats_;
  const bool places =
      params_.write_miss == WriteMiss::fetch_partial || params_.write_miss == WriteMiss::validate;
  register_traffic(g, {"the crossbar",
                       places ? "hits + primary_misses + secondary_misses + bypasses + placements"
                              : "hits + primary_misses + secondary_misses + bypasses"});
  g.counter("bypasses", s.bypasses, "requests",
            "reads that went past the bank to DRAM (l2.bypass.kind)");
  if (places)
    g.counter(
        "placements", s.placements, "requests",
        "writes that took a line, or a sector that it lacked, without a fetch (l2.write_miss)");
  if (params_.write_miss == WriteMiss::validate && !params_.sectored())
    g.counter("partial_misses", s.sector_misses, "requests",
              "primary misses on lines of which other bytes were there (l2.write_miss)");
  if (params_.write_miss == WriteMiss::through_fetch)
    g.counter("write_throughs", s.write_throughs, "requests",
              "writes of misses that also went to DRAM (l2.write_miss)");
  if (params_.footprint)
    g.counter(
        "footprint_lines", s.footprint_lines, "lines",
        "lines that no access had touched before; times l2.line they are the memory footprint");
  if (params_.hit_under_drain)
    g.counter("hits_under_drain", s.hits_under_drain, "requests",
              "hits while requests that had waited for the fill were answered "
              "(l2.hit_under_drain)");
  g.ratio("hit_rate", s.hits, s.accesses, "hits / accesses");
  g.counter("reads", s.reads, "requests", "accesses that read");
  g.counter("writes", s.writes, "requests", "stores, and write-backs of L1D");
  g.counter("atomics", s.atomics, "requests", "atomics");
  g.counter("reductions", s.reductions, "requests", "atomics that return nothing");
  const AtomicUnit::Stats& unit = atomic_unit_.stats();
  g.counter("atomic.operations", unit.operations, "operations",
            "operations of the atomic unit: groups of at most l2.atomic.lanes lanes on one word");
  g.counter("atomic.busy_cycles", unit.busy_cycles, "cycles", "cycles in which the unit works");
  g.counter("write_bytes", s.write_bytes, "bytes",
            "bytes that writes and atomics brought, bytes without effect included");
  g.counter("fills", s.fills, "lines", "lines that arrived from DRAM");
  g.counter("failed_fills", s.failed_fills, "lines", "fills with an error status");
  g.counter(
      "fill_wait_cycles", s.fill_wait_cycles, "cycles",
      "cycles that a line which had arrived waited for a line to replace or for the evict buffer");
  if (params_.memcpy == HostCopy::keep)
    g.counter("host_lines", s.host_lines, "lines",
              "lines that copies by the host left since the launch before (l2.memcpy)");
  g.counter("evictions", s.evictions, "lines", "valid lines replaced");
  g.counter("writebacks", s.writebacks, "lines", "evictions of dirty lines, written to DRAM");
  stall_.register_stats(g, domain(),
                        {Stall::line_busy, Stall::mshr_search, Stall::response_full,
                         Stall::evict_full, Stall::atomic_busy});
  handler_->register_stats(g);
  frontend_->register_stats(g, domain());

  register_laws(g);
  g.law("requests by outcome", [&s] {
    return expect_equal("accesses + rejected + those to memory of the host",
                        s.accesses + s.rejected + s.host_requests, "requests", s.requests);
  });
  g.law("hits under a drain are hits of reads", [&s] {
    const std::uint64_t others =
        s.hits_under_drain - std::min({s.hits_under_drain, s.hits, s.reads});
    return expect_equal("hits_under_drain beyond hits and reads", others, "none", 0);
  });
  g.law("accesses by kind", [&s] {
    return expect_equal("accesses", s.accesses, "reads + writes + atomics",
                        s.reads + s.writes + s.atomics);
  });
  g.law("the atomic unit performs each atomic once", [&s, &unit] {
    return expect_equal("atomics", s.atomics, "requests of the atomic unit", unit.requests);
  });
  g.law("each primary miss has one fill",
        [&s] { return expect_equal("fills", s.fills, "primary_misses", s.primary_misses); });
  g.law("what goes past the bank is answered", [&s] {
    return expect_equal("bypasses + requests to memory of the host", s.bypasses + s.host_requests,
                        "acknowledgements", s.acknowledgements);
  });
}

}  // namespace warpmem::l2
