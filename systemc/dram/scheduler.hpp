// SPDX-License-Identifier: Apache-2.0
// Decides which command the channel issues next. Each policy has a file; the table is in
// scheduler.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/added_kinds.hpp"
#include "dram/command.hpp"
#include "dram/device.hpp"
#include "dram/request_queue.hpp"

namespace warpmem::dram {

enum class Policy : std::uint8_t { fr_fcfs, fcfs };

/// A command for the request in `slot` at cycle `at`. It is none, at kNever, when nothing can
/// happen before the queue or the device changes.
struct Decision {
  Command command = Command::none;
  unsigned slot = RequestQueue::kNone;
  Cycle at = kNever;
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// Returns the command that a controller which looked at the queue in every cycle from `from` on
  /// would issue first, if no request arrived meanwhile. With `columns` false no column command may
  /// go (the response queue is full, or the column bus taken). Banks of which device.is_held() says
  /// so take no command.
  virtual Decision choose(const RequestQueue& queue, const Device& device, Cycle from,
                          bool columns) const = 0;
};

/// Returns the next command that the request in `slot` needs, at the first legal cycle from `from`
/// on; none while its bank is held for a refresh.
Decision next_command(const RequestQueue& queue, const Device& device, unsigned slot, Cycle from,
                      bool columns);

/// Policies from outside the tree.
using AddedSchedulers = AddedKinds<Scheduler>;
AddedSchedulers& added_schedulers();

/// A request older than `age_cap` DRAM cycles goes before everything; 0 = never. `added` names an
/// added policy that stands in for `policy`; empty: none does.
std::unique_ptr<Scheduler> make_scheduler(Policy policy, Cycle age_cap,
                                          const std::string& added = {});

}  // namespace warpmem::dram
