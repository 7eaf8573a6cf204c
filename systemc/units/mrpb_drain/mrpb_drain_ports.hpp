// SPDX-License-Identifier: Apache-2.0
// Ports of MRPB's drain selector, in all its views. Masks have a bit for each queue.
#pragma once

#include <cstdint>

namespace warpmem::units {

struct MrpbDrainIn {
  std::uint64_t ready = 0;      ///< queues whose oldest request may leave, if they hold one
  bool take = false;            ///< the chosen request leaves, if there is one
  bool head_valid = false;      ///< a request waits to enter or pass
  bool head_stored = false;     ///< that request is to be stored; else its queue has to be empty
  std::uint8_t head_queue = 0;  ///< queue of the waiting request, and of the one that enters
  bool enter = false;           ///< a request is stored in head_queue, after another one has left

  bool operator==(const MrpbDrainIn& o) const {
    return ready == o.ready && take == o.take && head_valid == o.head_valid &&
           head_stored == o.head_stored && head_queue == o.head_queue && enter == o.enter;
  }
};

struct MrpbDrainOut {
  bool drain_valid = false;      ///< some queue may drain
  bool drain_forced = false;     ///< the queue is the one that the waiting request needs
  std::uint8_t drain_queue = 0;  ///< 0 unless drain_valid
  bool head_full = false;        ///< head_queue has no room, after what leaves in this cycle
  bool head_empty = false;       ///< head_queue is empty, after what leaves in this cycle
  std::uint64_t held = 0;        ///< queues with requests

  bool operator==(const MrpbDrainOut& o) const {
    return drain_valid == o.drain_valid && drain_forced == o.drain_forced &&
           drain_queue == o.drain_queue && head_full == o.head_full && head_empty == o.head_empty &&
           held == o.held;
  }
  bool operator!=(const MrpbDrainOut& o) const { return !(*this == o); }
};

}  // namespace warpmem::units
