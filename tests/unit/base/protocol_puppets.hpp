// SPDX-License-Identifier: Apache-2.0
// A protocol checker between two puppets: the test makes every call and chooses every answer.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "base/clock_domain.hpp"
#include "base/errors.hpp"
#include "base/protocol_checker.hpp"
#include "base/transaction.hpp"

namespace warpmem {

using Payload = tlm::tlm_generic_payload;
using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

using Answer = std::function<tlm_sync_enum(Payload&, tlm_phase&, sc_time&)>;

inline tlm_sync_enum accept(Payload&, tlm_phase&, sc_time&) { return tlm::TLM_ACCEPTED; }
inline tlm_sync_enum complete(Payload&, tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; }
inline Answer update_to(tlm_phase to) {
  return [to](Payload&, tlm_phase& phase, sc_time&) {
    phase = to;
    return tlm::TLM_UPDATED;
  };
}

struct PuppetInitiator : sc_core::sc_module {
  explicit PuppetInitiator(sc_core::sc_module_name n) : sc_module(n), socket("socket") {
    socket.register_nb_transport_bw(this, &PuppetInitiator::nb_transport_bw);
    socket.register_invalidate_direct_mem_ptr(this, &PuppetInitiator::invalidate);
  }
  tlm_sync_enum nb_transport_bw(Payload& p, tlm_phase& phase, sc_time& delay) {
    return answer(p, phase, delay);
  }
  void invalidate(sc_dt::uint64 begin, sc_dt::uint64 end) { invalidated = end - begin + 1; }
  tlm_utils::simple_initiator_socket<PuppetInitiator> socket;
  Answer answer = accept;
  std::uint64_t invalidated = 0;
};

struct PuppetTarget : sc_core::sc_module {
  explicit PuppetTarget(sc_core::sc_module_name n) : sc_module(n), socket("socket") {
    socket.register_nb_transport_fw(this, &PuppetTarget::nb_transport_fw);
    socket.register_b_transport(this, &PuppetTarget::b_transport);
    socket.register_transport_dbg(this, &PuppetTarget::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &PuppetTarget::get_direct_mem_ptr);
  }
  tlm_sync_enum nb_transport_fw(Payload& p, tlm_phase& phase, sc_time& delay) {
    return answer(p, phase, delay);
  }
  void b_transport(Payload& p, sc_time& delay) { blocking(p, delay); }
  unsigned transport_dbg(Payload& p) { return p.get_data_length(); }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi& dmi) {
    dmi.set_start_address(0x40);
    return true;
  }
  tlm_utils::simple_target_socket<PuppetTarget> socket;
  Answer answer = accept;
  std::function<void(Payload&, sc_time&)> blocking = [](Payload& p, sc_time&) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
};

class ProtocolCheckerTest : public testing::Test {
 protected:
  ProtocolCheckerTest() {
    set_simulation_resolution();
    initiator = std::make_unique<PuppetInitiator>("initiator");
    checker = std::make_unique<ProtocolChecker>("checker");
    target = std::make_unique<PuppetTarget>("target");
    initiator->socket.bind(checker->target);
    checker->initiator.bind(target->socket);
    pass(5);
  }
  void pass(double ns) { sc_core::sc_start(sc_time(ns, sc_core::SC_NS)); }

  Transaction& make() { return pool.get(tlm::TLM_READ_COMMAND, 0x1000, 128); }
  tlm_sync_enum fw(Payload& p, tlm_phase phase, double delay_ns = 0) {
    sc_time delay(delay_ns, sc_core::SC_NS);
    return initiator->socket->nb_transport_fw(p, phase, delay);
  }
  tlm_sync_enum bw(Payload& p, tlm_phase phase, double delay_ns = 0) {
    sc_time delay(delay_ns, sc_core::SC_NS);
    return target->socket->nb_transport_bw(p, phase, delay);
  }
  tlm_sync_enum respond(Payload& p, double delay_ns = 0) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return bw(p, tlm::BEGIN_RESP, delay_ns);
  }
  /// What the checker says to the call, or "" when it is legal.
  static std::string complaint(const std::function<void()>& call) {
    try {
      call();
    } catch (const SimulationError& error) {
      return error.what();
    }
    return "";
  }
  static auto Breaks(const std::string& rule, const std::string& what) {
    return testing::AllOf(
        testing::HasSubstr("checker: TLM base protocol, rule '" + rule + "' broken"),
        testing::HasSubstr(what));
  }

  TransactionPool pool;
  std::unique_ptr<PuppetInitiator> initiator;
  std::unique_ptr<ProtocolChecker> checker;
  std::unique_ptr<PuppetTarget> target;
};

}  // namespace warpmem
