// SPDX-License-Identifier: Apache-2.0
// A memory of one's own, loosely timed: 200 ns an access, bytes in a map. Nothing of warpmem's is
// in here.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>
#include <unordered_map>

class OwnMemory : public sc_core::sc_module {
 public:
  explicit OwnMemory(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &OwnMemory::b_transport);
    socket.register_transport_dbg(this, &OwnMemory::transport_dbg);
  }
  tlm_utils::simple_target_socket<OwnMemory> socket;
  std::uint64_t accesses = 0;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    ++accesses;
    access(payload);
    delay += sc_core::sc_time(200, sc_core::SC_NS);
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    access(payload);
    return payload.get_data_length();
  }
  void access(tlm::tlm_generic_payload& payload) {
    const unsigned char* const enable = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (enable != nullptr && enable[i % payload.get_byte_enable_length()] == 0) continue;
      unsigned char& mine = bytes_[payload.get_address() + i];
      unsigned char& other = payload.get_data_ptr()[i];
      (payload.is_write() ? mine : other) = payload.is_write() ? other : mine;
    }
  }

  std::unordered_map<std::uint64_t, unsigned char> bytes_;
};
