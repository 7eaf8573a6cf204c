// SPDX-License-Identifier: Apache-2.0
#include "sm/load_latency.hpp"

#include <string>

namespace warpmem::sm {

namespace {

constexpr std::array<const char*, kParts> kPartDocs = {
    "issue until the request reaches the queue of L1D, or of the TLB before it",
    "at the SM's TLB: waiting, looked up, and on its way after a miss was answered",
    "missed at the TLB until the page is found in device memory, or found absent",
    "page absent, until the host has handled the fault",
    "fault handled, until the page has arrived",
    "waiting at L1D, reservation fails included",
    "accepted by L1D until the miss leaves, or until the fill of a merged miss",
    "L1D to L2",
    "waiting at L2",
    "accepted by L2 until it answers or asks DRAM",
    "waiting in the DRAM channel",
    "first DRAM command to last data beat",
    "L2 back to L1D",
    "L1D to the registers"};

}  // namespace

LoadLatency::LoadLatency(bool translated)
    : translated_(translated), latency_({32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}) {}

bool LoadLatency::request_done(const Access& access, Femtoseconds t) {
  for_each_part(access, t, translated_, [this](Part part, Femtoseconds begin, Femtoseconds end) {
    femtoseconds_[static_cast<std::size_t>(part)] += end - begin;
  });
  all_femtoseconds_ += t - access.at(Stage::issue);
  ++requests_;
  requests_scaled_ += 1'000'000;
  return access.at(Stage::noc_request) == 0 && access.at(Stage::l1d_fill) == 0;
}

void LoadLatency::load_done(unsigned degree, Cycle cycles, bool all_hit) {
  DegreeClass& c = by_degree_[degree_class(degree)];
  ++c.loads;
  c.cycles += cycles;
  c.all_hit += all_hit;
  latency_.add(cycles);
}

void LoadLatency::register_stats(StatGroup& group) {
  group.counter("load.requests", requests_, "requests", "load requests answered");
  const auto of_translation = [](std::size_t part) {
    return part >= static_cast<std::size_t>(Part::tlb) &&
           part <= static_cast<std::size_t>(Part::transfer);
  };
  for (std::size_t p = 0; p < kParts; ++p) {
    if (!translated_ && of_translation(p)) continue;
    group.ratio(std::string("latency.") + kPartNames[p] + "_ns", femtoseconds_[p], requests_scaled_,
                std::string("mean time of a load request, ns: ") + kPartDocs[p]);
  }
  for (unsigned c = 0; c < by_degree_.size(); ++c) {
    group.counter(std::string("load.degree_") + kDegreeNames[c] + ".count", by_degree_[c].loads,
                  "instructions", "loads with this un-coalescing degree");
    group.ratio(
        std::string("load.degree_") + kDegreeNames[c] + ".latency", by_degree_[c].cycles,
        by_degree_[c].loads,
        "mean cycles of loads with this un-coalescing degree, from issue to the last response");
    group.ratio(std::string("load.degree_") + kDegreeNames[c] + ".all_hit", by_degree_[c].all_hit,
                by_degree_[c].loads,
                "share of the loads with this un-coalescing degree whose requests all hit in L1D");
  }
  group.histogram("load.latency", latency_, "cycles",
                  "loads by cycles from issue to the last response");
  group.law("time of load requests by stage", [this] {
    std::uint64_t sum = 0;
    for (const std::uint64_t part : femtoseconds_) sum += part;
    return expect_equal("time from issue to the registers, fs", all_femtoseconds_,
                        "time in the stages", sum);
  });
}

}  // namespace warpmem::sm
