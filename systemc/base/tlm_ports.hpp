// SPDX-License-Identifier: Apache-2.0
// The two ends of a link, with the TLM-2.0 base protocol (nb_transport, four phases) inside.
//
// A module owns RequestPorts towards its memory side and ServicePorts towards its processor side
// and looks at them only from tick():
//
//   cycle n   : A.tick: out.send(p)          -> BEGIN_REQ; B queues p; END_REQ on the return path
//   cycle n+1 : B.tick: in.request() == &p      (visible at B's first edge after the send)
//   cycle m   : B.tick: in.respond(p)        -> BEGIN_RESP; A queues p; TLM_COMPLETED
//   cycle m+1 : A.tick: out.response() == &p
//
// Back-pressure: a full queue keeps the payload in a holding register and withholds END_REQ (or
// END_RESP); until it comes, can_send() (can_respond()) is false. Room that is freed in a cycle
// counts from the next cycle on, so no outcome depends on the order of ticks within an edge.
//
// A link has a width, 1 by default: that many requests may go in one cycle while each is answered
// with END_REQ at once, and as many responses.
//
// The other end may be anybody's module. A phase that the base protocol does not allow here and now
// is a SimulationError that names the socket; phases of other protocols are ignored.
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <string>
#include <tlm>

#include "base/bit_set.hpp"
#include "base/clock_domain.hpp"
#include "base/ring.hpp"

namespace warpmem {

using Payload = tlm::tlm_generic_payload;

/// A bounded queue between two modules. Entries become visible, and room becomes usable, at the
/// edge after the one at which they came about.
class LinkQueue {
 public:
  LinkQueue(Clocked& owner, unsigned capacity) : owner_(owner), entries_(capacity) {}

  /// Takes the payload, which becomes visible at the first edge after now + `delay` (the timing
  /// annotation of the call), or, when full, parks it in the holding register and returns false.
  bool offer(Payload& payload, const sc_core::sc_time& delay);
  /// Returns the oldest visible payload or nullptr.
  Payload* front() const {
    if (entries_.empty()) return nullptr;
    const Entry& entry = entries_.front();
    return entry.visible <= owner_.domain().now() ? entry.payload : nullptr;
  }
  /// Returns the i-th oldest visible payload or nullptr (for front ends that look past the head).
  Payload* at(unsigned i) const {
    if (i >= entries_.size()) return nullptr;
    const Entry& entry = entries_.at(i);
    return entry.visible <= owner_.domain().now() ? entry.payload : nullptr;
  }
  /// Returns the cycle from which on that payload has been visible.
  Cycle visible_since(unsigned i) const { return entries_.at(i).visible; }
  /// Says whether the owner is left asleep when a payload arrives.
  void let_arrivals_wait(bool wait) { arrivals_wait_ = wait; }
  /// Removes the i-th oldest payload, which stays with the caller.
  Payload* take(unsigned i = 0) {
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
  /// Moves a parked payload into the queue if there is room, and returns it so that the caller can
  /// send the withheld phase; otherwise it returns nullptr. To be called once in every tick.
  Payload* admit_parked() { return parked_ == nullptr || !has_room() ? nullptr : admit(); }
  /// Returns the annotation of the withheld phase for the payload admitted last. It lies not before
  /// the phase that it answers, whose own annotation may lie in the future.
  sc_core::sc_time admitted_delay() const;

  bool has_parked() const { return parked_ != nullptr; }
  unsigned size() const { return static_cast<unsigned>(entries_.size()) + (parked_ != nullptr); }
  unsigned capacity() const { return static_cast<unsigned>(entries_.capacity()); }
  bool empty() const { return size() == 0; }

 private:
  struct Entry {
    Payload* payload = nullptr;
    Cycle visible = 0;
  };
  bool has_room() const {
    const unsigned ghosts = simulation_now() == last_take_ ? taken_at_last_ : 0;
    return entries_.size() + ghosts < entries_.capacity();
  }
  Payload* admit();

  Clocked& owner_;
  Ring<Entry> entries_;
  Payload* parked_ = nullptr;
  Femtoseconds parked_since_ = 0;  // when the phase of the parked payload takes effect
  bool arrivals_wait_ = false;
  Femtoseconds last_take_ = 0;  // what was taken at this very time still occupies its place
  unsigned taken_at_last_ = 0;
};

/// Where a port reports an arrival to its owner; by default nowhere.
struct PortWatch {
  PortSet* active = nullptr;
  unsigned port = 0;
  void report() const {
    if (active != nullptr) active->set(port);
  }
};

/// The initiator end of a link: it sends requests and receives responses.
class RequestPort {
 public:
  /// `name` is the socket's name; `responses` (>= 1) is the depth of the response queue, `width`
  /// (>= 1) the number of requests that may go in a cycle.
  RequestPort(const std::string& name, Clocked& owner, unsigned responses, unsigned width = 1);

  tlm_utils::simple_initiator_socket<RequestPort> socket;

  /// Returns whether the exclusion rule allows a BEGIN_REQ in this cycle (at most `width` a cycle).
  /// A target that answers on the return path of BEGIN_REQ cannot be held back by the protocol, so
  /// with such a target the answer is also false while the response queue is overfull.
  bool can_send() const {
    return waiting_ == nullptr &&
           (!used_ || left_ != 0 || simulation_now() > blocked_until_after_) &&
           !(answers_at_once_ && responses_.has_parked());
  }
  /// Returns whether the target withholds END_REQ, which will wake the owner.
  bool held() const { return waiting_ != nullptr; }
  /// Sends BEGIN_REQ. Throws SimulationError unless can_send(). The caller keeps its reference to
  /// the payload.
  void send(Payload& payload);

