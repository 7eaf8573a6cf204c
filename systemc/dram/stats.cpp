// SPDX-License-Identifier: Apache-2.0
#include "dram/stats.hpp"

#include <fmt/format.h>

#include <deque>
#include <string>

namespace warpmem::dram {

namespace {

std::vector<std::uint64_t> occupancy_bounds(unsigned queue) {
  std::vector<std::uint64_t> bounds;
  const unsigned step = (queue + 31) / 32;  // at most 32 bins
  for (unsigned b = step; b < queue; b += step) bounds.push_back(b);
  return bounds;
}

struct BankNames {
  std::string accesses, activates, busy_cycles, refreshes;

  explicit BankNames(std::size_t bank) {
    const std::string prefix = fmt::format("bank.{:02}.", bank);
    accesses = prefix + "accesses";
    activates = prefix + "activates";
    busy_cycles = prefix + "busy_cycles";
    refreshes = prefix + "refreshes";
  }
};

/// Made once: a machine of many channels asks for each as often.
const BankNames& names_of(std::size_t bank) {
  static std::deque<BankNames> names;
  while (names.size() <= bank) names.emplace_back(names.size());
  return names[bank];
}

}  // namespace

ChannelStats::ChannelStats(unsigned bank_count, unsigned queue, unsigned buses)
    : data_buses(buses),
      banks(bank_count),
      queue_occupancy(occupancy_bounds(queue)),
      read_latency({32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096, 8192}) {}

void ChannelStats::register_in(StatGroup& group) {
  group.counter("reads", reads, "requests", "read requests accepted");
  group.counter("writes", writes, "requests", "write requests accepted");
  group.counter("rejected", rejected, "requests", "requests answered with an error status");
  group.counter("responses", responses, "responses", "responses sent");
  group.counter(
      "blocked_cycles", blocked_cycles, "slice cycles",
      "heads of slices that waited at the channel because its queue was full, or with "
      "dram.write_drain because an older one for its bytes was in the other queue, summed over "
      "DRAM cycles");
  group.counter("row_hits", row_hits, "requests",
                "requests served from a row that was already open");
  group.counter("row_misses", row_misses, "requests",
                "requests served after an ACTIVATE of a closed bank");
  group.counter("row_conflicts", row_conflicts, "requests",
                "requests served after a PRECHARGE of another row and an ACTIVATE");
  group.counter("column_commands", column_commands, "commands", "READs and WRITEs");
  group.counter("activates", activates, "commands", "ACTIVATEs");
  group.counter(
      "reactivations", reactivations, "commands",
      "ACTIVATEs repeated because a refresh, or with dram.write_drain a request of the other "
      "queue, closed the row before it was used");
  group.counter("precharges", precharges, "commands", "PRECHARGEs of one bank");
  group.counter(
      "surplus_precharges", surplus_precharges, "commands",
      "PRECHARGEs for a request that needed another one, or found its row open after all");
  group.counter("precharge_alls", precharge_alls, "commands", "PRECHARGEs of all banks");
  group.counter("auto_precharges", auto_precharges, "commands",
                "column commands that closed their row (dram.page: closed)");
  group.counter("write_drains", write_drains, "drains",
                "times that the waiting writes reached dram.write_high");
  group.counter("refreshes", refreshes, "commands", "REFRESHes");
  group.counter("data_bus_cycles", data_cycles, "DRAM cycles",
                "cycles in which a data bus moved a beat; each pseudo channel has one");
  group.counter("pending_cycles", pending.total(), "DRAM cycles",
                "cycles in which a request was in the channel");
  group.counter("bank_busy_cycles", bank_cycles, "bank cycles",
                "busy banks summed over cycles: from the first command for a request to its last "
                "data beat");
  group.counter("any_bank_busy_cycles", any_bank.total(), "DRAM cycles",
                "cycles in which some bank was busy");
  group.ratio("efficiency", data_cycles, pending_bus_cycles,
              "data-bus-busy cycles / cycles with a request pending, times the pseudo channels");
  group.ratio("blp", bank_cycles, any_bank.total(),
              "bank-level parallelism: average busy banks while any is busy");
  group.ratio("row_hit_rate", row_hits, served, "row hits / requests served");
  for (std::size_t b = 0; b < banks.size(); ++b) {
    const BankNames& name = names_of(b);
    group.counter(name.accesses, banks[b].accesses, "commands", "READs and WRITEs of the bank");
    group.counter(name.activates, banks[b].activates, "commands", "ACTIVATEs of the bank");
    group.counter(name.busy_cycles, banks[b].busy_cycles, "DRAM cycles",
                  "cycles in which the bank was busy");
  }
  group.histogram("queue_occupancy", queue_occupancy, "requests",
                  "DRAM cycles by queued requests, while there are any");
  group.histogram("read_latency", read_latency, "DRAM cycles",
                  "reads by cycles from acceptance to last data beat");

  group.before_snapshot([this] {
    pending.settle();
    any_bank.settle();
    pending_bus_cycles = pending.total() * data_buses;
  });
  group.law("a data bus moves nothing without a request", [this] {
    if (data_cycles <= pending_bus_cycles) return std::string();
    return fmt::format("data_bus_cycles {} > pending_cycles {} of {} buses", data_cycles,
                       pending.total(), data_buses);
  });
  group.law("requests in = responses out", [this] {
    return expect_equal("reads + writes + rejected", reads + writes + rejected, "responses",
                        responses);
  });
  group.law("each request has its column commands", [this] {
    return expect_equal("column commands of reads and writes", commands_due, "column_commands",
                        column_commands);
  });
  group.law("requests by row outcome", [this] {
    return expect_equal("row_hits + row_misses + row_conflicts",
                        row_hits + row_misses + row_conflicts, "reads + writes", reads + writes);
  });
  group.law("activates serve misses and conflicts", [this] {
    return expect_equal("activates", activates, "row_misses + row_conflicts + reactivations",
                        row_misses + row_conflicts + reactivations);
  });
  group.law("precharges serve conflicts", [this] {
    return expect_equal("precharges", precharges,
                        "row_conflicts + surplus_precharges + refresh_precharges",
                        row_conflicts + surplus_precharges + refresh_precharges);
  });
  group.law("bank sums", [this] {
    std::uint64_t accesses = 0, opened = 0, busy = 0;
    for (const BankStats& bank : banks) {
      accesses += bank.accesses;
      opened += bank.activates;
      busy += bank.busy_cycles;
    }
    std::string wrong = expect_equal("bank accesses", accesses, "column_commands", column_commands);
    if (wrong.empty()) wrong = expect_equal("bank activates", opened, "activates", activates);
    if (wrong.empty())
      wrong = expect_equal("bank busy cycles", busy, "bank_busy_cycles", bank_cycles);
    return wrong;
  });
}

void ChannelStats::register_refreshes_in(StatGroup& group, bool per_bank) {
  group.counter("refresh_late_cycles", refresh_late_cycles, "DRAM cycles",
                "cycles from when a REFRESH is due to when it goes, summed over REFRESHes");
  if (per_bank)
    group.counter("refresh_precharges", refresh_precharges, "commands",
                  "PRECHARGEs of a bank before its REFRESH (dram.refresh: per_bank)");
  for (std::size_t b = 0; b < banks.size(); ++b)
    group.counter(names_of(b).refreshes, banks[b].refreshes, "commands",
                  "REFRESHes that took the bank");
}

}  // namespace warpmem::dram
