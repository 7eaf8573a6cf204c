// SPDX-License-Identifier: Apache-2.0
// What the crossbar reports, and its keys.
#include <string>

#include "noc/crossbar.hpp"

namespace warpmem::noc {

std::string Crossbar::describe() const {
  std::string text = std::string(name()) + ": " + std::to_string(origins_.size()) + " of " +
                     std::to_string(origins_.capacity()) +
                     " requests without a response\n requests:\n" + requests_.describe() +
                     " responses:\n" + responses_.describe();
  for (const auto& port : inputs_)
    if (!port->idle()) text += "  " + port->describe() + "\n";
  for (const auto& port : outputs_)
    if (!port->idle()) text += "  " + port->describe() + "\n";
  return text;
}

namespace {

void register_direction(StatGroup& group, const std::string& direction, const SwitchStats& s,
                        bool halves) {
  const std::string prefix = direction + ".";
  group.counter(prefix + "packets", s.packets_out, "packets", "packets delivered, " + direction);
  group.counter(prefix + "flits", s.flits, "flits", "flits switched, " + direction);
  group.counter(prefix + "busy_cycles", s.busy_cycles, "output cycles",
                "outputs that switched a flit, summed over cycles, " + direction);
  group.counter(prefix + "blocked_cycles", s.blocked_cycles, "input cycles",
                "inputs that sent nothing and had a packet that waited for its output, summed over "
                "cycles, " +
                    direction);
  group.counter(
      prefix + "stalled_cycles", s.stalled_cycles, "output cycles",
      "outputs with a packet that the other side did not take, summed over cycles, " + direction);
  group.histogram(prefix + "latency", s.latency, "interconnect cycles",
                  "packets by cycles from the input queue to departure");
  if (halves)
    group.counter(prefix + "far_packets", s.far_packets, "packets",
                  "packets granted between an SM and a slice of the other half, " + direction);
  group.law(prefix + "packets in = packets out", [&s] {
    return expect_equal("packets granted", s.packets_in, "packets delivered", s.packets_out);
  });
}

}  // namespace

void Crossbar::register_stats(StatRegistry& registry, unsigned index, const char* name) {
  StatGroup& group = registry.group(name, index);
  group.before_snapshot([this] {
    const Cycle now = domain().cycle_at(simulation_now());
    requests_.settle(now);
    responses_.settle(now);
  });
  const bool halves = params_.far_latency != 0;
  register_direction(group, "request", requests_.stats(), halves);
  register_direction(group, "response", responses_.stats(), halves);
  if (pool_ != nullptr)
    group.counter("request.copies", copies_, "packets",
                  "of request.packets, copies of those that go to several outputs");
  group.law("responses come from where the requests went", [this] {
    return expect_equal("request.far_packets", requests_.stats().far_packets,
                        "response.far_packets", responses_.stats().far_packets);
  });
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
  s.integer(
      "response_flit_bytes", response_flit_bytes, {0, 256},
      "bytes of a flit of responses, where it differs from noc.flit_bytes, which is then that "
      "of requests; 0 = noc.flit_bytes",
      "0: MR Table 1");
  s.integer("cluster", cluster, {1, 32},
            "SMs that share a port of the crossbar in each direction, in turn; the last port may "
            "have fewer",
            "1: DL Table 2; 2 is a TPC of Maxwell and later");
  s.integer("header_bytes", header_bytes, {0, 64},
            "bytes that a request or response takes besides its data", "MR Table 1");
  s.integer("latency", latency, {1, 4096},
            "cycles of the crossbar from one side to the other, the same each way",
            "KI 4.3 sweeps 50..400");
  s.integer("far_latency", far_latency, {0, 4096},
            "cycles of the crossbar, each way, that packets between an SM of one half of the ports "
            "and an L2 slice of the other half take beyond noc.latency; 0 = the chip has no halves",
            "0: DL Table 2; A100 and H100 have two halves");
  s.choice(
      "input_queues", input_queues,
      {{"fifo", InputQueues::fifo}, {"virtual_output", InputQueues::virtual_output}},
      "what of an input queue may go: its head alone, which holds up those behind it while its "
      "output is taken, or the oldest packet for each output, which iSLIP pairs",
      "fifo: chosen");
  s.only_if(
      "noc.input_queues: virtual_output", [this] { return virtual_queues(); },
      [&] {
        s.integer(
            "iterations", iterations, {1, 16},
            "times in a cycle that outputs without a packet offer themselves to inputs without one",
            "McKeown 1999, Fig 17: 1, 2 and 4");
      });
  s.integer("request_queue", request_queue, {1, 1024},
            "packets that an SM's input queue holds, whatever slices they go to", "chosen");
  s.integer("response_queue", response_queue, {1, 1024},
            "packets that an L2 slice's input queue holds, whatever SMs they go to", "chosen");
  s.integer("output_queue", output_queue, {1, 1024},
            "packets that may wait at an output of the crossbar, beyond those on their way",
            "chosen");
  s.integer("in_flight", in_flight, {0, OriginTable::kMost},
            "requests of all SMs that may be without a response, while more wait in the input "
            "queues; 0 = as many as the L1Ds can have under way",
            "chosen");
}

void Crossbar::Params::validate(Problems&) const {}

}  // namespace warpmem::noc
