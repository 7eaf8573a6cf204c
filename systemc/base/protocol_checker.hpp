// SPDX-License-Identifier: Apache-2.0
// A monitor for one link. It sits between an initiator and a target socket, forwards every call at
// once and unchanged, and checks the TLM-2.0 base protocol (IEEE 1666-2011, clause 15.2) on the
// way. It adds no time and holds no reference to a transaction.
//
// Rules, for each transaction on this hop:
//   phase order      BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP, each from its side; BEGIN_RESP may
//                    imply END_REQ, and a side may answer on the return path
//   exclusion        no BEGIN_REQ before the last one has its END_REQ; no BEGIN_RESP before the
//                    last one has its END_RESP
//   return value     TLM_ACCEPTED changes neither phase nor delay, TLM_UPDATED goes to a phase that
//                    the callee may give, TLM_COMPLETED answers BEGIN_REQ, BEGIN_RESP or END_RESP
//   reference count  a memory manager, and at least one reference while in flight
//   attributes       sensible at BEGIN_REQ, and command, address, length, pointers and streaming
//                    width the same until the end
//   response status  INCOMPLETE at BEGIN_REQ, set at BEGIN_RESP (or completion), then unchanged
//   timing           time + delay never decreases, nor is a delay "negative" (2^63 fs and more)
// Phases other than these four are ignorable: they are forwarded and not checked.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>

#include "base/types.hpp"

namespace warpmem {

/// A broken rule throws SimulationError from the call that broke it, with the checker's name, the
/// rule, the transaction and the time.
class ProtocolChecker : public sc_core::sc_module {
 public:
  explicit ProtocolChecker(sc_core::sc_module_name name);

  tlm_utils::simple_target_socket<ProtocolChecker> target;        ///< towards the initiator
  tlm_utils::simple_initiator_socket<ProtocolChecker> initiator;  ///< towards the target

  /// Number of transactions begun, blocking ones included.
  std::uint64_t count() const { return count_; }
  /// Number of transactions begun and not ended; 0 once the machine is drained.
  std::size_t outstanding() const { return open_.size() + blocking_; }

 private:
  using Payload = tlm::tlm_generic_payload;

  struct Attributes {
    tlm::tlm_command command;
    Addr address;
    const unsigned char* data;
    unsigned length;
    const unsigned char* byte_enable;
    unsigned byte_enable_length;
    unsigned streaming_width;
  };
  enum class State : std::uint8_t { requesting, requested, responding };
  struct Open {
    State state = State::requesting;
    Attributes attributes{};
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    Femtoseconds time = 0;  // time of the last phase, annotation included
  };

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void b_transport(Payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(Payload& payload);
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi);
  void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end);

  tlm::tlm_sync_enum forward_request(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum forward_end_response(Payload& payload, tlm::tlm_phase& phase,
                                          sc_core::sc_time& delay);
  tlm::tlm_sync_enum forward_end_request(Payload& payload, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay);
  tlm::tlm_sync_enum forward_response(Payload& payload, tlm::tlm_phase& phase,
                                      sc_core::sc_time& delay);

  static Attributes attributes_of(const Payload& payload);
  Open& open(Payload& payload, const tlm::tlm_phase& phase);
  void check_begin(const Payload& payload) const;
  void check_unchanged(const Payload& payload, const Open& state) const;
  void check_response(const Payload& payload, const Open& state) const;
  void check_returned(const Payload& payload, tlm::tlm_sync_enum status,
                      const tlm::tlm_phase& before, const tlm::tlm_phase& after,
                      const sc_core::sc_time& sent, const sc_core::sc_time& returned) const;
  Femtoseconds effective_time(const Payload& payload, const sc_core::sc_time& delay) const;
  void advance(const Payload& payload, Open& state, const sc_core::sc_time& delay) const;
  void end_request(Payload& payload, Open& state);
  void begin_response(Payload& payload, Open& state);
  void end(Payload& payload);
  [[noreturn]] void broken(const char* rule, const std::string& what, const Payload& payload) const;

  std::unordered_map<const Payload*, Open> open_;
  const Payload* requesting_ = nullptr;  // payload with BEGIN_REQ and without END_REQ
  const Payload* responding_ = nullptr;  // payload with BEGIN_RESP and without END_RESP
  std::size_t blocking_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace warpmem
