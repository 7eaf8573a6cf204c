// SPDX-License-Identifier: Apache-2.0
#include "base/protocol_checker.hpp"

#include <fmt/format.h>

#include "base/clock_domain.hpp"
#include "base/errors.hpp"

namespace warpmem {

namespace {

constexpr const char* kRulePhase = "phase order";
constexpr const char* kRuleExclusion = "exclusion";
constexpr const char* kRuleReturn = "return value";
constexpr const char* kRuleReferences = "reference count";
constexpr const char* kRuleAttributes = "attributes";
constexpr const char* kRuleStatus = "response status";
constexpr const char* kRuleTiming = "timing";

const char* command_name(tlm::tlm_command command) {
  switch (command) {
    case tlm::TLM_READ_COMMAND:
      return "read";
    case tlm::TLM_WRITE_COMMAND:
      return "write";
    case tlm::TLM_IGNORE_COMMAND:
      return "ignore";
  }
  return "unknown command";
}

}  // namespace

ProtocolChecker::ProtocolChecker(sc_core::sc_module_name name)
    : sc_module(name), target("target"), initiator("initiator") {
  target.register_nb_transport_fw(this, &ProtocolChecker::nb_transport_fw);
  target.register_b_transport(this, &ProtocolChecker::b_transport);
  target.register_transport_dbg(this, &ProtocolChecker::transport_dbg);
  target.register_get_direct_mem_ptr(this, &ProtocolChecker::get_direct_mem_ptr);
  initiator.register_nb_transport_bw(this, &ProtocolChecker::nb_transport_bw);
  initiator.register_invalidate_direct_mem_ptr(this, &ProtocolChecker::invalidate_direct_mem_ptr);
}

void ProtocolChecker::broken(const char* rule, const std::string& what,
                             const Payload& payload) const {
  const Femtoseconds t = simulation_now();
  throw SimulationError(fmt::format(
      "{}: TLM base protocol, rule '{}' broken: {}; transaction {}: {} of {} B at 0x{:x}, at "
      "{}.{:06} ns",
      name(), rule, what, fmt::ptr(&payload), command_name(payload.get_command()),
      payload.get_data_length(), payload.get_address(), t / 1'000'000, t % 1'000'000));
}

// ---- Rules -------------------------------------------------------------------------------------

ProtocolChecker::Attributes ProtocolChecker::attributes_of(const Payload& payload) {
  return {payload.get_command(),         payload.get_address(),
          payload.get_data_ptr(),        payload.get_data_length(),
          payload.get_byte_enable_ptr(), payload.get_byte_enable_length(),
          payload.get_streaming_width()};
}

ProtocolChecker::Open& ProtocolChecker::open(Payload& payload, const tlm::tlm_phase& phase) {
  const auto it = open_.find(&payload);
  if (it == open_.end())
    broken(kRulePhase, fmt::format("{} for a transaction not in flight", phase.get_name()),
           payload);
  return it->second;
}

void ProtocolChecker::check_begin(const Payload& payload) const {
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    broken(kRuleStatus, "BEGIN_REQ with " + payload.get_response_string(), payload);
  if (payload.get_streaming_width() == 0) broken(kRuleAttributes, "streaming width 0", payload);
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
    broken(kRuleAttributes, "byte enables of length 0", payload);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
  if (payload.get_data_ptr() == nullptr || payload.get_data_length() == 0)
    broken(kRuleAttributes, "no data pointer, or length 0", payload);
}

void ProtocolChecker::check_unchanged(const Payload& payload, const Open& state) const {
  if (!payload.has_mm() || payload.get_ref_count() < 1)
    broken(kRuleReferences, payload.has_mm() ? "nobody holds a reference" : "no memory manager",
           payload);
  const Attributes now = attributes_of(payload);
  const Attributes& then = state.attributes;
  const char* changed = now.command != then.command                         ? "command"
                        : now.address != then.address                       ? "address"
                        : now.length != then.length                         ? "data length"
                        : now.data != then.data                             ? "data pointer"
                        : now.byte_enable != then.byte_enable               ? "byte enable pointer"
                        : now.byte_enable_length != then.byte_enable_length ? "byte enable length"
                        : now.streaming_width != then.streaming_width       ? "streaming width"
                                                                            : nullptr;
  if (changed != nullptr)
    broken(kRuleAttributes, fmt::format("{} changed since BEGIN_REQ", changed), payload);
}

void ProtocolChecker::check_response(const Payload& payload, const Open& state) const {
  check_unchanged(payload, state);
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    broken(kRuleStatus, "a response with TLM_INCOMPLETE_RESPONSE", payload);
}

// TLM_ACCEPTED must not have changed anything. What the others may change depends on the phase, but
// the delay never shrinks.
void ProtocolChecker::check_returned(const Payload& payload, tlm::tlm_sync_enum status,
                                     const tlm::tlm_phase& before, const tlm::tlm_phase& after,
                                     const sc_core::sc_time& sent,
                                     const sc_core::sc_time& returned) const {
  if (status == tlm::TLM_ACCEPTED && (before != after || sent != returned))
    broken(kRuleReturn,
           fmt::format("TLM_ACCEPTED to {} with another phase or delay", before.get_name()),
           payload);
  if (returned < sent)
    broken(kRuleTiming, fmt::format("the delay shrank in answer to {}", before.get_name()),
           payload);
}

Femtoseconds ProtocolChecker::effective_time(const Payload& payload,
                                             const sc_core::sc_time& delay) const {
  if (delay.value() >> 63 != 0) broken(kRuleTiming, "negative delay", payload);
  return simulation_now() + delay.value();
}

void ProtocolChecker::advance(const Payload& payload, Open& state,
                              const sc_core::sc_time& delay) const {
  const Femtoseconds t = effective_time(payload, delay);
  if (t < state.time)
    broken(kRuleTiming,
           fmt::format("a phase takes effect {} fs before the one that it follows", state.time - t),
           payload);
  state.time = t;
}

void ProtocolChecker::end_request(Payload& payload, Open& state) {
  state.state = State::requested;
  if (requesting_ == &payload) requesting_ = nullptr;
}

void ProtocolChecker::begin_response(Payload& payload, Open& state) {
  if (responding_ != nullptr)
    broken(kRuleExclusion, "BEGIN_RESP while another response waits for END_RESP", payload);
  check_response(payload, state);
  end_request(payload, state);
  state.state = State::responding;
  state.status = payload.get_response_status();
  responding_ = &payload;
}

void ProtocolChecker::end(Payload& payload) {
  if (requesting_ == &payload) requesting_ = nullptr;
  if (responding_ == &payload) responding_ = nullptr;
  open_.erase(&payload);
}

// ---- Forward path ------------------------------------------------------------------------------

tlm::tlm_sync_enum ProtocolChecker::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) return forward_request(payload, phase, delay);
  if (phase == tlm::END_RESP) return forward_end_response(payload, phase, delay);
  if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
    broken(kRulePhase, fmt::format("{} from the initiator", phase.get_name()), payload);
  return initiator->nb_transport_fw(payload, phase, delay);
}

