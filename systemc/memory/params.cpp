// SPDX-License-Identifier: Apache-2.0
#include "memory/params.hpp"

#include "base/read_params.hpp"

namespace warpmem::memory {

void MemoryParams::describe_modes(Schema& s) {
  s.flag("check_protocol", check_protocol, "a TLM base-protocol checker sits on every link",
         "chosen");
  s.flag("tick_all", tick_all,
         "tick every module at every clock edge instead of skipping idle ones; same statistics",
         "chosen");
  s.flag("reverse_construction", reverse_construction,
         "construct the modules in the opposite order; same statistics (for tests)", "chosen");
}

void MemoryParams::describe_addresses(Schema& s) {
  s.group("memory", "device memory and its address map", [&] {
    s.size("size", memory_bytes, {1 << 20, std::uint64_t(4) << 40}, "device memory", "chosen");
    map.describe(s);
  });
}

void MemoryParams::describe_ports(Schema& s) {
  s.integer("count", sm_count, {1, kMaxSms}, "SMs", "DL Table 2");
  s.frequency("clock", sm_hertz, {1'000'000, 10'000'000'000}, "clock of SMs and L1Ds",
              "DL Table 2");
}

void MemoryParams::describe_levels(Schema& s) {
  s.group("l1d", "level 1 data cache of each SM", [&] { l1d.describe(s); });
  s.group("noc", "crossbar between L1Ds and L2 banks", [&] { noc.describe(s); });
  s.group("l2", "level 2 cache, its banks spread over the memory partitions", [&] {
    map.describe_slices(s);
    s.frequency("clock", l2_hertz, {1'000'000, 10'000'000'000}, "clock of the L2 banks",
                "DL Table 2");
    l2.describe(s);
  });
  s.alias("sm.prefetch.kind", "l1d.prefetch.kind");  // docs/mechanisms.md 8
  s.group("dram", "DRAM channel of each memory partition", [&] {
    s.choice("kind", dram_kind, {{"gddr5", DramKind::gddr5}, {"external", DramKind::external}},
             "what answers the L2 banks: the channels that this group describes, or a memory of "
             "one's own at the sockets memory(s) of the library (not with `warpmem run`)",
             "chosen");
    s.only_if(
        "dram.kind: gddr5", [this] { return dram_kind == DramKind::gddr5; },
        [&] { dram.describe(s); });
  });
  s.group("uvm", "unified virtual memory", [&] { uvm.describe(s); });
  s.group("host", "link over which kernels access pinned memory of the host",
          [&] { host.describe(s); });
}

void MemoryParams::describe(Schema& s) {
  describe_modes(s);
  describe_addresses(s);
  s.group("sm", "ports, each with an L1D of its own", [&] { describe_ports(s); });
  describe_levels(s);
  for (const char* key :
       {"gpu", "gpc", "sm", "check_data", "watchdog", "max_cycles", "flush_l2_between_kernels"})
    s.foreign(key, "has no effect: it belongs to a machine with SMs");
}

void MemoryParams::validate(Problems& problems) const {
  map.validate(problems);
  l1d.validate(problems);
  noc.validate(problems);
  l2.validate(problems);
  if (dram_kind == DramKind::gddr5) dram.validate(problems, map.banks);
  uvm.validate(problems);
  const l1d::L1dParams l1 = l1d.effective();
  if (uvm.enable && l1.prefetch.enabled())
    problems.add("l1d.prefetch.kind",
                 "prefetches of L1D carry no translation; allowed with uvm.enable: none");
  const std::uint32_t fetched = l1.prefetch.enabled() ? l1.line_bytes : l1.bytes_of_fetch();
  if (l2.misses_by_sector() && l1.enable && fetched > l2.bytes_of_fetch())
    problems.add("l2.mshr.granularity",
                 "sector, of " + std::to_string(l2.bytes_of_fetch()) +
                     " B, with fetches of L1D of " + std::to_string(fetched) +
                     " B (l1d.sector, l1d.fetch, l1d.prefetch); allowed: line");
  if (l2.misses_by_sector() &&
      (l2.write_miss == l2::WriteMiss::fetch || l2.write_miss == l2::WriteMiss::through_fetch))
    problems.add("l2.mshr.granularity",
                 "sector with an l2.write_miss that fetches all that a write of several sectors "
                 "touches; allowed: line, or l2.write_miss: validate or fetch_partial");
  if (l1d.line_bytes != l2.line_bytes) {
    problems.add("l2.line", "L2 lines of " + std::to_string(l2.line_bytes) +
                                " B with L1D lines of " + std::to_string(l1d.line_bytes) +
                                " B; allowed: the same line size at both levels");
  }
}

void MemoryParams::derive() {
  l1d.carry_data = carry_data;
  l1d.prefetch_range = device;
  l2.carry_data = carry_data;
  dram.carry_data = carry_data;
  uvm.device_bytes = memory_bytes;
  uvm.carry_data = carry_data;
  host.carry_data = carry_data;
  l2.host = host_memory;
  l2.host_requests = host_memory.empty() ? 0 : host.slice_requests;
  uvm.tlb_width = l1d.banks;
}

MemoryParams read_params(const std::string& file, const std::vector<std::string>& assignments,
                         std::vector<std::string>* notes) {
  return read_params_of<MemoryParams>(file, assignments, notes);
}

}  // namespace warpmem::memory
