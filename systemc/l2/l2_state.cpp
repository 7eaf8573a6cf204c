// SPDX-License-Identifier: Apache-2.0
// What the machine and the watchdog ask of the bank, and its statistics.
#include <fmt/format.h>

#include "l2/l2_bank.hpp"

namespace warpmem::l2 {

using mha::Stall;

bool L2Bank::idle() const {
  return in.idle() && mem.idle() && frontend_->empty() && handler_->empty() && hits_.empty() &&
         fetches_.empty() && evicting_.empty() && bypassed_.empty() && fills_.empty();
}

std::string L2Bank::describe() const {
  std::string text = fmt::format(
      "{}: {} hits to answer, {}/{} fetches for DRAM, {}/{} dirty lines leaving, {} reads past the "
      "bank, {} fills of which {} drain",
      name(), hits_.size(), fetches_.size(), fetches_.capacity(), evicting_.used(),
      evicting_.lines(), bypassed_.used(), fills_.size(), fills_.placed());
  if (stall_.cause() != Stall::none)
    text += fmt::format("\n    request blocked by {} since cycle {}", mha::name_of(stall_.cause()),
                        stall_.since());
  if (const Payload* head = in.request())
    text += fmt::format("\n    head: {} 0x{:x}", head->is_write() ? "write" : "read",
                        head->get_address());
  return text + "\n    " + frontend_->describe() + "\n    " + in.describe() + "\n    " +
         mem.describe() + "\n    " + handler_->describe();
}

void L2Bank::register_stats(StatRegistry& registry, unsigned index) {
  StatGroup& g = registry.group("l2", index);
  const Stats& s = stats_;
  g.counter("requests", s.requests, "requests", "requests accepted from the crossbar");
  g.counter("responses", s.responses, "responses", "responses sent to the crossbar");
  g.counter("rejected", s.rejected, "requests", "requests answered with an error status");
  g.counter("accesses", s.accesses, "requests",
            "hits + primary_misses + secondary_misses + bypasses");
  g.counter("hits", s.hits, "requests", "accesses whose line was valid");
  g.counter("primary_misses", s.primary_misses, "requests", "accesses that fetched their line");
  g.counter("secondary_misses", s.secondary_misses, "requests",
            "accesses that merged into an outstanding miss");
  g.counter("bypasses", s.bypasses, "requests",
            "reads that went past the bank to DRAM (l2.bypass.kind)");
  if (params_.footprint)
    g.counter("footprint_lines", s.footprint_lines, "lines",
              "lines that no access had touched before: times l2.line, the memory footprint");
  g.ratio("hit_rate", s.hits, s.accesses, "hits / accesses");
  g.counter("reads", s.reads, "requests", "accesses that read");
  g.counter("writes", s.writes, "requests", "stores, and write-backs of L1D");
  g.counter("atomics", s.atomics, "requests", "atomics");
  g.counter("fills", s.fills, "lines", "lines that arrived from DRAM");
  g.counter("failed_fills", s.failed_fills, "lines", "fills with an error status");
  g.counter("fill_wait_cycles", s.fill_wait_cycles, "cycles",
            "a line that arrived waited for a line to replace or for the evict buffer");
  g.counter("evictions", s.evictions, "lines", "valid lines replaced");
  g.counter("writebacks", s.writebacks, "lines", "evictions of dirty lines, written to DRAM");
  stall_.register_stats(
      g, domain(), {Stall::line_busy, Stall::mshr_search, Stall::response_full, Stall::evict_full});
  handler_->register_stats(g);
  frontend_->register_stats(g, domain());

  g.law("requests in = responses out",
        [&s] { return expect_equal("requests", s.requests, "responses", s.responses); });
  g.law("accesses by outcome", [&s] {
    return expect_equal("accesses + rejected", s.accesses + s.rejected, "requests", s.requests);
  });
  g.law("accesses by kind", [&s] {
    return expect_equal("accesses", s.accesses, "reads + writes + atomics",
                        s.reads + s.writes + s.atomics);
  });
  g.law("accesses hit or miss", [&s] {
    return expect_equal("accesses", s.accesses,
                        "hits + primary_misses + secondary_misses + bypasses",
                        s.hits + s.primary_misses + s.secondary_misses + s.bypasses);
  });
  g.law("each primary miss has one fill",
        [&s] { return expect_equal("fills", s.fills, "primary_misses", s.primary_misses); });
  g.law("write-backs are acknowledged", [&s] {
    return expect_equal("writebacks", s.writebacks, "acknowledgements of write-backs",
                        s.writeback_acknowledgements);
  });
}

}  // namespace warpmem::l2
