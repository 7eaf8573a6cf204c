// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "dram/channel.hpp"

namespace warpmem::dram {

void Channel::Params::describe(Schema& s) {
  s.frequency("clock", clock_hz, {1'000'000, 10'000'000'000}, "command clock of the DRAM channels",
              "GPGPU-Sim's GTX480 set");
  s.integer("queue", queue, {1, 256}, "requests that a channel's queue holds", "SPEC 1.5");
  s.integer("response_queue", response_queue, {1, 256},
            "finished requests that may wait for the link before column commands stop");
  s.integer("bus_bytes", bus_bytes, {1, kAtomBytes, true}, "bytes a channel moves in a DRAM cycle",
            "BU Table II");
  s.choice("policy", policy, {{"fr_fcfs", Policy::fr_fcfs}, {"fcfs", Policy::fcfs}},
           "order of service: row hits first and then oldest first, or oldest first", "SPEC 1.7");
  s.only_if(
      "dram.policy: fr_fcfs", [this] { return policy == Policy::fr_fcfs; },
      [&] {
        s.integer("age_cap", age_cap, {0, 1'000'000'000},
                  "a request older than this many DRAM cycles goes before everything, 0 = never",
                  "SPEC 1.7");
      });
  s.integer("min_latency", min_latency, {0, 100'000},
            "DRAM cycles added to every read, on top of the device's own; writes are posted",
            "KI Table 5.1");
  s.flag("check_timing", check_timing,
         "every DRAM command is checked against the timing rules by independent code (slow)");
  s.group("timing", "timing of the DRAM device", [&] { timing.describe(s); });
}

void Channel::Params::validate(Problems& problems) const { timing.validate(problems); }

}  // namespace warpmem::dram
