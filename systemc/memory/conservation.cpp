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
  const auto requests = [](const auto& module) { return module.stats().requests; };
  const auto responses = [](const auto& module) { return module.stats().responses; };
  const bool merges = !coalescers_.empty();
  g.law("crossbar to L2", [this, requests, merges] {
    return expect_equal("request packets", crossbar_->request_stats().packets_out,
                        merges ? "requests of the coalescers" : "requests of the L2 banks",
                        merges ? sum(coalescers_, requests) : sum(l2s_, requests));
  });
  if (merges) {
    g.law("coalescers to L2", [this, requests] {
      const auto sent = [](const l2::Coalescer& c) { return c.stats().sent; };
      return expect_equal("requests that the coalescers sent", sum(coalescers_, sent),
                          "requests of the L2 banks", sum(l2s_, requests));
    });
    g.law("L2 to coalescers", [this, responses] {
      const auto taken = [](const l2::Coalescer& c) { return c.stats().answers; };
      return expect_equal("responses of the L2 banks", sum(l2s_, responses),
                          "answers that the coalescers took", sum(coalescers_, taken));
    });
  }
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
  if (link_ != nullptr)
    g.law("L2 to host link", [this] {
      return expect_equal("requests of the L2 banks to memory of the host",
                          sum(l2s_, [](const l2::L2Bank& c) { return c.stats().host_requests; }),
                          "requests of the link", link_->stats().requests);
    });
  g.law("L2 to crossbar", [this, responses, merges] {
    return expect_equal(merges ? "responses of the coalescers" : "responses of the L2 banks",
                        merges ? sum(coalescers_, responses) : sum(l2s_, responses),
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