tlm::tlm_sync_enum ProtocolChecker::forward_request(Payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (open_.count(&payload) != 0)
    broken(kRulePhase, "BEGIN_REQ for a transaction in flight", payload);
  if (requesting_ != nullptr)
    broken(kRuleExclusion, "BEGIN_REQ while another request waits for END_REQ", payload);
  check_begin(payload);
  Open fresh;
  fresh.attributes = attributes_of(payload);
  check_unchanged(payload, fresh);
  fresh.time = effective_time(payload, delay);
  open_.emplace(&payload, fresh);
  requesting_ = &payload;
  ++count_;

  const sc_core::sc_time sent = delay;
  const tlm::tlm_sync_enum status = initiator->nb_transport_fw(payload, phase, delay);
  check_returned(payload, status, tlm::BEGIN_REQ, phase, sent, delay);
  if (status == tlm::TLM_ACCEPTED) return status;
  Open& state = open(payload, phase);
  advance(payload, state, delay);
  if (status == tlm::TLM_COMPLETED) {
    check_response(payload, state);
    end(payload);
  } else if (phase == tlm::END_REQ && state.state == State::requesting) {
    check_unchanged(payload, state);
    end_request(payload, state);
  } else if (phase == tlm::BEGIN_RESP && state.state != State::responding) {
    begin_response(payload, state);
  } else {
    broken(kRuleReturn, fmt::format("TLM_UPDATED to {} in answer to BEGIN_REQ", phase.get_name()),
           payload);
  }
  return status;
}

