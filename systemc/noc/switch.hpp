// SPDX-License-Identifier: Apache-2.0
// One direction of the crossbar, without sockets: which inputs have packets for which outputs, who
// of them may send, and a pipeline of fixed latency behind each output. A packet of F flits holds
// its input and its output for F cycles.
//
//   cycle g           : granted, its input and output are busy in g .. g+F-1
//   cycle g+latency+F-1 : its last flit is at the end of the pipeline; the packet may leave
//
// A packet may have a longer way than the others to its output. Packets leave an output in the
// order in which they are ready, so one from nearby passes those that are still on their way.
//
// Who may send: an input with one queue wants one output at a time, that of the head, and each
// output takes the inputs in turn. An input with a queue for each output may want many, and Islip
// pairs them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bit_set.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/types.hpp"
#include "base/watchers.hpp"
#include "noc/islip.hpp"

namespace warpmem::noc {

struct SwitchStats {
  std::uint64_t packets_in = 0;   ///< packets that were granted
  std::uint64_t packets_out = 0;  ///< packets that left
  std::uint64_t far_packets = 0;  ///< of packets_in, those that had a longer way
  std::uint64_t flits = 0;
  std::uint64_t busy_cycles = 0;  ///< output-cycles in which a flit was switched
  /// Input-cycles in which a free input had a packet that may go, and sent none.
  std::uint64_t blocked_cycles = 0;
  /// Output-cycles in which a packet waited for END_REQ/END_RESP.
  std::uint64_t stalled_cycles = 0;
  Histogram latency;  ///< cycles from arrival in the input queue to departure

  SwitchStats();
};

/// Is told of each packet.
class SwitchWatch {
 public:
  virtual ~SwitchWatch() = default;
  /// A packet occupies `output` in the cycles [from, from + flits).
  virtual void granted(unsigned input, unsigned output, Cycle from, unsigned flits) = 0;
};

class Switch {
 public:
  static constexpr unsigned kMaxPorts = kMaxSlices;

  struct Params {
    unsigned inputs = 1;   ///< 1..kMaxPorts
    unsigned outputs = 1;  ///< 1..kMaxPorts
    unsigned latency = 1;  ///< cycles, at least 1
    /// Packets that may wait at an output beyond those on their way, whose flits the latency holds;
    /// at least 1.
    unsigned room = 1;
    unsigned far = 0;  ///< most cycles that a packet takes more than the latency
    /// Iterations of Islip in a cycle, for inputs that want several outputs; 0: they want one.
    unsigned iterations = 0;
  };
  explicit Switch(const Params& params);
  /// From now on an input may want several outputs for copies of one packet.
  void allow_copies() { copies_ = true; }
  /// `watch` is told of what happens from now on; it must outlive the switch.
  void watch(SwitchWatch& watch) { watchers_.add(watch); }

  /// Inputs that have a packet that has not been granted.
  const PortSet& waiting_inputs() const { return waiting_; }
  /// `input` has a packet for `output`, and may have said so before.
  void want(unsigned input, unsigned output, Cycle now);

  struct Packet {
    Payload* payload = nullptr;
    Cycle arrived = 0;   ///< cycle in which it came into the input queue
    unsigned flits = 1;  ///< at least one
    unsigned far = 0;    ///< cycles that it takes more than the latency
    unsigned tag = 0;    ///< of the caller's, see departing_tag()
    bool more = false;   ///< its input has another packet that may go to the same output
    /// It goes to further outputs, too, whose copies may leave the input at the same time.
    bool shares_input = false;
  };
  /// Performs one round of arbitration between the outputs that are free and have room and the
  /// inputs that are free. Calls grant(input, output), which returns the packet that goes. Stops
  /// after `budget` grants, and begins the next time with an output that got nothing.
  template <class Grant>
  void arbitrate(Cycle now, unsigned budget, Grant&& grant);

  /// Outputs that have a packet in their pipeline.
  const PortSet& filled() const { return filled_; }
  /// The packet that may leave `output` now, or nullptr.
  Payload* departing(unsigned output, Cycle now) const {
    return head_ready_[output] <= now ? outputs_[output].pipe.front().payload : nullptr;
  }
  /// The tag of that packet. Precondition: there is one.
  unsigned departing_tag(unsigned output) const { return outputs_[output].pipe.front().tag; }
  /// Lets that packet leave.
  void depart(unsigned output, Cycle now);

