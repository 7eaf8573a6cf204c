// SPDX-License-Identifier: Apache-2.0
#include "noc/crossbar.hpp"

#include <algorithm>

#include "base/payload_bytes.hpp"

namespace warpmem::noc {

Crossbar::Crossbar(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
                   const AddressMap& map, unsigned inputs)
    : sc_module(name),
      Clocked(domain),
      params_(params),
      map_(map),
      requests_(inputs, map.slices(), params.latency, params.output_queue),
      responses_(map.slices(), inputs, params.latency, params.output_queue),
      origins_(params.in_flight) {
  for (unsigned i = 0; i < inputs; ++i) {
    inputs_.push_back(
        std::make_unique<ServicePort>("in" + std::to_string(i), *this, params.request_queue));
    inputs_.back()->watch(active_inputs_, i);
    inputs_.back()->on_debug([this](Payload& payload) { return debug(payload); });
    inputs_.back()->on_blocking(
        [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); });
    request_arrivals_.emplace_back(params.request_queue);
  }
  for (unsigned p = 0; p < map.slices(); ++p) {
    outputs_.push_back(
        std::make_unique<RequestPort>("out" + std::to_string(p), *this, params.response_queue));
    outputs_.back()->watch(active_outputs_, p);
    response_arrivals_.emplace_back(params.response_queue);
  }
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
  responses_.filled().for_each([&](unsigned i) {
    Payload* const payload = responses_.departing(i, now);
    if (payload == nullptr || !inputs_[i]->can_respond()) return;
    responses_.depart(i, now);
    inputs_[i]->respond(*payload);
    if (responses_.departing(i, now) != nullptr) wake_at(now + 1);
  });
  requests_.filled().for_each([&](unsigned p) {
    Payload* const payload = requests_.departing(p, now);
    if (payload == nullptr || !outputs_[p]->can_send()) return;
    requests_.depart(p, now);
    outputs_[p]->send(*payload);
    if (requests_.departing(p, now) != nullptr) wake_at(now + 1);
  });
}

// ---- 2: heads of the input queues --------------------------------------------------------------

// A queue needs another look when something arrives (the port sets its bit) or its head is granted.
// While its head waits, a queue need not be looked at if all of its packets are known or it is
// full.

void Crossbar::look_at_requests(Cycle now) {
  active_inputs_.for_each([&](unsigned i) {
    ServicePort& port = *inputs_[i];
    port.begin_cycle();
    if (port.queued() == 0) return active_inputs_.clear(i);
    Arrivals& arrivals = request_arrivals_[i];
    while (port.request(static_cast<unsigned>(arrivals.size())) != nullptr) arrivals.push(now);
    if (arrivals.empty()) return;
    if (arrivals.size() == port.queued() || arrivals.full()) active_inputs_.clear(i);
    if (requests_.heads().test(i)) return;
    const Payload& payload = *port.request();
    requests_.set_head(i, map_.slice(payload.get_address()).value,
                       flits(payload, payload.is_write()), now);
  });
}

void Crossbar::look_at_responses(Cycle now) {
  active_outputs_.for_each([&](unsigned p) {
    RequestPort& port = *outputs_[p];
    port.begin_cycle();
    if (port.queued() == 0) return active_outputs_.clear(p);
    Arrivals& arrivals = response_arrivals_[p];
    while (port.response(static_cast<unsigned>(arrivals.size())) != nullptr) arrivals.push(now);
    if (arrivals.empty()) return;
    if (arrivals.size() == port.queued() || arrivals.full()) active_outputs_.clear(p);
    if (responses_.heads().test(p)) return;
    const Payload& payload = *port.response();
    const unsigned input = origins_.find(payload);
    if (input == ~0u)
      throw SimulationError(std::string(name()) + ": response on " + port.socket.name() +
                            " to a request that did not come through here");
    responses_.set_head(p, input, flits(payload, payload.is_read()), now);
  });
}

// ---- 3: arbitration ----------------------------------------------------------------------------

void Crossbar::arbitrate(Cycle now) {
  // Responses go first, since they free places in the table of origins.
  responses_.arbitrate(now, Switch::kMaxPorts, [&](unsigned p, unsigned) {
    Payload* const payload = outputs_[p]->take_response();
    origins_.erase(*payload);
    active_outputs_.set(p);
    return Switch::Packet{payload, response_arrivals_[p].pop()};
  });
  requests_.arbitrate(now, params_.in_flight - origins_.size(), [&](unsigned i, unsigned) {
    Payload* const payload = inputs_[i]->take_request();
    origins_.insert(*payload, i);
    active_inputs_.set(i);
    return Switch::Packet{payload, request_arrivals_[i].pop()};
  });
}

