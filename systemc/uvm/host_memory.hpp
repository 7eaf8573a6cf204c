// SPDX-License-Identifier: Apache-2.0
// Host memory, the far end of the link. It has an image of its own, so that the data check finds a
// page that is lost between the two memories. It answers in the next cycle.
#pragma once

#include <string>

#include "base/clock_domain.hpp"
#include "base/memory_image.hpp"
#include "base/tlm_ports.hpp"

namespace warpmem::uvm {

class HostMemory : public sc_core::sc_module, public Clocked {
 public:
  /// `carry_data` tells whether bytes are stored.
  HostMemory(sc_core::sc_module_name name, ClockDomain& domain, bool carry_data);

  ServicePort reads;
  ServicePort writes;

  void read(Addr address, unsigned bytes, std::uint8_t* out) const {
    image_.read(address, bytes, out);
  }
  void write(Addr address, unsigned bytes, const std::uint8_t* in) {
    image_.write(address, bytes, in);
  }
  bool idle() const { return reads.idle() && writes.idle(); }
  std::string describe() const;

 private:
  Cycle tick(Cycle now) override;
  bool serve(ServicePort& port);
  void access(Payload& payload);
  unsigned debug(Payload& payload);
  /// Preconditions: at most kMaxLineBytes; a read or a write.
  void blocking(Payload& payload);

  bool carry_data_;
  MemoryImage image_;
};

}  // namespace warpmem::uvm
