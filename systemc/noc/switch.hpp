// SPDX-License-Identifier: Apache-2.0
// One direction of the crossbar, without sockets: the heads of the input queues, an arbiter for
// each output, and a pipeline of fixed latency behind it. A packet of F flits holds its input and
// its output for F cycles.
//
//   cycle g           : granted, its input and output are busy in g .. g+F-1
//   cycle g+latency+F-1 : its last flit is at the end of the pipeline; the packet may leave
//
// A packet may have a longer way than the others to its output. Packets leave an output in the
// order in which they are ready, so one from nearby passes those that are still on their way.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bit_set.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/types.hpp"

namespace warpmem::noc {

struct SwitchStats {
  std::uint64_t packets_in = 0;   ///< packets that were granted
  std::uint64_t packets_out = 0;  ///< packets that left
  std::uint64_t far_packets = 0;  ///< of packets_in, those that had a longer way
  std::uint64_t flits = 0;
  std::uint64_t busy_cycles = 0;     ///< output-cycles in which a flit was switched
  std::uint64_t blocked_cycles = 0;  ///< input-cycles in which a head with a free input waited
  /// Output-cycles in which a packet waited for END_REQ/END_RESP.
  std::uint64_t stalled_cycles = 0;
  Histogram latency;  ///< cycles from arrival in the input queue to departure

  SwitchStats();
};

class Switch {
 public:
  static constexpr unsigned kMaxPorts = kMaxSlices;

  /// `inputs` and `outputs` are 1..kMaxPorts, `latency` is at least 1 cycle. At each output `room`
  /// packets may wait beyond those that the latency itself holds.
  /// A packet takes at most `far` cycles more than the latency, which leaves room for more of them.
  Switch(unsigned inputs, unsigned outputs, unsigned latency, unsigned room, unsigned far = 0);

  /// Inputs whose head is known and has not been granted.
  const PortSet& heads() const { return heads_; }
  /// The packet at the head of `input` wants `output`, to which it takes `far` cycles more than the
  /// latency. Precondition: its head is not known yet.
  void set_head(unsigned input, unsigned output, unsigned flits, Cycle now, unsigned far = 0);

  /// Performs one round of arbitration: each output that is free and has room grants, in
  /// round-robin order, the next head that waits for it on a free input. Calls grant(input,
  /// output), which returns the granted payload and the cycle at which it arrived. Stops after
  /// `budget` grants.
  struct Packet {
    Payload* payload;
    Cycle arrived;
    unsigned tag = 0;  ///< of the caller's, see departing_tag()
  };
  template <class Grant>
  void arbitrate(Cycle now, unsigned budget, Grant&& grant);

  /// Outputs that have a packet in their pipeline.
  const PortSet& filled() const { return filled_; }
  /// The packet that may leave `output` now, or nullptr.
  Payload* departing(unsigned output, Cycle now) const;
  /// The tag of that packet. Precondition: there is one.
  unsigned departing_tag(unsigned output) const { return outputs_[output].pipe.front().tag; }
  /// Lets that packet leave.
  void depart(unsigned output, Cycle now);

  /// Returns the next cycle > now in which a pipeline's head becomes ready, or arbitration can
  /// succeed. A packet that is ready but held back does not count.
  Cycle next_work(Cycle now) const;

  bool idle() const { return heads_.none() && filled_.none(); }
  const SwitchStats& stats() const { return stats_; }
  SwitchStats& stats() { return stats_; }
  std::string describe() const;

 private:
  struct InFlight {
    Payload* payload = nullptr;
    Cycle ready = 0;
    Cycle arrived = 0;
    unsigned tag = 0;
  };
  struct Input {
    unsigned output = 0;
    unsigned flits = 0;
    unsigned far = 0;
    Cycle since = 0;  // cycle since which its head has waited
    Cycle free = 0;   // first cycle in which it can send
  };
  struct Output {
    explicit Output(unsigned depth) : pipe(depth) {}
    Ring<InFlight> pipe;  // by the cycle in which they are ready
    PortSet waiting;      // inputs whose head wants this output
    Cycle free = 0;
    Cycle last_departure = 0;  // cycle of the last departure + 1; 0: there was none
    unsigned next = 0;         // input at which round-robin starts
  };

  void release_inputs(Cycle now);
  /// Returns the earliest cycle in which one of `inputs` can send.
  Cycle first_free(const PortSet& inputs) const;
  void switch_packet(unsigned input, unsigned output, const Packet& packet, Cycle now);

  unsigned latency_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  PortSet heads_;
  PortSet busy_inputs_;
  PortSet wanted_;  // outputs that some head wants
  PortSet filled_;
  SwitchStats stats_;
};

template <class Grant>
void Switch::arbitrate(Cycle now, unsigned budget, Grant&& grant) {
  release_inputs(now);
  wanted_.for_each([&](unsigned o) {
    Output& output = outputs_[o];
    if (budget == 0 || output.free > now || output.pipe.full()) return;
    const unsigned input = output.waiting.next(output.next, busy_inputs_);
    if (input == PortSet::kNone) return;
    switch_packet(input, o, grant(input, o), now);
    --budget;
  });
}

}  // namespace warpmem::noc
