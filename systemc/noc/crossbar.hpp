// SPDX-License-Identifier: Apache-2.0
// The crossbar between the SMs' L1Ds and the slices of L2 (docs/mechanisms.md 1.3), in a clock
// domain of its own. It has one Switch for requests and one for responses. Requests go to the
// slice of their address, responses back to the input that their request came from. The payload
// passes through unchanged.
//
// An input queue is a FIFO, whose head alone may go, or holds a virtual queue for each output,
// whose oldest packets all may. Packets from one input to one output keep their order.
//
// `cluster` SMs share a port of each switch. Each keeps its input queue. Heads of FIFOs go to the
// port in turn, and one that has its turn keeps it until it is granted. With virtual queues the SMs
// that have a packet for the output that the port was granted take turns at it.
//
// The SMs of the first half of the ports and the first half of the slices are on one side of the
// chip. Packets between the sides take `far_latency` cycles more each way.
//
// With copies, the head of a FIFO may go to several outputs, each as it gets free; the input is
// taken until the last of them has passed. The copies' responses end at the input, whose own
// response is that to the copy that went last.
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
#include "base/transaction.hpp"
#include "noc/input_queue.hpp"
#include "noc/origin_table.hpp"
#include "noc/switch.hpp"

namespace warpmem::noc {

enum class InputQueues : std::uint8_t { fifo, virtual_output };

class Crossbar : public sc_core::sc_module, public Clocked {
 public:
  struct Params {
    std::uint64_t clock_hz = 700'000'000;  ///< the machine builds the clock domain from it
    std::uint32_t flit_bytes = 32;         ///< bytes of a flit, 1..256
    /// Bytes of a flit of responses, 0..256; 0: as flit_bytes.
    std::uint32_t response_flit_bytes = 0;
    std::uint32_t cluster = 1;      ///< SMs that share a port, 1..32
    std::uint32_t far_latency = 0;  ///< cycles more between the halves, each way, 0..4096
    /// Bytes of a request or response besides its data, 0..64.
    std::uint32_t header_bytes = 8;
    std::uint32_t latency = 8;  ///< cycles each way, 1..4096
    InputQueues input_queues = InputQueues::fifo;
    std::uint32_t iterations = 4;      ///< of Islip in a cycle, 1..16; for virtual queues
    std::uint32_t request_queue = 8;   ///< request packets that an input queue holds
    std::uint32_t response_queue = 8;  ///< response packets that an input queue holds
    std::uint32_t output_queue = 2;    ///< packets that may wait at an output of either direction
    /// Requests without a response yet, over all inputs, 0..2^20; 0: as set_in_flight() says.
    std::uint32_t in_flight = 0;

    bool virtual_queues() const { return input_queues == InputQueues::virtual_output; }
    unsigned response_flit() const {
      return response_flit_bytes != 0 ? response_flit_bytes : flit_bytes;
    }
    void describe(Schema& schema);
    void validate(Problems& problems) const;
  };

  /// `inputs` is the number of initiators, 1..256. There are as many outputs as `map` has slices.
  /// `map` must outlive the crossbar.
  Crossbar(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
           const AddressMap& map, unsigned inputs);

  /// Without in_flight: at most so many requests, 1..2^20, are without a response; 8192 until it is
  /// called. Precondition: idle().
  void set_in_flight(unsigned requests);
  /// From now on requests whose PeerMessage names outputs go to each of them; their copies come
  /// from the pool. Precondition: FIFOs, and a port for each input.
  void enable_copies(TransactionPool& pool);

  unsigned inputs() const { return static_cast<unsigned>(inputs_.size()); }
  unsigned outputs() const { return static_cast<unsigned>(outputs_.size()); }
  /// Bind an initiator to input(i).socket, and output(p).socket to slice p.
  ServicePort& input(unsigned i) { return *inputs_[i]; }
  RequestPort& output(unsigned p) { return *outputs_[p]; }

  /// The watches are told of the packets of each direction from now on; they must outlive the
  /// crossbar.
  void watch(SwitchWatch& requests, SwitchWatch& responses) {
    requests_.watch(requests);
    responses_.watch(responses);
  }
  /// Ports of the SMs' side, of each direction.
  unsigned sm_ports() const { return static_cast<unsigned>(head_inputs_.size()); }
  const SwitchStats& request_stats() const { return requests_.stats(); }
  const SwitchStats& response_stats() const { return responses_.stats(); }
  /// Returns whether nothing is queued or in flight.
  bool idle() const;
  std::string describe() const;
  void register_stats(StatRegistry& registry, unsigned index = 0, const char* group = "noc");

 private:
  Cycle tick(Cycle now) override;
  void deliver(Cycle now);
  void deliver_responses(Cycle now);
  void deliver_requests(Cycle now);
  void look_at_requests(Cycle now);
  void choose_head(unsigned port, Cycle now);
  void look_at_responses(Cycle now);
  void arbitrate(Cycle now);
  Switch::Packet take_request(unsigned port, unsigned slice);
  Switch::Packet take_response(unsigned slice, unsigned port);
  /// Returns the first SM of `port` after `last` for which has(SM) holds, or PortSet::kNone. `last`
  /// itself is asked last.
  template <class Has>
  unsigned next_of_cluster(unsigned port, unsigned last, Has&& has) const;
  /// Returns the SM whose packet goes from `port` to `slice`.
  unsigned choose_sender(unsigned port, unsigned slice);
  unsigned port_of(unsigned input) const {
    return params_.cluster == 1 ? input : input / params_.cluster;
  }
  /// Returns a bit for each output to which the head of input i is still to go.
  std::uint64_t outputs_of_head(unsigned i);
  Switch::Packet take_copy(unsigned input, unsigned output);
  Payload& copy_of(const Payload& payload);
  unsigned request_flits(const Payload& payload) const;
  unsigned response_flits(const Payload& payload) const;
  /// Returns the cycles that a packet between an SM's port and a slice takes beyond the latency.
  unsigned far(unsigned port, unsigned slice) const;
  unsigned debug(Payload& payload);
  void blocking(unsigned input, Payload& payload, sc_core::sc_time& delay);

  static constexpr unsigned kInFlight = 8192;
  static constexpr unsigned kCopy = 1u << 31;  // of an origin: nobody awaits the response

  Params params_;
  const AddressMap& map_;
  std::vector<std::unique_ptr<ServicePort>> inputs_;
  std::vector<std::unique_ptr<RequestPort>> outputs_;
  Switch requests_;
  Switch responses_;
  OriginTable origins_;
  std::vector<InputQueue> request_queues_;   // by input
  std::vector<InputQueue> response_queues_;  // by slice; the tag is the input to which it goes
  // By port: the input whose head stands at it, or did last.
  std::vector<unsigned> head_inputs_;
  // Of clusters with virtual queues, by port and slice: the input that sent last.
  std::vector<unsigned> last_senders_;
  TransactionPool* pool_ = nullptr;         // of copies; nullptr: there are none
  std::vector<std::uint64_t> copies_left_;  // by input: outputs of its head; 0: not looked at yet
  std::uint64_t copies_ = 0;                // made
  PortSet active_inputs_;                   // input queues to look at
  PortSet looked_at_;       // ports of clusters with an input that was looked at in this cycle
  PortSet active_outputs_;  // response queues to look at
};

}  // namespace warpmem::noc