tlm::tlm_sync_enum ProtocolChecker::forward_end_response(Payload& payload, tlm::tlm_phase& phase,
                                                         sc_core::sc_time& delay) {
  Open& state = open(payload, phase);
  if (state.state != State::responding) broken(kRulePhase, "END_RESP before BEGIN_RESP", payload);
  check_unchanged(payload, state);
  if (payload.get_response_status() != state.status)
    broken(kRuleStatus, "changed since BEGIN_RESP to " + payload.get_response_string(), payload);
  advance(payload, state, delay);
  end(payload);  // comes before the call, since the target's release may be the last one
  const tlm::tlm_sync_enum status = initiator->nb_transport_fw(payload, phase, delay);
  if (status == tlm::TLM_UPDATED) broken(kRuleReturn, "TLM_UPDATED in answer to END_RESP", payload);
  return status;
}

// ---- Backward path -----------------------------------------------------------------------------

tlm::tlm_sync_enum ProtocolChecker::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ) return forward_end_request(payload, phase, delay);
  if (phase == tlm::BEGIN_RESP) return forward_response(payload, phase, delay);
  if (phase == tlm::BEGIN_REQ || phase == tlm::END_RESP)
    broken(kRulePhase, fmt::format("{} from the target", phase.get_name()), payload);
  return target->nb_transport_bw(payload, phase, delay);
}

tlm::tlm_sync_enum ProtocolChecker::forward_end_request(Payload& payload, tlm::tlm_phase& phase,
                                                        sc_core::sc_time& delay) {
  Open& state = open(payload, phase);
  if (state.state != State::requesting)
    broken(kRulePhase, "END_REQ for a request that has ended", payload);
  check_unchanged(payload, state);
  advance(payload, state, delay);
  end_request(payload, state);
  const sc_core::sc_time sent = delay;
  const tlm::tlm_sync_enum status = target->nb_transport_bw(payload, phase, delay);
  if (status != tlm::TLM_ACCEPTED)
    broken(kRuleReturn, "END_REQ not answered by TLM_ACCEPTED", payload);
  check_returned(payload, status, tlm::END_REQ, phase, sent, delay);
  return status;
}

tlm::tlm_sync_enum ProtocolChecker::forward_response(Payload& payload, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay) {
  Open& state = open(payload, phase);
  if (state.state == State::responding) broken(kRulePhase, "BEGIN_RESP twice", payload);
  advance(payload, state, delay);
  begin_response(payload, state);

  const sc_core::sc_time sent = delay;
  const tlm::tlm_sync_enum status = target->nb_transport_bw(payload, phase, delay);
  check_returned(payload, status, tlm::BEGIN_RESP, phase, sent, delay);
  if (status == tlm::TLM_UPDATED && phase != tlm::END_RESP)
    broken(kRuleReturn, fmt::format("TLM_UPDATED to {} in answer to BEGIN_RESP", phase.get_name()),
           payload);
  if (status != tlm::TLM_ACCEPTED) end(payload);
  return status;
}

// ---- Blocking, debug and direct access ---------------------------------------------------------

void ProtocolChecker::b_transport(Payload& payload, sc_core::sc_time& delay) {
  check_begin(payload);
  ++count_;
  ++blocking_;
  const Femtoseconds begin = effective_time(payload, delay);
  initiator->b_transport(payload, delay);
  --blocking_;
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    broken(kRuleStatus, "b_transport returned TLM_INCOMPLETE_RESPONSE", payload);
  if (effective_time(payload, delay) < begin)
    broken(kRuleTiming, "b_transport returned before it was called", payload);
}

unsigned ProtocolChecker::transport_dbg(Payload& payload) {
  return initiator->transport_dbg(payload);
}

bool ProtocolChecker::get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) {
  return initiator->get_direct_mem_ptr(payload, dmi);
}

void ProtocolChecker::invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) {
  target->invalidate_direct_mem_ptr(begin, end);
}

}  // namespace warpmem