unsigned Crossbar::flits(const Payload& payload, bool with_data) const {
  const unsigned bytes = params_.header_bytes + (with_data ? payload.get_data_length() : 0);
  return std::max(1u, (bytes + params_.flit_bytes - 1) / params_.flit_bytes);
}

// ---- untimed access and reporting
// ----------------------------------------------------------------

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
void Crossbar::blocking(Payload& payload, sc_core::sc_time& delay) {
  const Addr address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  if (address % map_.interleave_bytes() + bytes > map_.interleave_bytes()) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const Cycle cycles = 2 * Cycle(params_.latency) + flits(payload, payload.is_write()) +
                       flits(payload, payload.is_read());
  delay += sc_core::sc_time::from_value(domain().time_of(cycles));
  outputs_[map_.slice(address).value]->socket->b_transport(payload, delay);
}

bool Crossbar::idle() const {
  const auto port_idle = [](const auto& port) { return port->idle(); };
  return requests_.idle() && responses_.idle() && origins_.size() == 0 &&
         std::all_of(inputs_.begin(), inputs_.end(), port_idle) &&
         std::all_of(outputs_.begin(), outputs_.end(), port_idle);
}

std::string Crossbar::describe() const {
  std::string text = std::string(name()) + ": " + std::to_string(origins_.size()) +
                     " requests without a response\n requests:\n" + requests_.describe() +
                     " responses:\n" + responses_.describe();
  for (const auto& port : inputs_)
    if (!port->idle()) text += "  " + port->describe() + "\n";
  for (const auto& port : outputs_)
    if (!port->idle()) text += "  " + port->describe() + "\n";
  return text;
}

namespace {

void register_direction(StatGroup& group, const std::string& direction, const SwitchStats& s) {
  const std::string prefix = direction + ".";
  group.counter(prefix + "packets", s.packets_out, "packets", "packets delivered, " + direction);
  group.counter(prefix + "flits", s.flits, "flits", "flits switched, " + direction);
  group.counter(prefix + "busy_cycles", s.busy_cycles, "output cycles",
                "outputs that switched a flit, summed over cycles, " + direction);
  group.counter(
      prefix + "blocked_cycles", s.blocked_cycles, "input cycles",
      "heads of input queues that waited for their output, summed over cycles, " + direction);
  group.counter(
      prefix + "stalled_cycles", s.stalled_cycles, "output cycles",
      "outputs with a packet that the other side did not take, summed over cycles, " + direction);
  group.histogram(prefix + "latency", s.latency, "interconnect cycles",
                  "packets by cycles from the input queue to departure");
  group.law(prefix + "packets in = packets out", [&s] {
    return expect_equal("packets granted", s.packets_in, "packets delivered", s.packets_out);
  });
}

}  // namespace

void Crossbar::register_stats(StatRegistry& registry, unsigned index) {
  StatGroup& group = registry.group("noc", index);
  register_direction(group, "request", requests_.stats());
  register_direction(group, "response", responses_.stats());
  group.law("a response for each request", [this] {
    return expect_equal("requests", requests_.stats().packets_in, "responses",
                        responses_.stats().packets_out);
  });
}

void Crossbar::Params::describe(Schema& s) {
  s.frequency("clock", clock_hz, {1'000'000, 10'000'000'000}, "clock of the crossbar",
              "GU Table 2.2");
  s.integer("flit_bytes", flit_bytes, {1, 256},
            "bytes of a flit, which a port of the crossbar moves in one of its cycles",
            "MR Table 1");
  s.integer("header_bytes", header_bytes, {0, 64},
            "bytes that a request or response takes besides its data", "MR Table 1");
  s.integer("latency", latency, {1, 4096},
            "cycles of the crossbar from one side to the other, the same each way",
            "KI 4.3 sweeps 50..400");
  s.integer("request_queue", request_queue, {1, 1024}, "packets that an SM's input queue holds");
  s.integer("response_queue", response_queue, {1, 1024},
            "packets that an L2 slice's input queue holds");
  s.integer("output_queue", output_queue, {1, 1024},
            "packets that may wait at an output of the crossbar, beyond those on their way");
  s.integer("in_flight", in_flight, {1, 1 << 20},
            "requests of all SMs that may be without a response; more wait in the input queues");
}

void Crossbar::Params::validate(Problems&) const {}

}  // namespace warpmem::noc
