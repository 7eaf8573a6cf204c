// SPDX-License-Identifier: Apache-2.0
// Conservation between the levels: what one module sent is what the next one took.
#include <string>

#include "memory/memory_system.hpp"

namespace warpmem::memory {

namespace {

template <class Modules, class Count>
std::uint64_t sum(const Modules& modules, Count&& count) {
  std::uint64_t total = 0;
  for (const auto& module : modules) total += count(*module);
  return total;
}

}  // namespace

void MemorySystem::register_laws(StatGroup& g) {
  g.law("payloads", [this] {
    return expect_equal("payloads in use", pool_.outstanding(), "drained machine", 0);
  });
  g.law("protocol", [this] {
    const auto open = [](const ProtocolChecker& c) { return c.outstanding(); };
    return expect_equal("transactions open on the links", sum(checkers_, open), "drained machine",
                        0);
  });
  if (unified_ != nullptr)
    g.law("TLB to L1D", [this] {
      return expect_equal("requests of the TLBs", port_requests(), "requests of the L1Ds",
                          l1d_requests());
    });
  const auto to_noc = [](const l1d::L1d& c) {
    const l1d::L1d::Stats& s = c.stats();
    return s.primary_misses + s.added_fetches + s.prefetches + s.bypasses + s.write_accesses +
           s.atomics + s.writebacks;
  };
  g.law("L1D to crossbar", [this, to_noc] {
    return expect_equal(
        "fetches, prefetches, stores, atomics, bypasses and write-backs of the L1Ds",
        sum(l1ds_, to_noc), "request packets", crossbar_->request_stats().packets_in);
  });
  g.law("crossbar to L2", [this] {
    return expect_equal("request packets", crossbar_->request_stats().packets_out,
                        "requests of the L2 banks",
                        sum(l2s_, [](const l2::L2Bank& c) { return c.stats().requests; }));
  });
  g.law("bytes of writes", [this] {
    const auto sent = [this](const l1d::L1d& c) {
      return c.stats().write_bytes + c.stats().writeback_bytes;
    };
    return expect_equal("bytes of the stores, atomics and write-backs of the L1Ds",
                        sum(l1ds_, sent), "bytes written to the L2 banks",
                        sum(l2s_, [](const l2::L2Bank& c) { return c.stats().write_bytes; }));
  });
  if (params_.l2.memcpy == l2::HostCopy::keep)
    g.law("lines of the host's copies", [this] {
      return expect_equal("lines that the host has copied", host_lines_,
                          "lines that the L2 banks took",
                          sum(l2s_, [](const l2::L2Bank& c) { return c.host_lines(); }));
    });
  g.law("L2 to crossbar", [this] {
    return expect_equal("responses of the L2 banks",
                        sum(l2s_, [](const l2::L2Bank& c) { return c.stats().responses; }),
                        "response packets", crossbar_->response_stats().packets_out);
  });
  if (external()) return;
  g.law("L2 to DRAM", [this] {
    for (unsigned p = 0; p < channels_.size(); ++p) {
      std::uint64_t sent = 0;
      for (unsigned s = p * map_.slices_each(); s < (p + 1) * map_.slices_each(); ++s) {
        const l2::L2Bank::Stats& l2 = l2s_[s]->stats();
        sent +=
            l2.primary_misses + l2.added_fetches + l2.bypasses + l2.writebacks + l2.write_throughs;
      }
      const dram::ChannelStats& dram = channels_[p]->stats();
      std::string differs = expect_equal(
          "primary misses, bypasses, write-backs and writes through of the L2 banks of "
          "partition " +
              std::to_string(p),
          sent, "reads and writes of its channel", dram.reads + dram.writes);
      if (!differs.empty()) return differs;
    }
    return std::string();
  });
}

}  // namespace warpmem::memory
