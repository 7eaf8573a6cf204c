// SPDX-License-Identifier: Apache-2.0
#include "noc/switch.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/assert.hpp"

namespace warpmem::noc {

SwitchStats::SwitchStats() : latency({8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024}) {}

Switch::Switch(const Params& params)
    : latency_(params.latency),
      room_(params.room),
      on_way_at_most_(params.latency + params.far),
      inputs_(params.inputs) {
  assert(params.inputs >= 1 && params.inputs <= kMaxPorts);
  assert(params.outputs >= 1 && params.outputs <= kMaxPorts);
  assert(params.latency >= 1 && params.room >= 1);
  outputs_.reserve(params.outputs);
  for (unsigned o = 0; o < params.outputs; ++o)
    outputs_.emplace_back(params.latency + params.far + params.room);
  head_ready_.assign(params.outputs, kNever);
  if (params.iterations != 0) islip_.emplace(params.inputs, params.outputs, params.iterations);
}

void Switch::want(unsigned input, unsigned output, Cycle now) {
  assert(output < outputs_.size());
  Output& out = outputs_[output];
  if (out.waiting.test(input)) return;
  next_ = 0;
  Input& in = inputs_[input];
  assert((in.wanted == 0 || islip_ || copies_) && "an input with one queue wants one output");
  if (in.wanted++ == 0) in.since = std::max(now, in.free);
  waiting_.set(input);
  out.waiting.set(input);
  wanted_.set(output);
}

void Switch::release_inputs(Cycle now) {
  busy_inputs_.for_each([&](unsigned i) {
    if (inputs_[i].free <= now) busy_inputs_.clear(i);
  });
}

// Keeps the packets of an output in the order in which they are ready.
void Switch::enter(Output& output, const InFlight& packet) const {
  Ring<InFlight>& pipe = output.pipe;
  const std::size_t place =
      pipe.insert(packet, [](const InFlight& a, const InFlight& b) { return a.ready > b.ready; });
  // Unless it comes behind the oldest room_ ones itself, it moves the last of them there.
  if (pipe.size() > room_) output.on_way += pipe.at(std::max<std::size_t>(place, room_)).flits;
}

Switch::InFlight Switch::leave(Output& output) const {
  if (output.pipe.size() > room_) output.on_way -= output.pipe.at(room_).flits;
  return output.pipe.pop();
}

void Switch::switch_packet(unsigned input, unsigned output, const Packet& packet, Cycle now) {
  assert(packet.flits >= 1);
  next_ = 0;
  Input& in = inputs_[input];
  Output& out = outputs_[output];
  const Cycle end = now + packet.flits;
  const InFlight entering{packet.payload, end - 1 + latency_ + packet.far, packet.arrived,
                          packet.tag, packet.flits};
  enter(out, entering);
  filled_.set(output);
  head_ready_[output] = std::min(head_ready_[output], entering.ready);
  first_ready_ = std::min(first_ready_, entering.ready);
  out.free = end;
  out.next = (input + 1) % kMaxPorts;

  ++stats_.packets_in;
  stats_.far_packets += packet.far != 0;
  stats_.flits += packet.flits;
  stats_.busy_cycles += packet.flits;
  stats_.blocked_cycles += blocked(in, now);
  watchers_.tell([&](SwitchWatch& watch) { watch.granted(input, output, now, packet.flits); });

  in.since = std::max(in.since, end);
  if (!packet.shares_input) in.free = end;
  if (packet.flits > 1 && !packet.shares_input)
    busy_inputs_.set(input);  // with one it is free again in the next cycle
  if (packet.more) return;
  out.waiting.clear(input);
  if (out.waiting.none()) wanted_.clear(output);
  if (--in.wanted == 0) waiting_.clear(input);
}

void Switch::depart(unsigned output, Cycle now) {
  next_ = 0;
  Output& out = outputs_[output];
  const InFlight packet = leave(out);
  head_ready_[output] = out.pipe.empty() ? kNever : out.pipe.front().ready;
  if (out.pipe.empty()) filled_.clear(output);
  // One packet may leave in each cycle, so only what exceeds that is a stall.
  stats_.stalled_cycles += now - std::max(packet.ready, out.last_departure);
  out.last_departure = now + 1;
  ++stats_.packets_out;
  stats_.latency.add(now - packet.arrived);
}

// None while another copy goes.
Cycle Switch::blocked(const Input& input, Cycle now) {
  return now - std::min(now, std::max(input.since, input.counted));
}

void Switch::settle(Cycle now) {
  waiting_.for_each([&](unsigned i) {
    Input& in = inputs_[i];
    stats_.blocked_cycles += blocked(in, now);
    in.counted = now;
  });
  filled_.for_each([&](unsigned o) {
    Output& out = outputs_[o];
    const Cycle from = std::max(head_ready_[o], out.last_departure);
    if (from >= now) return;
    stats_.stalled_cycles += now - from;
    out.last_departure = now;
  });
}

Cycle Switch::first_free(const PortSet& inputs) const {
  Cycle first = kNever;
  inputs.for_each([&](unsigned i) { first = std::min(first, inputs_[i].free); });
  return first;
}

Cycle Switch::find_next_work(Cycle now) {
  Cycle next = kNever;
  if (first_ready_ > now) {
    next = first_ready_;
  } else {
    first_ready_ = kNever;
    filled_.for_each([&](unsigned o) {
      const Cycle ready = head_ready_[o];
      first_ready_ = std::min(first_ready_, ready);
      if (ready > now) next = std::min(next, ready);
    });
  }
  wanted_.for_each([&](unsigned o) {
    const Output& out = outputs_[o];
    if (!has_room(out)) return;
    Cycle at = std::max(now + 1, out.free);
    // While every input that wants it is still sending, the first of them to end decides.
    if (!out.waiting.any_besides(busy_inputs_)) at = std::max(at, first_free(out.waiting));
    next = std::min(next, at);
  });
  return next_ = next;
}

std::string Switch::describe() const {
  std::string text;
  waiting_.for_each([&](unsigned i) {
    text += "  input " + std::to_string(i) + ": waits since cycle " +
            std::to_string(inputs_[i].since) + " for output";
    wanted_.for_each([&](unsigned o) {
      if (outputs_[o].waiting.test(i)) text += " " + std::to_string(o);
    });
    text += "\n";
  });
  for (unsigned o = 0; o < outputs_.size(); ++o)
    if (!outputs_[o].pipe.empty())
      text += "  output " + std::to_string(o) + ": " + std::to_string(outputs_[o].pipe.size()) +
              "/" + std::to_string(outputs_[o].pipe.capacity()) +
              " packets, first ready at cycle " + std::to_string(outputs_[o].pipe.front().ready) +
              "\n";
  return text;
}

}  // namespace warpmem::noc
