// SPDX-License-Identifier: Apache-2.0
// What unified virtual memory asks of the machine around it.
#pragma once

#include <cstdint>
#include <functional>

#include "base/types.hpp"
#include "uvm/page.hpp"

namespace warpmem::uvm {

/// Caches and device memory. The migrator calls these when every module of the present time has
/// been ticked (Migrator::copy).
struct DeviceHooks {
  /// Returns whether no cache is at work on a line of these bytes, though every request has been
  /// answered.
  std::function<bool(Addr, std::uint64_t bytes)> settled;
  /// Takes these bytes out of device memory, whatever cache holds the newest; `out` is nullptr
  /// when nobody wants them.
  std::function<void(Addr, unsigned bytes, std::uint8_t* out)> take;
  /// Puts these bytes into device memory.
  std::function<void(Addr, unsigned bytes, const std::uint8_t* in)> put;
};

/// These and the TLBs.
struct MachineHooks : DeviceHooks {
  /// Withdraws pages from every TLB; each then calls drained() with the number of the departure.
  std::function<void(unsigned id, PageNumber first, std::uint64_t count)> shoot_down;
};

}  // namespace warpmem::uvm
