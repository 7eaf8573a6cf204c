// SPDX-License-Identifier: Apache-2.0
// What a launch and the watchdog ask of the unit, and its statistics.
#include <fmt/format.h>

#include "uvm/gmmu.hpp"

namespace warpmem::uvm {

bool Gmmu::idle() const {
  return waiting_ == 0 && to_answer_.none() && lookups_.empty() && search_of_.empty() &&
         !host_busy_ && fault_buffer_.empty() && postponed_.empty() && migrator_.idle();
}

std::uint64_t Gmmu::work_done() const {
  const Migrator::Stats& p = migrator_.stats();
  return stats_.responses + stats_.batches + p.pages_in + p.pages_out_dirty + p.pages_out_clean;
}

std::string Gmmu::describe() const {
  std::string text = fmt::format(
      "{}: {} look-ups, {} walks wait, {} under way, {} pages have faulted, {}/{} faults for the "
      "host",
      name(), lookups_.size(), to_walk_.size(), walking_.size(), faulted_, fault_buffer_.size(),
      fault_buffer_.capacity());
  if (host_busy_) text += fmt::format("; it handles {} until cycle {}", taken_.size(), host_ready_);
  if (!postponed_.empty())
    text += fmt::format("; {} wait until their page has left", postponed_.size());
  return text + "\n    " + migrator_.describe();
}

void Gmmu::register_stats(StatRegistry& registry) {
  StatGroup& g = registry.group("uvm");
  register_translation(g);
  register_faults(g);
  register_pages(g);
  history_.register_stats(g);
  prefetcher_->register_stats(g);
  evictor_->register_stats(g);
}

void Gmmu::register_translation(StatGroup& g) {
  const Stats& s = stats_;
  g.counter("translations", s.requests, "requests", "translation requests of the SMs' TLBs");
  g.counter("responses", s.responses, "responses", "translations sent to the SMs' TLBs");
  g.counter("l2_tlb.hits", s.l2_hits, "requests", "translation requests found in the shared TLB");
  g.counter("l2_tlb.merged", s.l2_merged, "requests",
            "translation requests whose page was being walked or had faulted already");
  g.counter("walks", s.walks, "walks", "page-table walks");
  g.counter("walk_hits", s.walk_hits, "walks",
            "page-table walks that found the page in device memory");
  g.counter("walk_faults", s.walk_faults, "walks", "page-table walks that found the page absent");
  g.counter("walk_wait_cycles", s.walk_wait_cycles, "cycles",
            "cycles that page-table walks waited for a free walker, summed");
  g.law("translations in = out",
        [&s] { return expect_equal("translations", s.requests, "responses", s.responses); });
  g.law("translations by outcome", [&s] {
    return expect_equal("translations", s.requests, "l2_tlb.hits + l2_tlb.merged + walks",
                        s.l2_hits + s.l2_merged + s.walks);
  });
  g.law("walks by outcome", [&s] {
    return expect_equal("walks", s.walks, "walk_hits + walk_faults", s.walk_hits + s.walk_faults);
  });
}

void Gmmu::register_faults(StatGroup& g) {
  const Stats& s = stats_;
  g.before_snapshot([this] { count_host(domain().cycle_at(simulation_now())); });
  g.counter("faults", s.faults, "faults", "far faults sent to the host");
  g.counter("faults_merged", s.faults_merged, "faults",
            "far faults on pages that were on their way already");
  g.counter("faults_found", s.faults_found, "faults",
            "far faults whose page was there or on its way when the host looked");
  g.counter("batches", s.batches, "batches", "times the host handled faults");
  g.counter("host_cycles", s.host_cycles, "cycles", "cycles in which the host was handling faults");
  g.ratio("faults_per_batch", s.faults, s.batches, "far faults / times the host handled faults");
  g.counter("fault_wait_cycles", s.fault_wait_cycles, "cycles",
            "cycles from a fault to its page's arrival, summed");
  g.counter("fault.queue_cycles", s.fault_queue_cycles, "cycles",
            "of fault_wait_cycles: until the host takes the fault, or brings the page for another");
  g.counter("fault.host_cycles", s.fault_host_cycles, "cycles",
            "of fault_wait_cycles: the host's handling");
  g.counter("fault.room_cycles", s.fault_room_cycles, "cycles",
            "of fault_wait_cycles: until the page has a frame; other pages leave");
  g.counter("fault.link_cycles", s.fault_link_cycles, "cycles",
            "of fault_wait_cycles: the link, and other transfers before this one");
  g.law("waits of faults by stage", [&s] {
    return expect_equal(
        "fault_wait_cycles", s.fault_wait_cycles,
        "fault.queue_cycles + host_cycles + room_cycles + link_cycles",
        s.fault_queue_cycles + s.fault_host_cycles + s.fault_room_cycles + s.fault_link_cycles);
  });
  g.histogram("fault_latency", fault_latency_, "cycles",
              "faults by cycles to their page's arrival");
  g.peak("fault_mshr.peak", stats_.mshr_peak, "pages", "most far-fault MSHRs in use at once");
  g.peak("fault_buffer.peak", stats_.buffer_peak, "faults",
         "most faults that waited for the host at once");
  g.law("faulting walks", [&s] {
    return expect_equal("walk_faults", s.walk_faults, "faults + faults_merged",
                        s.faults + s.faults_merged);
  });
}

void Gmmu::register_pages(StatGroup& g) {
  const Stats& s = stats_;
  Migrator::Stats& p = migrator_.stats();
  g.counter("page_uses", s.page_uses, "requests", "requests to managed pages");
  g.counter("pages_in", p.pages_in, "pages", "pages that arrived in device memory");
  g.counter("pages_out.dirty", p.pages_out_dirty, "pages",
            "pages that left and were written to the host");
  g.counter("pages_out.clean", p.pages_out_clean, "pages", "pages that left and were dropped");
  g.counter("pages_to_host", p.pages_to_host, "pages",
            "pages taken back because the host used them");
  g.counter("pages_freed", p.pages_freed, "pages",
            "pages that were in device memory when they were freed");
  g.counter("prefetched", s.prefetched, "pages", "pages that came along with a faulting one");
  g.counter("prefetched_used", s.prefetched_used, "pages",
            "prefetched pages that were used while they were there");
  g.ratio("prefetch_use", s.prefetched_used, s.prefetched, "prefetched_used / prefetched");
  g.counter("thrashed", s.thrashed, "pages", "pages that came back after an eviction");
  g.counter("moved_ahead", s.asked_ahead, "pages", "pages moved by cudaMemPrefetchAsync");
  g.peak("frames_used.peak", p.resident_peak, "pages", "most frames in use at once");
  g.law("pages in - pages out = resident", [this, &p] {
    std::uint64_t there = 0;
    for (const auto& range : table_.ranges())
      for (const PageEntry& entry : range->pages) there += entry.state == PageState::resident;
    return expect_equal(
        "pages_in", p.pages_in, "pages out and resident",
        p.pages_out_dirty + p.pages_out_clean + p.pages_to_host + p.pages_freed + there);
  });
  g.law("resident pages fit", [&p] {
    return p.resident <= p.frames ? std::string()
                                  : fmt::format("resident {} > frames {}", p.resident, p.frames);
  });
  g.law("migrations are complete", [this] {
    return expect_equal("transfers open", migrator_.transfers_open(), "drained machine", 0);
  });
}

}  // namespace warpmem::uvm
