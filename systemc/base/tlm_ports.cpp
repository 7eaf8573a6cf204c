// SPDX-License-Identifier: Apache-2.0
#include "base/tlm_ports.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/errors.hpp"

namespace warpmem {

namespace {
// The other end of a link may be anybody's module, so what it does wrong is reported in every
// build.
template <class Socket>
[[noreturn]] void misuse(const Socket& socket, const std::string& what) {
  throw SimulationError(std::string(socket.name()) + ": " + what);
}

std::string name_of(const tlm::tlm_phase& phase) { return phase.get_name(); }

/// Whether the phase is one of the base protocol; others may be ignored.
bool is_base_phase(const tlm::tlm_phase& phase) { return phase <= tlm::END_RESP; }
}  // namespace

// ---- LinkQueue ---------------------------------------------------------------------------------

bool LinkQueue::offer(Payload& payload, const sc_core::sc_time& delay) {
  assert(parked_ == nullptr && "exclusion rule: one unanswered begin a link");
  ClockDomain& domain = owner_.domain();
  const Femtoseconds annotated = delay.value();
  const Cycle visible =
      annotated == 0 ? domain.next_cycle() : domain.cycle_at(simulation_now() + annotated) + 1;
  if (has_room()) {
    entries_.push({&payload, visible});
    if (!arrivals_wait_) owner_.wake_at(visible);
    return true;
  }
  // Behind a full queue it waits for a take(), which wakes the owner.
  if (!entries_.full()) owner_.wake_at(visible);
  parked_ = &payload;
  parked_since_ = simulation_now() + annotated;
  return false;
}

Payload* LinkQueue::admit() {
  Payload* payload = parked_;
  parked_ = nullptr;
  ClockDomain& domain = owner_.domain();
  const Cycle visible = std::max(domain.next_cycle(), domain.cycle_at(parked_since_) + 1);
  entries_.push({payload, visible});
  if (!arrivals_wait_) owner_.wake_at(visible);
  return payload;
}

sc_core::sc_time LinkQueue::admitted_delay() const {
  const Femtoseconds now = simulation_now();
  return sc_core::sc_time::from_value(parked_since_ > now ? parked_since_ - now : 0);
}

namespace {
/// Returns the time after which the next request or response may go, and wakes the owner for it.
Femtoseconds free_after(Clocked& owner, const sc_core::sc_time& delay) {
  const Femtoseconds t = simulation_now() + delay.value();
  if (delay == sc_core::SC_ZERO_TIME) {
    owner.wake();
  } else {
    owner.wake_at(owner.domain().cycle_at(t) + 1);
  }
  return t;
}
/// Returns how many transfers may still go in this cycle over a link whose last one took effect at
/// `last` and left `left` of its width.
unsigned left_of_cycle(bool used, Femtoseconds last, unsigned left, unsigned width) {
  return used && simulation_now() == last ? left : width;
}
}  // namespace

// ---- RequestPort -------------------------------------------------------------------------------

RequestPort::RequestPort(const std::string& name, Clocked& owner, unsigned responses,
                         unsigned width)
    : socket(name.c_str()), owner_(owner), responses_(owner, responses), width_(width) {
  assert(width >= 1);
  socket.register_nb_transport_bw(this, &RequestPort::nb_transport_bw);
}

void RequestPort::send(Payload& payload) {
  if (!can_send())
    misuse(socket, waiting_ != nullptr
                       ? "a request is sent while another waits for END_REQ"
                       : "more requests are sent in one cycle than the link is wide");
  left_ = left_of_cycle(used_, blocked_until_after_, left_, width_) - 1;
  used_ = true;
  ++outstanding_;
  blocked_until_after_ = simulation_now();
  waiting_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  switch (socket->nb_transport_fw(payload, phase, delay)) {
    case tlm::TLM_ACCEPTED:
      break;  // END_REQ, or a BEGIN_RESP that implies it, comes on the backward path
    case tlm::TLM_UPDATED:
      if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP)
        misuse(socket, "the target answers BEGIN_REQ with " + name_of(phase) +
                           "; allowed: END_REQ, BEGIN_RESP");
      if (phase == tlm::END_REQ && waiting_ != &payload)
        misuse(socket, "the target answers BEGIN_REQ with END_REQ and has sent END_REQ, too");
      waiting_ = nullptr;
      if (phase == tlm::BEGIN_RESP) {
        receive(payload, delay, true);
      } else if (delay != sc_core::SC_ZERO_TIME) {
        blocked_until_after_ = free_after(owner_, delay);
        left_ = 0;
      }
      break;
    case tlm::TLM_COMPLETED:
      waiting_ = nullptr;
      receive(payload, delay, false);
      break;
  }
}

// Takes a response on the return path of BEGIN_REQ.
void RequestPort::receive(Payload& payload, const sc_core::sc_time& delay, bool wants_end_resp) {
  if (responses_.has_parked())
    misuse(socket,
           "the target answers on the return path of BEGIN_REQ while another response "
           "waits for END_RESP");
  count_response();
  answers_at_once_ = true;
  watch_.report();
  if (responses_.offer(payload, delay)) {
    if (wants_end_resp) end_response(payload, delay);
  } else {
    parked_wants_end_resp_ = wants_end_resp;
  }
}

void RequestPort::count_response() {
  if (outstanding_ == 0) misuse(socket, "the target sends BEGIN_RESP without a request");
  --outstanding_;
}