  /// Returns the oldest response visible in this cycle, or nullptr; `i` looks past the head.
  Payload* response(unsigned i = 0) const { return i == 0 ? responses_.front() : responses_.at(i); }
  /// Number of responses in the queue, visible or not.
  unsigned queued() const { return responses_.size(); }
  /// Removes that response and lets a withheld END_RESP go. The caller releases the payload.
  Payload* take_response(unsigned i = 0) { return responses_.take(i); }
  /// To be called first in every tick().
  void begin_cycle() {
    if (Payload* const payload = responses_.admit_parked()) admitted(*payload);
  }

  /// Lets the port add itself, as number `port`, to `active` when a response arrives, so that an
  /// owner of many ports looks only at the active ones. The owner removes it. This is optional;
  /// `active` must outlive the port.
  void watch(PortSet& active, unsigned port) { watch_ = {&active, port}; }

  /// Returns whether nothing is queued, parked or waiting for END_REQ.
  bool idle() const { return responses_.empty() && waiting_ == nullptr; }
  /// Describes the port in one line for the watchdog's report.
  std::string describe() const;

 private:
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);

  void receive(Payload& payload, const sc_core::sc_time& delay, bool wants_end_resp);
  void end_response(Payload& payload, sc_core::sc_time delay);
  void admitted(Payload& payload);
  void count_response();

  Clocked& owner_;
  LinkQueue responses_;
  PortWatch watch_;
  Payload* waiting_ = nullptr;  // payload with BEGIN_REQ sent and END_REQ not yet seen
  unsigned outstanding_ = 0;    // number of requests sent whose response has not begun
  bool parked_wants_end_resp_ = false;
  bool answers_at_once_ = false;  // the target has answered on the return path of BEGIN_REQ
  Femtoseconds blocked_until_after_ = 0;
  bool used_ = false;
  unsigned width_;
  unsigned left_ = 0;  // requests that may follow the last one in the same cycle
};

/// Target end of a link: receives requests, sends responses. Direct memory access is refused for
/// every address: each access is to be seen.
class ServicePort {
 public:
  /// `requests` (>= 1) is the depth of the request queue, `width` (>= 1) the number of responses
  /// that may go in a cycle.
  ServicePort(const std::string& name, Clocked& owner, unsigned requests, unsigned width = 1);

  /// Blocking and non-blocking calls arrive as they are made; nothing is converted on the way.
  tlm_utils::passthrough_target_socket<ServicePort> socket;

  /// Returns the oldest request visible in this cycle, or nullptr; `i` looks past the head.
  Payload* request(unsigned i = 0) const { return i == 0 ? requests_.front() : requests_.at(i); }
  /// Returns the cycle from which on that request has been visible.
  Cycle visible_since(unsigned i) const { return requests_.visible_since(i); }
  /// Says, until it is called again, whether an arrival leaves the owner asleep: something else
  /// will wake it, and it looks at visible_since() then.
  void let_arrivals_wait(bool wait) { requests_.let_arrivals_wait(wait); }
  const ClockDomain& clock() const { return owner_.domain(); }
  /// Removes that request and lets a withheld END_REQ go. The port keeps a reference to the payload
  /// until respond() has completed.
  Payload* take_request(unsigned i = 0) { return requests_.take(i); }
  /// Number of requests in the queue, visible or not.
  unsigned queued() const { return requests_.size(); }
  unsigned capacity() const { return requests_.capacity(); }  ///< capacity of the queue

  /// Returns whether a BEGIN_RESP may go in this cycle (at most `width` a cycle).
  bool can_respond() const {
    return responding_ == nullptr &&
           (!used_ || left_ != 0 || simulation_now() > blocked_until_after_);
  }
  /// Returns whether the initiator withholds END_RESP, which will wake the owner.
  bool held() const { return responding_ != nullptr; }
  /// Sends BEGIN_RESP. Throws SimulationError unless can_respond(). Precondition: the response
  /// status is set.
  void respond(Payload& payload);
  /// To be called once in every tick(); whether first or last makes no difference to what happens.
  void begin_cycle() {
    if (Payload* const payload = requests_.admit_parked()) admitted(*payload);
  }

  /// Does what RequestPort::watch does, for requests.
  void watch(PortSet& active, unsigned port) { watch_ = {&active, port}; }
  /// `module` is woken whenever a request arrives at a port that is idle().
  void wake_when_busy(Clocked& module) { wakes_ = &module; }

  /// Number of requests taken from the link and not yet answered completely.
  unsigned in_flight() const { return in_flight_; }
  bool idle() const { return in_flight_ == 0; }
  std::string describe() const;

  /// Sets the owner's handler of debug accesses, which take no time. It returns the bytes
  /// transferred.
  void on_debug(std::function<unsigned(Payload&)> handler) { debug_ = std::move(handler); }
  /// Sets the owner's handler of blocking transport, for targets that support it.
  void on_blocking(std::function<void(Payload&, sc_core::sc_time&)> handler);

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  unsigned transport_dbg(Payload& payload);
  void b_transport(Payload& payload, sc_core::sc_time& delay);
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi);
  void end_response(Payload& payload, const sc_core::sc_time& delay);
  void admitted(Payload& payload);

  Clocked& owner_;
  LinkQueue requests_;
  PortWatch watch_;
  Clocked* wakes_ = nullptr;
  unsigned in_flight_ = 0;
  Payload* responding_ = nullptr;  // payload with BEGIN_RESP sent and END_RESP not yet seen
  Femtoseconds blocked_until_after_ = 0;
  bool used_ = false;
  unsigned width_;
  unsigned left_ = 0;  // responses that may follow the last one in the same cycle
  std::function<unsigned(Payload&)> debug_;
  std::function<void(Payload&, sc_core::sc_time&)> blocking_;
};

}  // namespace warpmem
