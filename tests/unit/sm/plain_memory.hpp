// SPDX-License-Identifier: Apache-2.0
// A memory behind an SM, or a part of one, that answers after a fixed time.
#pragma once

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <vector>

#include "base/transaction.hpp"

namespace warpmem::sm {

/// Answers every request `latency` after it came.
class PlainMemory : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(PlainMemory);
  PlainMemory(sc_core::sc_module_name name, sc_core::sc_time latency)
      : sc_module(name), socket("socket"), latency_(latency), queue_("queue") {
    socket.register_nb_transport_fw(this, &PlainMemory::fw);
    SC_METHOD(answer);
    sensitive << queue_.get_event();
    dont_initialize();
  }
  tlm_utils::simple_target_socket<PlainMemory> socket;
  unsigned requests = 0;
  struct Request {
    Addr address;
    unsigned bytes;
    unsigned sectors;
    bool write;
    std::uint32_t tag;
  };
  std::vector<Request> seen;

 private:
  tlm::tlm_sync_enum fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    ++requests;
    seen.push_back({p.get_address(), p.get_data_length(), access_of(p).sectors, p.is_write(),
                    access_of(p).tag});
    p.acquire();
    queue_.notify(p, latency_);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void answer() {
    while (tlm::tlm_generic_payload* p = queue_.get_next_transaction()) {
      p->set_response_status(tlm::TLM_OK_RESPONSE);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      socket->nb_transport_bw(*p, phase, delay);
      p->release();
    }
  }
  sc_core::sc_time latency_;
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> queue_;
};

}  // namespace warpmem::sm
