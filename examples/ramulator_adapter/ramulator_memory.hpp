// SPDX-License-Identifier: Apache-2.0
// Ramulator 2 as the memory of one partition: a TLM-2.0 target in Ramulator's own clock.
//
// A request is cut into requests of Ramulator's size. A read is answered when its last part has
// come back, a write when its last part was accepted, since Ramulator reports no completion of
// writes. Bytes live here and move when a request is answered.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/clock_domain.hpp"
#include "base/memory_image.hpp"
#include "base/tlm_ports.hpp"

namespace Ramulator {
class IFrontEnd;
class IMemorySystem;
}  // namespace Ramulator

class RamulatorMemory : public sc_core::sc_module, public warpmem::Clocked {
 public:
  /// A frontend of kind GEM5 and its memory system, connected; `clock` has the memory system's
  /// frequency. `part_bytes`: of one of Ramulator's requests. `local` gives the address within the
  /// partition.
  RamulatorMemory(sc_core::sc_module_name name, warpmem::ClockDomain& clock,
                  Ramulator::IFrontEnd& frontend, Ramulator::IMemorySystem& memory,
                  unsigned part_bytes, std::function<warpmem::Addr(warpmem::Addr)> local);

  warpmem::ServicePort in;

 private:
  /// A request, oldest first in the order of their acceptance by Ramulator.
  struct Pending {
    warpmem::Payload* payload = nullptr;
    unsigned unsent = 0;   ///< parts that Ramulator has not accepted
    unsigned awaited = 0;  ///< parts that have not come back
    bool busy = false;
  };
  static constexpr unsigned kPending = 64;

  warpmem::Cycle tick(warpmem::Cycle now) override;
  void answer();
  void accept();
  void send();
  void access(warpmem::Payload& payload);
  unsigned debug(warpmem::Payload& payload);

  Ramulator::IFrontEnd& frontend_;
  Ramulator::IMemorySystem& memory_;
  unsigned part_bytes_;
  std::function<warpmem::Addr(warpmem::Addr)> local_;
  warpmem::MemoryImage image_;
  std::vector<Pending> pending_;
  unsigned sending_ = kPending;  // the one whose parts are sent; kPending: none
};
