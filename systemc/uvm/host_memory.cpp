// SPDX-License-Identifier: Apache-2.0
#include "uvm/host_memory.hpp"

#include <fmt/format.h>

#include <array>

#include "base/payload_bytes.hpp"

namespace warpmem::uvm {

HostMemory::HostMemory(sc_core::sc_module_name name, ClockDomain& domain, bool carry_data)
    : sc_module(name),
      Clocked(domain),
      reads("reads", *this, 2),
      writes("writes", *this, 2),
      carry_data_(carry_data) {
  for (ServicePort* const port : {&reads, &writes})
    port->on_debug([this](Payload& payload) { return debug(payload); });
  reads.on_blocking([this](Payload& payload, sc_core::sc_time&) { blocking(payload); });
}

Cycle HostMemory::tick(Cycle now) {
  reads.begin_cycle();
  writes.begin_cycle();
  const bool read = serve(reads);
  const bool wrote = serve(writes);
  return read || wrote ? now + 1 : kNever;
}

bool HostMemory::serve(ServicePort& port) {
  if (port.request() == nullptr || !port.can_respond()) return false;
  Payload& payload = *port.take_request();
  access(payload);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  port.respond(payload);
  return true;
}

void HostMemory::access(Payload& payload) {
  if (!carry_data_) return;
  if (payload.is_read()) {
    image_.read(payload.get_address(), payload.get_data_length(), payload.get_data_ptr());
  } else if (payload.is_write()) {
    image_.write(payload.get_address(), payload.get_data_length(), payload.get_data_ptr());
  }
}

unsigned HostMemory::debug(Payload& payload) {
  access(payload);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return payload.get_data_length();
}

// With byte enables, which migrations do not have.
void HostMemory::blocking(Payload& payload) {
  std::array<std::uint8_t, kMaxLineBytes> bytes;
  const unsigned n = payload.get_data_length();
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (!carry_data_) return;
  image_.read(payload.get_address(), n, bytes.data());
  if (payload.is_read()) return store_to_payload(payload, bytes.data());
  load_from_payload(payload, bytes.data());
  image_.write(payload.get_address(), n, bytes.data());
}

std::string HostMemory::describe() const {
  return fmt::format("{}: {}; {}", name(), reads.describe(), writes.describe());
}

}  // namespace warpmem::uvm