  /// Returns the next cycle > now in which a pipeline's head becomes ready, or arbitration can
  /// succeed. A packet that is ready but held back does not count.
  Cycle next_work(Cycle now) { return settled(now) ? next_ : find_next_work(now); }
  /// Returns whether a pipeline has a packet that is ready. To be asked before anything else
  /// happens in a cycle, and next_work() after everything.
  bool may_deliver(Cycle now) const { return now >= first_ready_; }

  bool idle() const { return waiting_.none() && filled_.none(); }
  /// Counts the waiting before `now` of what still waits.
  void settle(Cycle now);
  const SwitchStats& stats() const { return stats_; }
  std::string describe() const;

 private:
  struct InFlight {
    Payload* payload = nullptr;
    Cycle ready = 0;
    Cycle arrived = 0;
    unsigned tag = 0;
    unsigned flits = 0;
  };
  struct Input {
    unsigned wanted = 0;  // outputs that it wants
    Cycle since = 0;      // cycle since which it waits, being free; later: it sends until then
    Cycle counted = 0;    // the cycles before are in blocked_cycles
    Cycle free = 0;       // first cycle in which it can send
  };
  struct Output {
    explicit Output(unsigned depth) : pipe(depth) {}
    Ring<InFlight> pipe;  // by the cycle in which they are ready
    unsigned on_way = 0;  // flits in the pipe, but for the oldest room_ packets
    PortSet waiting;      // inputs that want this output
    Cycle free = 0;
    Cycle last_departure = 0;  // stalls before this cycle are counted, or were departures
    unsigned next = 0;         // input at which round-robin starts, without Islip
  };

  /// Nothing has happened since next_work() said that nothing would until after `now`.
  bool settled(Cycle now) const { return next_ > now; }
  Cycle find_next_work(Cycle now);
  /// Returns the cycles before `now` that `input` was blocked and that are not counted yet.
  static Cycle blocked(const Input& input, Cycle now);
  void release_inputs(Cycle now);
  bool has_room(const Output& output) const { return output.on_way < on_way_at_most_; }
  bool open(const Output& output, Cycle now) const {
    return output.free <= now && has_room(output);
  }
  void enter(Output& output, const InFlight& packet) const;
  InFlight leave(Output& output) const;
  /// Returns the earliest cycle in which one of `inputs` can send.
  Cycle first_free(const PortSet& inputs) const;
  void switch_packet(unsigned input, unsigned output, const Packet& packet, Cycle now);

  unsigned latency_;
  unsigned room_;
  unsigned on_way_at_most_;  // flits
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::optional<Islip> islip_;
  PortSet waiting_;
  PortSet busy_inputs_;
  bool copies_ = false;
  PortSet wanted_;      // outputs that some input wants
  unsigned first_ = 0;  // output that is served first, without Islip
  PortSet filled_;
  std::vector<Cycle>
      head_ready_;              // by output: when the head of its pipeline is; kNever: it is empty
  Cycle first_ready_ = kNever;  // of the heads of all pipelines, but for those that left since
  Cycle next_ = 0;              // what next_work() said last, or 0: something has happened since
  SwitchStats stats_;
  Watchers<SwitchWatch> watchers_;
};

template <class Grant>
void Switch::arbitrate(Cycle now, unsigned budget, Grant&& grant) {
  if (settled(now) || wanted_.none()) return;
  release_inputs(now);
  if (islip_) {
    PortSet free;
    wanted_.for_each([&](unsigned o) {
      if (open(outputs_[o], now)) free.set(o);
    });
    const auto waiting = [&](unsigned o) -> const PortSet& { return outputs_[o].waiting; };
    islip_->match(free, busy_inputs_, budget, waiting,
                  [&](unsigned i, unsigned o) { switch_packet(i, o, grant(i, o), now); });
    return;
  }
  unsigned left_out = PortSet::kNone;
  const auto serve = [&](unsigned o) {
    Output& output = outputs_[o];
    if (!open(output, now)) return;
    const unsigned input = output.waiting.next(output.next, busy_inputs_);
    if (input == PortSet::kNone) return;
    if (budget == 0) {
      if (left_out == PortSet::kNone) left_out = o;
      return;
    }
    switch_packet(input, o, grant(input, o), now);
    --budget;
  };
  if (first_ == 0) {
    wanted_.for_each(serve);
  } else {
    const PortSet wanted = wanted_;  // without those that are served first
    wanted.for_each([&](unsigned o) {
      if (o >= first_) serve(o);
    });
    wanted.for_each([&](unsigned o) {
      if (o < first_) serve(o);
    });
  }
  first_ = left_out == PortSet::kNone ? 0 : left_out;
}

}  // namespace warpmem::noc
