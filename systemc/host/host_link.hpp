// SPDX-License-Identifier: Apache-2.0
// The link between the L2 slices and memory of the host, with that memory at its far end, for
// requests of kernels to it (zero-copy). Each direction moves one packet at a time, for its data
// and a header over the bandwidth, without rounding to cycles; requests leave in turn, at most one
// a cycle, and take effect in the order in which they leave.
//
//   read             s: leaves    s+h: its packet has left   s+h+L: answer begins, once the
//                    direction is free   +(h+data): answer to the slice
//   write, atomic    s: leaves    s+(h+data): has left       s+(h+data)+L: acknowledged
//
// The acknowledgement of a write takes nothing of the way back: the link has its own for all of
// them. A read that finds no free tag waits; writes of other slices pass it.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/bit_set.hpp"
#include "base/clock_domain.hpp"
#include "base/memory_image.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "host/params.hpp"
#include "l2/atomic_order.hpp"

namespace warpmem::host {

class HostLink : public sc_core::sc_module, public Clocked {
 public:
  struct Stats {
    std::uint64_t requests = 0;
    std::uint64_t responses = 0;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t atomics = 0;
    std::uint64_t atomic_operations = 0;
    std::uint64_t read_bytes = 0;
    std::uint64_t write_bytes = 0;  ///< of writes and atomics, bytes without effect included
    std::uint64_t bytes_out = 0;    ///< on the way to the host, headers included
    std::uint64_t bytes_in = 0;
    std::uint64_t most_bytes = 0;       ///< that each direction could have moved by now
    std::uint64_t reads_answered = 0;   ///< so that an interval's latency is that of its answers
    std::uint64_t read_cycles = 0;      ///< from arrival at the link to the answer, over all reads
    std::uint64_t tag_wait_cycles = 0;  ///< cycles in which a read waited for a tag
    std::uint64_t reads_under_way = 0;  ///< the most at a time
  };

  HostLink(sc_core::sc_module_name name, ClockDomain& domain, const LinkParams& params,
           unsigned slices);
  ~HostLink() override;

  /// Bind the port of slice s for host memory here.
  ServicePort& port(unsigned s) { return *ports_[s]; }
  /// A launch begins: atomics are numbered from 1 again. What was written before counts no longer
  /// as written by kernels, since the host and launches without time write there untold; who
  /// accesses it in this launch tells it first.
  void begin_launch();
  /// Host memory holds `data` there, in no time: the host has written it.
  void host_wrote(Addr address, std::uint64_t bytes, const std::uint8_t* data);
  /// Pages of host memory that were written since the launch began or the last call, ascending.
  std::vector<Addr> take_written_pages();

  bool idle() const;
  std::string describe() const;
  void register_stats(StatRegistry& registry);
  const Stats& stats() const { return stats_; }

 private:
  /// A request that is at the host, or whose answer is on its way.
  struct Flight {
    Payload* payload = nullptr;
    unsigned slice = 0;
    Cycle since = 0;         // when it came to the link
    Femtoseconds ready = 0;  // the answer may begin, or has come
  };

  Cycle tick(Cycle now) override;
  void answer(Femtoseconds edge, Cycle now);
  void acknowledge(Femtoseconds edge);
  void start_answer(Femtoseconds edge, Femtoseconds next_edge);
  void start_request(Femtoseconds edge, Femtoseconds next_edge);
  void depart(unsigned slice, Femtoseconds edge);
  unsigned debug(Payload& payload);
  void blocking(Payload& payload, sc_core::sc_time& delay);
  void access(Payload& payload);
  Femtoseconds time_for(std::uint64_t bytes) const;
  /// The first edge after `now` that is not before `t`; or that is at most a cycle before it.
  Cycle edge_at(Femtoseconds t, Cycle now) const;
  Cycle edge_before(Femtoseconds t, Cycle now) const;
  bool has_request(bool& waits_for_tag) const;
  Cycle next_work(Cycle now) const;

  LinkParams params_;
  Femtoseconds latency_;
  std::vector<std::unique_ptr<ServicePort>> ports_;
  PortSet active_;  // ports with requests
  unsigned last_ = 0;
  Femtoseconds out_free_ = 0, in_free_ = 0;
  Ring<Flight> at_host_;        // reads, in the order in which they left
  Ring<Flight> landing_;        // answers of reads on their way back
  std::deque<Flight> written_;  // writes and atomics
  unsigned reads_ = 0;          // without an answer
  Cycle waits_since_ = kNever;  // a read waits for a tag
  MemoryImage image_;
  l2::AtomicOrder atomics_;
  Stats stats_;
  Histogram latency_histogram_;
};

}  // namespace warpmem::host
