// SPDX-License-Identifier: Apache-2.0
#include "noc/crossbar.hpp"

#include <algorithm>
#include <cstring>

#include "base/assert.hpp"
#include "base/payload_bytes.hpp"
#include "noc/flits.hpp"

namespace warpmem::noc {

namespace {

unsigned ports_for(unsigned inputs, unsigned cluster) { return (inputs + cluster - 1) / cluster; }

Switch::Params switch_params(const Crossbar::Params& params, unsigned inputs, unsigned outputs) {
  return {inputs,
          outputs,
          params.latency,
          params.output_queue,
          params.far_latency,
          params.virtual_queues() ? params.iterations : 0};
}

}  // namespace

Crossbar::Crossbar(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
                   const AddressMap& map, unsigned inputs)
    : sc_module(name),
      Clocked(domain),
      params_(params),
      map_(map),
      requests_(switch_params(params, ports_for(inputs, params.cluster), map.slices())),
      responses_(switch_params(params, map.slices(), ports_for(inputs, params.cluster))),
      origins_(params.in_flight != 0 ? params.in_flight : kInFlight) {
  for (unsigned first = 0; first < inputs; first += params.cluster) {
    const unsigned last = std::min(first + params.cluster, inputs) - 1;  // the next is `first`
    head_inputs_.push_back(last);
    if (params.virtual_queues() && params.cluster != 1)
      last_senders_.insert(last_senders_.end(), map.slices(), last);
  }
  for (unsigned i = 0; i < inputs; ++i) {
    inputs_.push_back(
        std::make_unique<ServicePort>("in" + std::to_string(i), *this, params.request_queue));
    inputs_.back()->watch(active_inputs_, i);
    inputs_.back()->on_debug([this](Payload& payload) { return debug(payload); });
    inputs_.back()->on_blocking(
        [this, i](Payload& p, sc_core::sc_time& delay) { blocking(i, p, delay); });
    request_queues_.emplace_back(params.request_queue, map.slices());
  }
  for (unsigned p = 0; p < map.slices(); ++p) {
    outputs_.push_back(
        std::make_unique<RequestPort>("out" + std::to_string(p), *this, params.response_queue));
    outputs_.back()->watch(active_outputs_, p);
    response_queues_.emplace_back(params.response_queue, head_inputs_.size());
  }
}

void Crossbar::set_in_flight(unsigned requests) {
  if (params_.in_flight == 0) origins_ = OriginTable(requests);
}

void Crossbar::enable_copies(TransactionPool& pool) {
  assert(params_.cluster == 1 && !params_.virtual_queues() && outputs() <= 64);
  pool_ = &pool;
  copies_left_.resize(inputs());
  requests_.allow_copies();
}

Cycle Crossbar::tick(Cycle now) {
  deliver(now);
  look_at_requests(now);
  look_at_responses(now);
  arbitrate(now);
  return std::min(requests_.next_work(now), responses_.next_work(now));
}

// ---- 1: packets at the ends of the pipelines leave ---------------------------------------------

void Crossbar::deliver(Cycle now) {
  if (responses_.may_deliver(now)) deliver_responses(now);
  if (requests_.may_deliver(now)) deliver_requests(now);
}

void Crossbar::deliver_responses(Cycle now) {
  responses_.filled().for_each([&](unsigned c) {
    Payload* const payload = responses_.departing(c, now);
    if (payload == nullptr) return;
    const unsigned tag = responses_.departing_tag(c);
    if (tag & kCopy) {
      responses_.depart(c, now);
      payload->release();
      if (responses_.departing(c, now) != nullptr) wake_at(now + 1);
      return;
    }
    ServicePort& input = *inputs_[tag];
    if (!input.can_respond()) return;
    responses_.depart(c, now);
    input.respond(*payload);
    if (responses_.departing(c, now) != nullptr) wake_at(now + 1);
  });
}

void Crossbar::deliver_requests(Cycle now) {
  requests_.filled().for_each([&](unsigned p) {
    Payload* const payload = requests_.departing(p, now);
    if (payload == nullptr || !outputs_[p]->can_send()) return;
    requests_.depart(p, now);
    outputs_[p]->send(*payload);
    if (requests_.departing(p, now) != nullptr) wake_at(now + 1);
  });
}

// ---- 2: what the input queues have to send -----------------------------------------------------

// A queue needs another look when something arrives (the port sets its bit) or one of its packets
// is granted. Until then it need not be looked at if all of its packets are known or it is full.

void Crossbar::look_at_requests(Cycle now) {
  active_inputs_.for_each([&](unsigned i) {
    ServicePort& port = *inputs_[i];
    port.begin_cycle();
    if (params_.cluster != 1) looked_at_.set(port_of(i));
    if (port.queued() == 0) return active_inputs_.clear(i);
    InputQueue& queue = request_queues_[i];
    while (const Payload* const payload = port.request(queue.size())) {
      const unsigned slice = map_.slice(payload->get_address()).value;
      queue.push({now, slice});
      if (params_.virtual_queues()) requests_.want(port_of(i), slice, now);
    }
    if (queue.empty()) return;
    if (queue.size() == port.queued() || queue.full()) active_inputs_.clear(i);
    if (pool_ != nullptr) {
      for (std::uint64_t left = outputs_of_head(i); left != 0; left &= left - 1)
        requests_.want(i, static_cast<unsigned>(__builtin_ctzll(left)), now);
    } else if (params_.cluster == 1 && !params_.virtual_queues()) {
      requests_.want(i, queue.head().output, now);
    }
  });
  looked_at_.for_each([&](unsigned c) {
    if (!params_.virtual_queues() && !requests_.waiting_inputs().test(c)) choose_head(c, now);
    looked_at_.clear(c);
  });
}

// The port is free. It takes the head of the first SM with a packet after the one that had it last.
void Crossbar::choose_head(unsigned port, Cycle now) {
  const unsigned i = next_of_cluster(port, head_inputs_[port],
                                     [&](unsigned sm) { return !request_queues_[sm].empty(); });
  if (i == PortSet::kNone) return;
  head_inputs_[port] = i;
  requests_.want(port, request_queues_[i].head().output, now);
}

template <class Has>
unsigned Crossbar::next_of_cluster(unsigned port, unsigned last, Has&& has) const {
  const unsigned first = port * params_.cluster;
  const unsigned sms = std::min(params_.cluster, inputs() - first);
  for (unsigned step = 1; step <= sms; ++step)
    if (const unsigned i = first + (last - first + step) % sms; has(i)) return i;
  return PortSet::kNone;
}

unsigned Crossbar::far(unsigned port, unsigned slice) const {
  if (params_.far_latency == 0) return 0;
  const bool second_port = 2 * port >= head_inputs_.size();
  const bool second_slice = 2 * slice >= outputs_.size();
  return second_port == second_slice ? 0 : params_.far_latency;
}

void Crossbar::look_at_responses(Cycle now) {
  active_outputs_.for_each([&](unsigned p) {
    RequestPort& port = *outputs_[p];
    port.begin_cycle();
    if (port.queued() == 0) return active_outputs_.clear(p);
    InputQueue& queue = response_queues_[p];
    while (const Payload* const payload = port.response(queue.size())) {
      const unsigned input = origins_.find(*payload);
      if (input == ~0u)
        throw SimulationError(std::string(name()) + ": response on " + port.socket.name() +
                              " to a request that did not come through here");
      queue.push({now, port_of(input & ~kCopy), input});
      if (params_.virtual_queues()) responses_.want(p, port_of(input), now);
    }
    if (queue.empty()) return;
    if (queue.size() == port.queued() || queue.full()) active_outputs_.clear(p);
    if (!params_.virtual_queues()) responses_.want(p, queue.head().output, now);
  });
}

// ---- 3: arbitration ----------------------------------------------------------------------------

void Crossbar::arbitrate(Cycle now) {
  // Responses go first, since they free places in the table of origins.
  responses_.arbitrate(now, Switch::kMaxPorts,
                       [&](unsigned slice, unsigned port) { return take_response(slice, port); });
  requests_.arbitrate(now, origins_.capacity() - origins_.size(),
                      [&](unsigned port, unsigned slice) { return take_request(port, slice); });
}

Switch::Packet Crossbar::take_response(unsigned slice, unsigned port) {
  InputQueue& queue = response_queues_[slice];
  const InputQueue::Taken taken = queue.take(port);
  Payload* const payload = outputs_[slice]->take_response(taken.place);
  origins_.erase(*payload);
  active_outputs_.set(slice);
  return {payload,          taken.packet.arrived, response_flits(*payload),
          far(port, slice), taken.packet.tag,     params_.virtual_queues() && queue.has(port)};
}

std::uint64_t Crossbar::outputs_of_head(unsigned i) {
  if (copies_left_[i] == 0) {
    const std::uint64_t ports = access_of(*inputs_[i]->request()).peer.ports;
    copies_left_[i] = ports != 0 ? ports : std::uint64_t(1) << request_queues_[i].head().output;
  }
  return copies_left_[i];
}

Payload& Crossbar::copy_of(const Payload& payload) {
  Transaction& copy = pool_->get_for(access_of(payload), payload.get_command(),
                                     payload.get_address(), payload.get_data_length());
  std::memcpy(copy.data.data(), payload.get_data_ptr(), payload.get_data_length());
  ++copies_;
  return copy;
}

// The packet itself goes to the last of its outputs, and copies of it to the others.
Switch::Packet Crossbar::take_copy(unsigned input, unsigned output) {
  InputQueue& queue = request_queues_[input];
  const InputQueue::Packet head = queue.head();
  copies_left_[input] &= ~(std::uint64_t(1) << output);
  const bool last = copies_left_[input] == 0;
  Payload* payload = inputs_[input]->request();
  if (last) {
    queue.take(head.output);
    inputs_[input]->take_request();
  } else {
    payload = &copy_of(*payload);
  }
  origins_.insert(*payload, last ? input : input | kCopy);
  active_inputs_.set(input);
  return {payload, head.arrived, request_flits(*payload), 0, 0, false, !last};
}

Switch::Packet Crossbar::take_request(unsigned port, unsigned slice) {
  if (pool_ != nullptr) return take_copy(port, slice);
  const unsigned i = choose_sender(port, slice);
  const InputQueue::Taken taken = request_queues_[i].take(slice);
  Payload* const payload = inputs_[i]->take_request(taken.place);
  origins_.insert(*payload, i);
  active_inputs_.set(i);
  const auto has = [&](unsigned sm) { return request_queues_[sm].has(slice); };
  const bool more = params_.virtual_queues() && next_of_cluster(port, i, has) != PortSet::kNone;
  if (params_.cluster != 1) wake_at(domain().now() + 1);  // for the heads of the others
  return {payload, taken.packet.arrived, request_flits(*payload), far(port, slice), 0, more};
}

unsigned Crossbar::choose_sender(unsigned port, unsigned slice) {
  if (params_.cluster == 1) return port;
  if (!params_.virtual_queues()) return head_inputs_[port];
  unsigned& last = last_senders_[port * outputs() + slice];
  last = next_of_cluster(port, last, [&](unsigned sm) { return request_queues_[sm].has(slice); });
  return last;
}

unsigned Crossbar::request_flits(const Payload& payload) const {
  return flits_of(params_.header_bytes + (payload.is_write() ? payload.get_data_length() : 0),
                  params_.flit_bytes);
}

unsigned Crossbar::response_flits(const Payload& payload) const {
  const bool data = payload.is_read() || returns_values(payload);
  return flits_of(params_.header_bytes + (data ? payload.get_data_length() : 0),
                  params_.response_flit());
}

// ---- untimed access ----------------------------------------------------------------------------

// Makes a debug access. One that spans slices goes on in pieces that do not.
unsigned Crossbar::debug(Payload& payload) {
  const std::uint64_t chunk = map_.interleave_bytes();
  const Addr address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  if (address % chunk + bytes <= chunk)
    return outputs_[map_.slice(address).value]->socket->transport_dbg(payload);
  return debug_by_blocks(payload, chunk, [this](Payload& part) {
    return outputs_[map_.slice(part.get_address()).value]->socket->transport_dbg(part);
  });
}

// Through empty pipelines, there and back. L1D sends no request that spans slices.
void Crossbar::blocking(unsigned input, Payload& payload, sc_core::sc_time& delay) {
  const Addr address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  if (address % map_.interleave_bytes() + bytes > map_.interleave_bytes()) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const unsigned slice = map_.slice(address).value;
  const Cycle cycles = 2 * (Cycle(params_.latency) + far(input / params_.cluster, slice)) +
                       request_flits(payload) + response_flits(payload);
  delay += sc_core::sc_time::from_value(domain().time_of(cycles));
  outputs_[slice]->socket->b_transport(payload, delay);
}

bool Crossbar::idle() const {
  const auto port_idle = [](const auto& port) { return port->idle(); };
  return requests_.idle() && responses_.idle() && origins_.size() == 0 &&
         std::all_of(inputs_.begin(), inputs_.end(), port_idle) &&
         std::all_of(outputs_.begin(), outputs_.end(), port_idle);
}

}  // namespace warpmem::noc
