// SPDX-License-Identifier: Apache-2.0
// Where the packets of an input queue of the crossbar go, as far as they have been seen. The
// packets themselves wait in the port. Read as a FIFO it has a head; read as virtual queues, one
// for each output, which share its storage (Tamir, Frazier: High-Performance Multi-Queue Buffers
// for VLSI Communication Switches. ISCA 1988), it has an oldest packet for each output.
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "base/ring.hpp"
#include "base/types.hpp"

namespace warpmem::noc {

class InputQueue {
 public:
  struct Packet {
    Cycle arrived = 0;  ///< cycle in which it was seen
    unsigned output = 0;
    unsigned tag = 0;  ///< of the caller's
  };
  /// A packet, and how many older ones the port has before it.
  struct Taken {
    Packet packet;
    unsigned place = 0;
  };

  /// `capacity` is that of the port, 1..65535; `outputs` is at least 1.
  InputQueue(unsigned capacity, unsigned outputs) : packets_(capacity), count_(outputs) {}

  unsigned size() const { return static_cast<unsigned>(packets_.size()); }
  bool empty() const { return packets_.empty(); }
  bool full() const { return packets_.full(); }

  /// Precondition: !full().
  void push(const Packet& packet) {
    packets_.push(packet);
    ++count_[packet.output];
  }
  /// Returns the oldest packet. Precondition: !empty().
  const Packet& head() const { return packets_.front(); }
  /// Returns whether a packet goes to `output`.
  bool has(unsigned output) const { return count_[output] != 0; }
  /// Removes the oldest packet that goes to `output`. Precondition: has(output).
  Taken take(unsigned output) {
    assert(has(output));
    --count_[output];
    unsigned place = 0;
    while (packets_.at(place).output != output) ++place;
    return {place == 0 ? packets_.pop() : packets_.erase(place), place};
  }

 private:
  Ring<Packet> packets_;
  std::vector<std::uint16_t> count_;  // by output
};

}  // namespace warpmem::noc
