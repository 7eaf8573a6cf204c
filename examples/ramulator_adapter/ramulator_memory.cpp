// SPDX-License-Identifier: Apache-2.0
#include "ramulator_memory.hpp"

#include <utility>

#include "base/base.h"
#include "base/payload_bytes.hpp"
#include "base/request.h"
#include "frontend/frontend.h"
#include "memory_system/memory_system.h"

using warpmem::Addr;
using warpmem::Cycle;
using warpmem::Payload;

RamulatorMemory::RamulatorMemory(sc_core::sc_module_name name, warpmem::ClockDomain& clock,
                                 Ramulator::IFrontEnd& frontend, Ramulator::IMemorySystem& memory,
                                 unsigned part_bytes, std::function<Addr(Addr)> local)
    : sc_module(name),
      Clocked(clock),
      in("in", *this, 4),
      frontend_(frontend),
      memory_(memory),
      part_bytes_(part_bytes),
      local_(std::move(local)),
      pending_(kPending) {
  in.on_debug([this](Payload& payload) { return debug(payload); });
}

// Ramulator refreshes all the time, so it is ticked all the time.
Cycle RamulatorMemory::tick(Cycle now) {
  in.begin_cycle();
  answer();
  accept();
  send();
  memory_.tick();
  return now + 1;
}

void RamulatorMemory::answer() {
  if (!in.can_respond()) return;
  for (Pending& p : pending_) {
    if (!p.busy || p.unsent != 0 || p.awaited != 0) continue;
    access(*p.payload);
    p.payload->set_response_status(tlm::TLM_OK_RESPONSE);
    p.busy = false;
    in.respond(*p.payload);
    return;
  }
}

void RamulatorMemory::accept() {
  if (sending_ != kPending || in.request() == nullptr) return;
  for (unsigned i = 0; i < kPending; ++i) {
    if (pending_[i].busy) continue;
    Payload* const payload = in.take_request();
    const Addr address = payload->get_address();
    const Addr end = address + payload->get_data_length();
    const unsigned parts =
        static_cast<unsigned>((end + part_bytes_ - 1) / part_bytes_ - address / part_bytes_);
    pending_[i] = {payload, parts, payload->is_read() ? parts : 0, true};
    sending_ = i;
    return;
  }
}

// One part a cycle, as long as Ramulator's queues take them.
void RamulatorMemory::send() {
  if (sending_ == kPending) return;
  Pending& p = pending_[sending_];
  const bool read = p.payload->is_read();
  const Addr end = local_(p.payload->get_address()) + p.payload->get_data_length();
  const Addr last = (end - 1) / part_bytes_ * part_bytes_;
  const Addr part = last - Addr(p.unsent - 1) * part_bytes_;
  const bool taken = frontend_.receive_external_requests(
      read ? Ramulator::Request::Type::Read : Ramulator::Request::Type::Write,
      static_cast<Ramulator::Addr_t>(part), 0, [this, place = sending_, read](Ramulator::Request&) {
        if (read) --pending_[place].awaited;
      });
  if (taken && --p.unsent == 0) sending_ = kPending;
}

void RamulatorMemory::access(Payload& payload) {
  std::vector<std::uint8_t> bytes(payload.get_data_length());
  const unsigned n = payload.get_data_length();
  image_.read(payload.get_address(), n, bytes.data());
  if (payload.is_read()) return warpmem::store_to_payload(payload, bytes.data());
  warpmem::load_from_payload(payload, bytes.data());
  image_.write(payload.get_address(), n, bytes.data());
}

unsigned RamulatorMemory::debug(Payload& payload) {
  access(payload);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return payload.get_data_length();
}
