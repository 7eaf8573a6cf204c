// SPDX-License-Identifier: Apache-2.0
#include "gpu/params.hpp"

#include "base/read_params.hpp"
#include "program/device_memory.hpp"

namespace warpmem::gpu {

void MachineParams::describe(Schema& s) {
  s.flag("check_data", check_data,
         "payloads carry bytes, compared with the program's at the end of every launch", "chosen");
  describe_modes(s);
  s.flag("flush_l2_between_kernels", flush_l2_between_kernels,
         "write back and empty L2 before each launch", "mechanisms 1.7");
  s.integer("watchdog", watchdog_cycles, {0, std::uint64_t(1) << 40},
            "SM cycles without progress, and without work of the host for the GPU, after which a "
            "launch fails; 0 = never",
            "chosen");
  s.integer("max_cycles", max_cycles, {0, std::uint64_t(1) << 40},
            "SM cycles after which a launch fails whose blocks have not all ended (a kernel that "
            "spins for ever); 0 = never",
            "chosen");
  s.group("ptx", "what the assembler of a chip makes of kernels in PTX", [&] {
    s.flag("early_loads", early_loads,
           "whether the loads of a basic block go ahead of the arithmetic that does not need them, "
           "up to 16 registers of results that wait; traces stay as they are",
           "false: chosen, as PTX is written; true: what NVIDIA's assembler makes of it is like "
           "this (docs/silicon.md)");
  });
  s.group("gpu", "kernel launches", [&] {
    s.integer("launch_latency", launch_latency, {0, 1u << 20},
              "SM cycles from a kernel's launch to the dispatch of its first thread block, which "
              "count as cycles of the kernel",
              "chosen: not modelled by the papers; Accel-Sim has 5000 for Volta");
    s.integer(
        "concurrent_kernels", concurrent_kernels, {1, 128},
        "kernels of independent streams of a program that run at a time; what depends on one "
        "of them waits until the machine has drained. 1: a launch returns when its kernel has "
        "ended",
        "1: chosen; CUDA C++ Programming Guide: 16 to 128 since compute capability 5.0");
    s.integer("ctas_a_cycle", ctas_a_cycle, {0, 256},
              "thread blocks that go to the SMs in an SM cycle, of all SMs; 0 = one an SM. The "
              "blocks of a cluster go together, and none in the cycles that they take beyond one",
              "0: chosen");
  });
  s.group("gpc", "graphics processing clusters, whose SMs run the blocks of thread-block clusters",
          [&] { gpc.describe(s); });
  describe_addresses(s);
  s.group("sm", "streaming multiprocessors", [&] {
    describe_ports(s);
    sm.describe(s, [this] { return l1d.unified == 0; });
  });
  describe_levels(s);
}

void MachineParams::validate(Problems& problems) const {
  sm.validate(problems);
  MemoryParams::validate(problems);
  if (l1d.banks > 1 && sm.laws())
    problems.add("l1d.banks",
                 std::to_string(l1d.banks) +
                     " with an sm.scheduler.policy whose scoring unit takes one access "
                     "a cycle; allowed: 1");
  if (l1d.banks > 1 && l1d.uses_bucl())
    problems.add("l1d.banks",
                 std::to_string(l1d.banks) +
                     " with an l1d.bypass.kind whose control takes one access a cycle; "
                     "allowed: 1");
  const bool small = sm.granularity == sm::Granularity::sector;
  if (!small && l1d.effective().misses_by_sector())
    problems.add("l1d.mshr.granularity",
                 "sector with requests larger than one; allowed: line, or "
                 "sm.coalescer.granularity: sector");
  if (!small && l2.misses_by_sector())
    problems.add("l2.mshr.granularity",
                 "sector with requests larger than one; allowed: line, or "
                 "sm.coalescer.granularity: sector");
}

void MachineParams::derive() {
  carry_data = check_data;
  device = {program::DeviceMemory::kBase,
            program::DeviceMemory::kBase + program::DeviceMemory::kReserve};
  host_memory = {program::DeviceMemory::kHostBase, program::DeviceMemory::kHostBytes};
  MemoryParams::derive();
  sm.line_bytes = l1d.line_bytes;
  sm.l1d_banks = l1d.banks;
  sm.l1d_words = l1d.banks > 1 && l1d.bank_width == cache::BankWidth::word;
  sm.l1d_lines = l1d.banks > 1 && l1d.lookups != 0;
  sm.unified = l1d.unified != 0;
  if (sm.unified) sm.largest_carveout = l1d.division().largest();
  sm.atomic_lanes = l2.atomic.lanes;
  sm.carry_data = check_data;
  sm.gpc_sms = gpc.sms;
  sm.gpc_queue = gpc.queue;
  sm.translated = uvm.enable;
  if (sm.wants_locality()) l1d.observe_locality = true;
  l1d.victim_tags = sm.policy == sm::Policy::ccws ? sm.victim_tags : 0;
  l1d.warps = sm.warps;
  l1d.ctas = sm.ctas;
}

MachineParams read_params(const std::string& file, const std::vector<std::string>& assignments,
                          std::vector<std::string>* notes) {
  return read_params_of<MachineParams>(file, assignments, notes);
}

}  // namespace warpmem::gpu
