// SPDX-License-Identifier: Apache-2.0
#include "gpu/params.hpp"

#include "program/device_memory.hpp"

namespace warpmem::gpu {

void MachineParams::describe(Schema& s) {
  s.flag("check_data", check_data,
         "payloads carry bytes, compared with the program's at the end of every launch", "chosen");
  s.flag("check_protocol", check_protocol, "a TLM base-protocol checker sits on every link",
         "chosen");
  s.flag("tick_all", tick_all,
         "tick every module at every clock edge instead of skipping idle ones; same statistics",
         "chosen");
  s.flag("reverse_construction", reverse_construction,
         "construct the modules in the opposite order; same statistics (for tests)", "chosen");
  s.flag("flush_l2_between_kernels", flush_l2_between_kernels,
         "write back and empty L2 before each launch", "mechanisms 1.7");
  s.integer("watchdog", watchdog_cycles, {0, std::uint64_t(1) << 40},
            "SM cycles without progress, and without work of the host for the GPU, after which a "
            "launch fails; 0 = never",
            "chosen");
  s.integer("max_cycles", max_cycles, {0, std::uint64_t(1) << 40},
            "SM cycles after which a launch fails (a kernel that spins for ever); 0 = never",
            "chosen");
  s.group("memory", "device memory and its address map", [&] {
    s.size("size", memory_bytes, {1 << 20, std::uint64_t(64) << 30}, "device memory", "chosen");
    map.describe(s);
  });
  s.group("sm", "streaming multiprocessors", [&] {
    s.integer("count", sm_count, {1, 64}, "SMs", "DL Table 2");
    s.frequency("clock", sm_hertz, {1'000'000, 10'000'000'000}, "clock of SMs and L1Ds",
                "DL Table 2");
    sm.describe(s);
  });
  s.group("l1d", "level 1 data cache of each SM", [&] { l1d.describe(s); });
  s.group("noc", "crossbar between L1Ds and L2 banks", [&] { noc.describe(s); });
  s.group("l2", "level 2 cache, one bank a memory partition", [&] {
    s.frequency("clock", l2_hertz, {1'000'000, 10'000'000'000}, "clock of the L2 banks",
                "DL Table 2");
    l2.describe(s);
  });
  s.alias("sm.prefetch.kind", "l1d.prefetch.kind");  // docs/mechanisms.md 8
  s.group("dram", "DRAM channel of each memory partition", [&] { dram.describe(s); });
  s.group("uvm", "unified virtual memory", [&] { uvm.describe(s); });
}

void MachineParams::validate(Problems& problems) const {
  map.validate(problems);
  sm.validate(problems);
  l1d.validate(problems);
  noc.validate(problems);
  l2.validate(problems);
  dram.validate(problems);
  uvm.validate(problems);
  if (uvm.enable && l1d.prefetch.enabled())
    problems.add("l1d.prefetch.kind",
                 "prefetches of L1D carry no translation; allowed with uvm.enable: none");
  if (l1d.prefetch.enabled() && !l1d.enable)
    problems.add("l1d.prefetch.kind", "there is no L1D to fill; allowed: none");
  if (!l1d.observe_locality && sm.wants_locality())
    problems.add("l1d.observe.locality",
                 "sm.scheduler.policy goes by the class of each access; allowed with it: true");
  if (l1d.line_bytes != l2.line_bytes) {
    problems.add("l2.line", "L2 lines of " + std::to_string(l2.line_bytes) +
                                " B with L1D lines of " + std::to_string(l1d.line_bytes) +
                                " B; allowed: the same line size at both levels");
  }
}

void MachineParams::derive() {
  sm.line_bytes = l1d.line_bytes;
  sm.carry_data = check_data;
  sm.translated = uvm.enable;
  l1d.victim_tags = sm.policy == sm::Policy::ccws ? sm.victim_tags : 0;
  l1d.warps = sm.warps;
  l1d.ctas = sm.ctas;
  l1d.carry_data = check_data;
  l1d.prefetch_range = {program::DeviceMemory::kBase,
                        program::DeviceMemory::kBase + program::DeviceMemory::kReserve};
  l2.carry_data = check_data;
  dram.carry_data = check_data;
  uvm.device_bytes = memory_bytes;
  uvm.carry_data = check_data;
}

}  // namespace warpmem::gpu
