// SPDX-License-Identifier: Apache-2.0
// What a launch and the watchdog ask of the cache, and its statistics.
#include <fmt/format.h>

#include "base/assert.hpp"
#include "l1d/l1d.hpp"

namespace warpmem::l1d {

bool L1d::idle() const {
  return engine_idle() && writebacks_in_flight_ == 0 && cta_ends_.empty() &&
         (!prefetch_ || prefetch_->empty());
}

void L1d::invalidate_all() {
  assert(idle());
  tags_.invalidate_all();
  if (locality_) locality_->forget();
  if (prefetch_) prefetch_->begin_launch();
}

void L1d::set_carveout(std::uint64_t bytes) {
  carveout_ = bytes;
  if (params_.enable)
    tags_.use_ways(static_cast<std::uint32_t>((params_.unified - bytes) / params_.way_bytes()));
}

void L1d::end_launch() {
  assert(idle());
  if (reuse_) reuse_->all_gone();
  if (prefetch_) prefetch_->end_launch();
}

unsigned L1d::most_requests() const {
  const unsigned of_a_miss =
      params_.misses_by_sector() ? 1 : params_.line_bytes / params_.bytes_of_fetch();
  return handler_->most_misses() * of_a_miss + params_.outstanding_writes + params_.miss_queue;
}

std::string L1d::describe() const {
  std::string text = describe_counts();
  text += fmt::format(", {} write-backs at L2", writebacks_in_flight_) + describe_rest();
  if (prefetch_) text += "\n    " + prefetch_->describe();
  return text;
}

void L1d::register_stats(StatRegistry& registry, unsigned index) {
  StatGroup& g = registry.group("l1d", index);
  g.series_clock("sm");
  const Stats& s = stats_;
  register_traffic(
      g, {"the LSU",
          allocates_writes()
              ? "loads and local stores: hits + primary_misses + secondary_misses + bypasses + "
                "placements"
              : "loads and local stores: hits + primary_misses + secondary_misses + bypasses"});
  if (params_.banks > 1) {
    g.counter("accept_cycles", s.accept_cycles, "cycles", "cycles in which requests were accepted");
    g.counter("accepted_together", s.accepted_together, "requests",
              "requests accepted in the cycle of an earlier one of their instruction");
    g.counter("bank_waits", s.bank_waits, "cycles",
              "cycles in which the oldest request left waited for a bank, for a port of the miss "
              "handler, or for the instruction before");
  }
  g.counter("bypasses", s.bypasses, "requests", "loads that went straight to L2");
  g.counter("bypasses.uncoalesced", s.degree_bypasses, "requests",
            "bypasses of loads with more requests than BUCL's threshold");
  g.counter("bypasses.refused", s.refused_bypasses, "requests",
            "bypasses of loads that the cache refused");
  g.counter("bypasses.bytes", s.bypass_bytes, "bytes", "bytes that bypasses asked L2 for");
  frontend_->register_stats(g, domain());
  g.ratio("hit_rate", s.hits, s.accesses, "hits / accesses");
  g.counter("write_accesses", s.write_accesses, "requests", "stores written through to L2");
  g.counter("write_evictions", s.write_evictions, "requests",
            params_.sectored() ? "stores written through that invalidated valid sectors of a line"
                               : "stores written through that invalidated a valid line");
  if (params_.write == Write::through_update)
    g.counter("write_updates", s.write_updates, "requests",
              "stores of global memory that were written into their line as well (l1d.write)");
  if (allocates_writes()) {
    g.counter("write_allocations", s.write_allocations, "requests",
              "write misses whose bytes were put into a line of L1D (l1d.write_miss)");
    g.counter("placements", s.placements, "requests",
              "local stores that took a line, or a sector that it lacked, without a fetch "
              "(l1d.write_miss)");
    if (!params_.sectored())
      g.counter("partial_misses", s.sector_misses, "requests",
                "primary misses on lines of which other bytes were there (l1d.write_miss)");
  }
  g.counter("write_misses", s.write_misses, "requests",
            "stores written through that found no valid line");
  g.counter("atomics", s.atomics, "requests", "atomics sent to L2");
  static constexpr std::array<const char*, 3> kPackets{"32", "64", "128"};
  for (std::size_t i = 0; i < kPackets.size(); ++i)
    g.counter(std::string("write_packets.up_to_") + kPackets[i], s.write_packets[i], "requests",
              std::string("stores and atomics that carried at most ") + kPackets[i] +
                  " B to L2, and more than the next smaller packet holds");
  g.counter("write_bytes", s.write_bytes, "bytes",
            "bytes that stores and atomics carried to L2, bytes without effect included");
  g.counter("closed_entries", s.closed_entries, "entries",
            "outstanding misses closed to merges by a store or an atomic to their line");
  g.counter("fills", s.fills, "lines", "lines that arrived from L2");
  g.counter("dropped_fills", s.dropped_fills, "lines",
            "fills that left no valid line: closed by a store, failed, or not to be kept");
  g.counter("evictions", s.evictions, "lines", "valid lines replaced");
  g.counter("writebacks", s.writebacks, "lines", "evictions of dirty local lines");
  g.counter("acknowledgements", s.acknowledgements, "responses",
            "answers of L2 to stores, atomics and bypassed loads");
  stall_.register_stats(
      g, domain(),
      {Stall::line_busy, Stall::mshr_search, Stall::response_full, Stall::outstanding_full});
  handler_->register_stats(g);
  if (locality_) locality_->register_stats(g);
  if (reuse_) reuse_->register_stats(g);
  if (prefetch_) prefetch_->register_stats(g);

  if (params_.unified != 0) {
    g.before_snapshot([this] {
      size_in_launch_ =
          params_.enable ? tags_.used_ways() * params_.way_bytes() : params_.unified - carveout_;
      carveout_in_launch_ = carveout_;
    });
    g.peak("size", size_in_launch_, "bytes", "bytes of data that L1D has beside the carve-out");
    g.peak("carveout", carveout_in_launch_, "bytes", "bytes of l1d.unified that are shared memory");
    g.law("the parts of a unified L1", [this] {
      return expect_equal("size + carveout", size_in_launch_ + carveout_in_launch_, "l1d.unified",
                          params_.unified);
    });
  }

  register_laws(g);
  g.law("requests by kind", [&s] {
    return expect_equal("requests", s.requests, "accesses + write_accesses + atomics + rejected",
                        s.accesses + s.write_accesses + s.atomics + s.rejected);
  });
  if (params_.banks > 1)
    g.law("requests by cycle", [&s] {
      return expect_equal("requests", s.requests, "accept_cycles + accepted_together",
                          s.accept_cycles + s.accepted_together);
    });
  if (locality_)
    g.law("accesses by locality", [this, &s] {
      return expect_equal("hits + primary_misses + secondary_misses",
                          s.hits + s.primary_misses + s.secondary_misses, "locality classes",
                          locality_->accesses());
    });
  g.law("stores by outcome", [&s] {
    return expect_equal("write_accesses", s.write_accesses,
                        "write_evictions + write_updates + write_misses",
                        s.write_evictions + s.write_updates + s.write_misses);
  });
  g.law("stores and atomics by packet", [&s] {
    return expect_equal("write_accesses + atomics", s.write_accesses + s.atomics, "write_packets",
                        s.write_packets[0] + s.write_packets[1] + s.write_packets[2]);
  });
  g.law("each primary miss and each prefetch has one fill", [&s] {
    return expect_equal("fills", s.fills, "primary_misses + prefetches",
                        s.primary_misses + s.prefetches);
  });
  g.law("forwarded requests are acknowledged", [&s] {
    return expect_equal("acknowledgements", s.acknowledgements,
                        "write_accesses + atomics + bypasses",
                        s.write_accesses + s.atomics + s.bypasses);
  });
}

}  // namespace warpmem::l1d
