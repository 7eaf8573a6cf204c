// SPDX-License-Identifier: Apache-2.0
// The crossbar between the SMs' L1Ds and the slices of L2 (docs/mechanisms.md 1.3), in a clock
// domain of its own. It has one Switch for requests and one for responses. Requests go to the
// slice of their address, responses back to the input that their request came from. The payload
// passes through unchanged.
//
// An input queue gets room when its packet is granted. When a target withholds END_REQ (or an
// initiator END_RESP) packets wait in the pipeline of that output, then in the input queues, then
// at their senders: nothing is lost and nothing grows.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/address_map.hpp"
#include "base/clock_domain.hpp"
#include "base/params.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "noc/origin_table.hpp"
#include "noc/switch.hpp"

namespace warpmem::noc {

class Crossbar : public sc_core::sc_module, public Clocked {
 public:
  struct Params {
    std::uint64_t clock_hz = 700'000'000;  ///< the machine builds the clock domain from it
    std::uint32_t flit_bytes = 32;         ///< bytes of a flit, 1..256
    /// Bytes of a request or response besides its data, 0..64.
    std::uint32_t header_bytes = 8;
    std::uint32_t latency = 8;         ///< cycles each way, 1..4096
    std::uint32_t request_queue = 8;   ///< request packets that an input queue holds
    std::uint32_t response_queue = 8;  ///< response packets that an input queue holds
    std::uint32_t output_queue = 2;    ///< packets that may wait at an output of either direction
    std::uint32_t in_flight = 8192;    ///< requests without a response yet, over all inputs

    void describe(Schema& schema);
    void validate(Problems& problems) const;
  };

  /// `inputs` is the number of initiators, 1..256. There are as many outputs as `map` has slices.
  /// `map` must outlive the crossbar.
  Crossbar(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
           const AddressMap& map, unsigned inputs);

  unsigned inputs() const { return static_cast<unsigned>(inputs_.size()); }
  unsigned outputs() const { return static_cast<unsigned>(outputs_.size()); }
  /// Bind an initiator to input(i).socket, and output(p).socket to slice p.
  ServicePort& input(unsigned i) { return *inputs_[i]; }
  RequestPort& output(unsigned p) { return *outputs_[p]; }

  const SwitchStats& request_stats() const { return requests_.stats(); }
  const SwitchStats& response_stats() const { return responses_.stats(); }
  /// Returns whether nothing is queued or in flight.
  bool idle() const;
  std::string describe() const;
  void register_stats(StatRegistry& registry, unsigned index = 0);

 private:
  /// Arrival cycles of the visible packets of one input queue, oldest first.
  using Arrivals = Ring<Cycle>;

  Cycle tick(Cycle now) override;
  void deliver(Cycle now);
  void look_at_requests(Cycle now);
  void look_at_responses(Cycle now);
  void arbitrate(Cycle now);
  unsigned route(const Payload& payload) const;
  unsigned flits(const Payload& payload, bool with_data) const;
  unsigned debug(Payload& payload);
  void blocking(Payload& payload, sc_core::sc_time& delay);

  Params params_;
  const AddressMap& map_;
  std::vector<std::unique_ptr<ServicePort>> inputs_;
  std::vector<std::unique_ptr<RequestPort>> outputs_;
  Switch requests_;
  Switch responses_;
  OriginTable origins_;
  std::vector<Arrivals> request_arrivals_;
  std::vector<Arrivals> response_arrivals_;
  PortSet active_inputs_;   // input queues to look at
  PortSet active_outputs_;  // response queues to look at
};

}  // namespace warpmem::noc
