// SPDX-License-Identifier: Apache-2.0
#include "base/tlm_ports.hpp"

#include <cassert>

namespace warpmem {

// ---- LinkQueue ---------------------------------------------------------------------------------

bool LinkQueue::has_room() const {
  const unsigned ghosts = simulation_now() == last_take_ ? taken_at_last_ : 0;
  return entries_.size() + ghosts < entries_.capacity();
}

bool LinkQueue::offer(Payload& payload, const sc_core::sc_time& delay) {
  assert(parked_ == nullptr && "exclusion rule: one unanswered begin a link");
  ClockDomain& domain = owner_.domain();
  const Cycle visible = delay == sc_core::SC_ZERO_TIME
                            ? domain.next_cycle()
                            : domain.cycle_at(simulation_now() + delay.value()) + 1;
  owner_.wake_at(visible);
  if (!has_room()) {
    parked_ = &payload;
    return false;
  }
  entries_.push({&payload, visible});
  return true;
}

Payload* LinkQueue::front() const {
  if (entries_.empty()) return nullptr;
  const Entry& entry = entries_.front();
  return entry.visible <= owner_.domain().now() ? entry.payload : nullptr;
}

Payload* LinkQueue::at(unsigned i) const {
  if (i >= entries_.size()) return nullptr;
  const Entry& entry = entries_.at(i);
  return entry.visible <= owner_.domain().now() ? entry.payload : nullptr;
}

Payload* LinkQueue::take(unsigned i) {
  const Femtoseconds t = simulation_now();
  if (t != last_take_) {
    last_take_ = t;
    taken_at_last_ = 0;
  }
  ++taken_at_last_;
  // Room shows at the next edge: a parked payload moves in then, and a queue with more to show
  // keeps its owner awake.
  if (parked_ != nullptr || entries_.size() > 1) owner_.wake();
  return (i == 0 ? entries_.pop() : entries_.erase(i)).payload;
}

Payload* LinkQueue::admit_parked() {
  if (parked_ == nullptr || !has_room()) return nullptr;
  Payload* payload = parked_;
  parked_ = nullptr;
  const Cycle visible = owner_.domain().next_cycle();
  entries_.push({payload, visible});
  owner_.wake_at(visible);
  return payload;
}

// ---- RequestPort -------------------------------------------------------------------------------

RequestPort::RequestPort(const std::string& name, Clocked& owner, unsigned responses)
    : socket(name.c_str()), owner_(owner), responses_(owner, responses) {
  socket.register_nb_transport_bw(this, &RequestPort::nb_transport_bw);
}

bool RequestPort::can_send() const {
  return waiting_ == nullptr && (!used_ || simulation_now() > blocked_until_after_);
}

void RequestPort::send(Payload& payload) {
  assert(can_send());
  used_ = true;
  blocked_until_after_ = simulation_now();
  waiting_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  switch (socket->nb_transport_fw(payload, phase, delay)) {
    case tlm::TLM_ACCEPTED:
      break;  // END_REQ, or a BEGIN_RESP that implies it, comes on the backward path
    case tlm::TLM_UPDATED:
      waiting_ = nullptr;
      if (phase == tlm::BEGIN_RESP) receive(payload, delay, true);
      break;
    case tlm::TLM_COMPLETED:
      waiting_ = nullptr;
      receive(payload, delay, false);
      break;
  }
}

void RequestPort::receive(Payload& payload, const sc_core::sc_time& delay, bool wants_end_resp) {
  watch_.report();
  if (responses_.offer(payload, delay)) {
    if (wants_end_resp) end_response(payload);
  } else {
    parked_wants_end_resp_ = wants_end_resp;
  }
}

void RequestPort::end_response(Payload& payload) {
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_fw(payload, phase, delay);
}

tlm::tlm_sync_enum RequestPort::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ || waiting_ == &payload) {  // BEGIN_RESP implies END_REQ
    waiting_ = nullptr;
    blocked_until_after_ = simulation_now();
    owner_.wake();
  }
  if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
  watch_.report();
  if (responses_.offer(payload, delay)) return tlm::TLM_COMPLETED;
  parked_wants_end_resp_ = true;
  return tlm::TLM_ACCEPTED;
}

void RequestPort::begin_cycle() {
  Payload* payload = responses_.admit_parked();
  if (payload != nullptr && parked_wants_end_resp_) end_response(*payload);
}

Payload* RequestPort::take_response() { return responses_.take(); }

std::string RequestPort::describe() const {
  return std::string(socket.name()) + ": " + std::to_string(responses_.size()) + "/" +
         std::to_string(responses_.capacity()) + " responses queued" +
         (waiting_ != nullptr ? ", a request waits for END_REQ" : "");
}

// ---- ServicePort -------------------------------------------------------------------------------

ServicePort::ServicePort(const std::string& name, Clocked& owner, unsigned requests)
    : socket(name.c_str()), owner_(owner), requests_(owner, requests) {
  socket.register_nb_transport_fw(this, &ServicePort::nb_transport_fw);
  socket.register_transport_dbg(this, &ServicePort::transport_dbg);
  socket.register_b_transport(this, &ServicePort::b_transport);
}

tlm::tlm_sync_enum ServicePort::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    payload.acquire();
    ++in_flight_;
    watch_.report();
    if (!requests_.offer(payload, delay)) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  assert(phase == tlm::END_RESP && responding_ == &payload);
  responding_ = nullptr;
  blocked_until_after_ = simulation_now();
  --in_flight_;
  payload.release();
  owner_.wake();
  return tlm::TLM_COMPLETED;
}

void ServicePort::begin_cycle() {
  if (Payload* payload = requests_.admit_parked()) {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(*payload, phase, delay);
  }
}

Payload* ServicePort::take_request(unsigned i) { return requests_.take(i); }

bool ServicePort::can_respond() const {
  return responding_ == nullptr && (!used_ || simulation_now() > blocked_until_after_);
}

void ServicePort::respond(Payload& payload) {
  assert(can_respond());
  used_ = true;
  blocked_until_after_ = simulation_now();
  responding_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
    responding_ = nullptr;
    --in_flight_;
    payload.release();
  }
}

unsigned ServicePort::transport_dbg(Payload& payload) { return debug_ ? debug_(payload) : 0; }

void ServicePort::on_blocking(std::function<void(Payload&, sc_core::sc_time&)> handler) {
  blocking_ = std::move(handler);
}

void ServicePort::b_transport(Payload& payload, sc_core::sc_time& delay) {
  if (blocking_) {
    blocking_(payload, delay);
  } else {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  }
}

std::string ServicePort::describe() const {
  return std::string(socket.name()) + ": " + std::to_string(requests_.size()) + "/" +
         std::to_string(requests_.capacity()) + " requests queued, " + std::to_string(in_flight_) +
         " in flight" + (responding_ != nullptr ? ", a response waits for END_RESP" : "");
}

}  // namespace warpmem