void RequestPort::end_response(Payload& payload, sc_core::sc_time delay) {
  tlm::tlm_phase phase = tlm::END_RESP;
  socket->nb_transport_fw(payload, phase, delay);
}

tlm::tlm_sync_enum RequestPort::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay) {
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) {
    if (is_base_phase(phase)) misuse(socket, "the target sends " + name_of(phase));
    return tlm::TLM_ACCEPTED;  // an ignorable phase
  }
  if (phase == tlm::END_REQ && waiting_ != &payload)
    misuse(socket, "the target sends END_REQ for a request that does not wait for it");
  if (phase == tlm::BEGIN_RESP && responses_.has_parked())
    misuse(socket, "the target sends BEGIN_RESP while another response waits for END_RESP");
  if (waiting_ == &payload) {  // BEGIN_RESP implies END_REQ
    waiting_ = nullptr;
    blocked_until_after_ =
        free_after(owner_, phase == tlm::END_REQ ? delay : sc_core::SC_ZERO_TIME);
    left_ = 0;
  }
  if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
  count_response();
  watch_.report();
  if (responses_.offer(payload, delay)) return tlm::TLM_COMPLETED;
  parked_wants_end_resp_ = true;
  return tlm::TLM_ACCEPTED;
}

// A response has moved from the holding register into the queue.
void RequestPort::admitted(Payload& payload) {
  if (parked_wants_end_resp_) end_response(payload, responses_.admitted_delay());
}

std::string RequestPort::describe() const {
  return std::string(socket.name()) + ": " + std::to_string(responses_.size()) + "/" +
         std::to_string(responses_.capacity()) + " responses queued" +
         (waiting_ != nullptr ? ", a request waits for END_REQ" : "");
}

// ---- ServicePort -------------------------------------------------------------------------------

ServicePort::ServicePort(const std::string& name, Clocked& owner, unsigned requests, unsigned width)
    : socket(name.c_str()), owner_(owner), requests_(owner, requests), width_(width) {
  assert(width >= 1);
  socket.register_nb_transport_fw(this, &ServicePort::nb_transport_fw);
  socket.register_transport_dbg(this, &ServicePort::transport_dbg);
  socket.register_b_transport(this, &ServicePort::b_transport);
  socket.register_get_direct_mem_ptr(this, &ServicePort::get_direct_mem_ptr);
}

tlm::tlm_sync_enum ServicePort::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    if (requests_.has_parked())
      misuse(socket, "the initiator sends BEGIN_REQ while another request waits for END_REQ");
    if (!payload.has_mm()) misuse(socket, "the initiator's payload has no memory manager");
    payload.acquire();
    if (++in_flight_ == 1 && wakes_ != nullptr) wakes_->wake();
    watch_.report();
    if (!requests_.offer(payload, delay)) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  if (phase != tlm::END_RESP) {
    if (is_base_phase(phase)) misuse(socket, "the initiator sends " + name_of(phase));
    return tlm::TLM_ACCEPTED;  // an ignorable phase
  }
  if (responding_ != &payload)
    misuse(socket, "the initiator sends END_RESP for a response that does not wait for it");
  end_response(payload, delay);
  return tlm::TLM_COMPLETED;
}

void ServicePort::end_response(Payload& payload, const sc_core::sc_time& delay) {
  responding_ = nullptr;
  blocked_until_after_ = free_after(owner_, delay);
  left_ = 0;
  --in_flight_;
  payload.release();
}

// A request has moved from the holding register into the queue.
void ServicePort::admitted(Payload& payload) {
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = requests_.admitted_delay();
  socket->nb_transport_bw(payload, phase, delay);
}

void ServicePort::respond(Payload& payload) {
  if (!can_respond())
    misuse(socket, responding_ != nullptr
                       ? "a response is sent while another waits for END_RESP"
                       : "more responses are sent in one cycle than the link is wide");
  left_ = left_of_cycle(used_, blocked_until_after_, left_, width_) - 1;
  used_ = true;
  blocked_until_after_ = simulation_now();
  responding_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
  if (status == tlm::TLM_UPDATED && phase != tlm::END_RESP)
    misuse(socket,
           "the initiator answers BEGIN_RESP with " + name_of(phase) + "; allowed: END_RESP");
  if (status != tlm::TLM_ACCEPTED) {
    if (responding_ != &payload)
      misuse(socket, "the initiator answers BEGIN_RESP with END_RESP and has sent END_RESP, too");
    responding_ = nullptr;
    if (delay != sc_core::SC_ZERO_TIME) {
      blocked_until_after_ = free_after(owner_, delay);
      left_ = 0;
    }
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

bool ServicePort::get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) {
  payload.set_dmi_allowed(false);
  dmi.init();
  dmi.set_start_address(0);
  dmi.set_end_address(~sc_dt::uint64(0));
  return false;
}

std::string ServicePort::describe() const {
  const bool parked = requests_.has_parked();
  return std::string(socket.name()) + ": " + std::to_string(requests_.size() - parked) + "/" +
         std::to_string(requests_.capacity()) + " requests queued, " +
         (parked ? "another waits for END_REQ, " : "") + std::to_string(in_flight_) + " in flight" +
         (responding_ != nullptr ? ", a response waits for END_RESP" : "");
}

}  // namespace warpmem
