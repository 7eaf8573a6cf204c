// SPDX-License-Identifier: Apache-2.0
// What a launch and the watchdog ask of the cache, and its statistics.
#include <fmt/format.h>

#include <cassert>

#include "l1d/l1d.hpp"

namespace warpmem::l1d {

using mha::kNoLine;
using mha::LineId;
using mha::LineState;
using mha::Stall;

bool L1d::idle() const {
  return cpu.idle() && mem.idle() && (!mrpb_ || mrpb_->empty()) && handler_->empty() &&
         hits_.empty() && acknowledged_.empty() && outgoing_.empty() && forwards_in_flight_ == 0 &&
         writebacks_in_flight_ == 0 && fills_.empty() && cta_ends_.empty() &&
         (!prefetch_ || prefetch_->empty());
}

void L1d::invalidate_all() {
  assert(idle());
  tags_.invalidate_all();
  locality_.forget();
  reuse_.all_gone();
  if (prefetch_) prefetch_->begin_launch();
}

void L1d::end_launch() {
  assert(idle());
  if (prefetch_) prefetch_->end_launch();
}

bool L1d::awaits_fill(Addr begin, std::uint64_t bytes) const {
  const auto awaited = [this](LineId line) {
    return line != kNoLine && tags_.state(line) == LineState::reserved;
  };
  if (bytes / params_.line_bytes < tags_.lines()) {
    for (Addr block = begin; block < begin + bytes; block += params_.line_bytes)
      if (awaited(tags_.find(block, block))) return true;
    return false;
  }
  for (LineId line = 0; line < tags_.lines(); ++line)
    if (tags_.block(line) - begin < bytes && awaited(line)) return true;
  return false;
}

void L1d::drop_lines(Addr begin, std::uint64_t bytes) {
  const auto drop = [this](LineId line) {
    if (tags_.state(line) == LineState::reserved)
      throw SimulationError(fmt::format("{}: line 0x{:x} is dropped while its fill is awaited",
                                        name(), tags_.block(line)));
    assert(!tags_.dirty(line));
    if (prefetch_) prefetch_->gone(line, tags_.block(line), false);
    tags_.invalidate(line);
    reuse_.gone(line);
  };
  if (bytes / params_.line_bytes >= tags_.lines()) {
    for (LineId line = 0; line < tags_.lines(); ++line)
      if (tags_.state(line) != LineState::invalid && tags_.block(line) - begin < bytes) drop(line);
  } else {
    for (Addr block = begin; block < begin + bytes; block += params_.line_bytes)
      if (const LineId line = tags_.find(block, block); line != kNoLine) drop(line);
  }
  wake();
}

std::string L1d::describe() const {
  std::string text = fmt::format(
      "{}: {} hits and {} acknowledgements to answer, {}/{} requests for the crossbar, {}/{} "
      "forwarded requests and {} write-backs at L2, {} fills of which {} drain",
      name(), hits_.size(), acknowledged_.size(), outgoing_.size(), outgoing_.capacity(),
      forwards_in_flight_, forwarded_.size(), writebacks_in_flight_, fills_.size(),
      fills_.placed());
  if (stall_.cause() != Stall::none) {
    text += fmt::format("\n    head blocked by {} since cycle {}", mha::name_of(stall_.cause()),
                        stall_.since());
    if (const Payload* blocked = head())
      text += fmt::format(": {} 0x{:x}", blocked->is_write() ? "write" : "read",
                          blocked->get_address());
  }
  if (mrpb_) text += "\n    " + mrpb_->describe();
  if (prefetch_) text += "\n    " + prefetch_->describe();
  return text + "\n    " + cpu.describe() + "\n    " + mem.describe() + "\n    " +
         handler_->describe();
}

void L1d::register_stats(StatRegistry& registry, unsigned index) {
  StatGroup& g = registry.group("l1d", index);
  const Stats& s = stats_;
  g.counter("requests", s.requests, "requests", "requests accepted from the LSU");
  g.counter("responses", s.responses, "responses", "responses sent to the LSU");
  g.counter("rejected", s.rejected, "requests", "requests answered with an error status");
  g.counter("accesses", s.accesses, "requests",
            "loads and local stores: hits + primary_misses + secondary_misses + bypasses");
  g.counter("hits", s.hits, "requests", "accesses whose line was valid");
  g.counter("primary_misses", s.primary_misses, "requests", "accesses that fetched their line");
  g.counter("secondary_misses", s.secondary_misses, "requests",
            "accesses that merged into an outstanding miss");
  g.counter("bypasses", s.bypasses, "requests", "loads that went straight to L2");
  g.counter("bypasses.uncoalesced", s.degree_bypasses, "requests",
            "of them, requests of loads with more requests than BUCL's threshold");
  g.counter("bypasses.refused", s.refused_bypasses, "requests",
            "bypasses of loads that the cache refused");
  g.counter("bypasses.bytes", s.bypass_bytes, "bytes", "that bypasses asked L2 for");
  g.counter("frontend.held", s.reordered, "requests",
            "requests that a queue of the front end held");
  if (mrpb_) mrpb_->register_stats(g);
  g.ratio("hit_rate", s.hits, s.accesses, "hits / accesses");
  g.counter("write_accesses", s.write_accesses, "requests", "stores written through to L2");
  g.counter("write_evictions", s.write_evictions, "requests",
            "write accesses that invalidated a valid line");
  g.counter("write_misses", s.write_misses, "requests", "write accesses that found no valid line");
  g.counter("atomics", s.atomics, "requests", "atomics sent to L2");
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
  locality_.register_stats(g);
  reuse_.register_stats(g);
  if (prefetch_) prefetch_->register_stats(g);

  g.law("requests in = responses out",
        [&s] { return expect_equal("requests", s.requests, "responses", s.responses); });
  g.law("requests by kind", [&s] {
    return expect_equal("requests", s.requests, "accesses + write_accesses + atomics + rejected",
                        s.accesses + s.write_accesses + s.atomics + s.rejected);
  });
  g.law("accesses by outcome", [&s] {
    return expect_equal("accesses", s.accesses,
                        "hits + primary_misses + secondary_misses + bypasses",
                        s.hits + s.primary_misses + s.secondary_misses + s.bypasses);
  });
  g.law("accesses by locality", [this, &s] {
    return expect_equal("hits + primary_misses + secondary_misses",
                        s.hits + s.primary_misses + s.secondary_misses, "locality classes",
                        locality_.accesses());
  });
  g.law("stores by outcome", [&s] {
    return expect_equal("write_accesses", s.write_accesses, "write_evictions + write_misses",
                        s.write_evictions + s.write_misses);
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
  g.law("write-backs are acknowledged", [&s] {
    return expect_equal("writebacks", s.writebacks, "acknowledgements of write-backs",
                        s.writeback_acknowledgements);
  });
}

}  // namespace warpmem::l1d
