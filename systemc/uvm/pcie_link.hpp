// SPDX-License-Identifier: Apache-2.0
// One direction of the link between GPU and host. Transfers pass one at a time, in order, and
// occupy it for their size over their effective bandwidth (bandwidth.hpp).
//
//   read  (host to device)  n: taken, request to host memory   m: bytes there   m + T: response
//   write (device to host)  n: taken   n + T: to host memory   m: response
//
// A request or an acknowledgement travels in the time that the host's handling already covers.
#pragma once

#include <string>

#include "base/clock_domain.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/watchers.hpp"
#include "uvm/params.hpp"
#include "uvm/watch.hpp"

namespace warpmem::uvm {

class PcieLink : public sc_core::sc_module, public Clocked {
 public:
  struct Stats {
    std::uint64_t transfers = 0;
    std::uint64_t bytes = 0;
    std::uint64_t busy_cycles = 0;
    std::uint64_t elapsed_cycles = 0;
  };

  PcieLink(sc_core::sc_module_name name, ClockDomain& domain, const UvmParams& params);

  ServicePort in;    ///< requests from the GPU
  RequestPort host;  ///< requests to host memory

  bool idle() const { return in.idle() && host.idle() && payload_ == nullptr; }
  /// Returns whether a transfer occupies the link; it does so until a cycle that is known.
  bool moving() const { return payload_ != nullptr && step_ == Step::move; }
  /// `watch` is told of each transfer from now on; it must outlive the link.
  void watch(TransferWatch& watch) { watchers_.add(watch); }
  std::string describe() const;
  /// `direction` is "in" (host to device) or "out".
  void register_stats(StatGroup& group, const std::string& direction);
  const Stats& stats() const { return stats_; }
  /// Number of cycles for which a transfer of `bytes` occupies the link.
  Cycle occupancy(std::uint64_t bytes) const;

 private:
  enum class Step : std::uint8_t { ask_host, wait_for_host, move, answer };

  Cycle tick(Cycle now) override;
  bool advance(Cycle now);
  void start_moving(Cycle now);
  void count_busy(Cycle now);

  std::uint64_t megabytes_;
  Payload* payload_ = nullptr;
  Step step_ = Step::answer;
  bool moved_ = false;
  Cycle ready_ = 0;
  Cycle counted_ = 0;  // the cycles of the transfer before are in busy_cycles
  TimeSeries busy_;
  Stats stats_;
  Watchers<TransferWatch> watchers_;
};

}  // namespace warpmem::uvm
