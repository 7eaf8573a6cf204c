// SPDX-License-Identifier: Apache-2.0
#include "gpu/implied_bandwidth.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/random.hpp"
#include "cache/mha/capacity.hpp"
#include "l2/atomic_unit.hpp"
#include "sm/atomic_groups.hpp"

namespace warpmem::gpu {

namespace {

constexpr unsigned kWideLane = 16;  // bytes of the widest access of a lane

/// Finds the unit that limits a flow of equal pieces (instructions, requests), each of `amount`.
class Bottleneck {
 public:
  explicit Bottleneck(double amount) : amount_(amount) {}

  /// `copies` of a unit share the pieces evenly, each of which takes `cycles` of one.
  void unit(const char* name, double copies, double cycles, std::uint64_t hertz) {
    if (cycles > 0) at_most({copies * amount_ * static_cast<double>(hertz) / cycles, name});
  }
  void at_most(const Limit& limit) {
    if (found_.unit[0] == '\0' || limit.per_second < found_.per_second) found_ = limit;
  }
  const Limit& limit() const { return found_; }

 private:
  double amount_;
  Limit found_;
};

unsigned sum_of(const std::vector<unsigned>& values) {
  return std::accumulate(values.begin(), values.end(), 0u);
}

/// Bytes that an entry of L1D's miss handler waits for in a stream.
double bytes_of_miss(const MachineParams& params) {
  const Traffic load = traffic_of_loads(params, kWarpLanes, kWideLane);
  const unsigned request = load.bytes / load.requests;
  if (params.l1d.misses_by_sector()) return params.l1d.bytes_of_fetch();
  return std::min(params.l1d.line_bytes, params.l1d.mshr.slots * request);
}

/// Cycles in which L1D takes the requests of a warp instruction, whose lanes are a row: one a
/// cycle, or a sector or a word a bank.
unsigned l1d_cycles(const MachineParams& params, const Traffic& traffic) {
  if (params.l1d.banks == 1) return traffic.requests;
  if (params.l1d.bank_width == cache::BankWidth::word)
    return (traffic.bytes + kMaxLineBytes - 1) / kMaxLineBytes;
  const unsigned sectors = std::max(traffic.requests, traffic.bytes / kSectorBytes);
  return (sectors + params.l1d.banks - 1) / params.l1d.banks;
}

const char* l1d_rate(const MachineParams& params) {
  if (params.l1d.banks == 1) return "L1D, a request a cycle";
  return params.l1d.bank_width == cache::BankWidth::word ? "L1D, a word a bank"
                                                         : "L1D, a sector a bank";
}

/// What SMs and L1Ds do for each warp instruction.
void add_issue(Bottleneck& flow, const MachineParams& params, const Traffic& traffic) {
  const double sms = params.sm_count;
  flow.unit("sm.issue_interval", sms * params.sm.schedulers, params.sm.issue_interval,
            params.sm_hertz);
  flow.unit("sm.timing.memory.interval", sms,
            params.sm.timing[unsigned(program::OpClass::memory)].interval, params.sm_hertz);
  flow.unit(l1d_rate(params), sms, l1d_cycles(params, traffic), params.sm_hertz);
}

/// Requests that are no hits in L1D.
void add_misses(Bottleneck& flow, const MachineParams& params, unsigned requests) {
  flow.unit("l1d.miss_ports", double(params.sm_count) * params.l1d.misses_a_cycle(), requests,
            params.sm_hertz);
}

/// Outputs of a switch of the crossbar that move a flit in each cycle. iSLIP loses nothing under
/// uniform traffic (McKeown 1999).
double moving_outputs(const MachineParams& params, unsigned inputs, unsigned outputs) {
  return params.noc.virtual_queues() ? std::min(inputs, outputs) : busy_outputs(inputs, outputs);
}

/// What the crossbar and L2 do for it. `sent` and `returned` are flits of all its packets;
/// `slices` may be a part of them, for pieces that do not spread evenly.
void add_l2(Bottleneck& flow, const MachineParams& params, double slices, unsigned sent,
            unsigned returned, std::size_t lookups) {
  const unsigned ports = sm_ports(params), all = l2_slices(params);
  flow.unit("L2, a lookup a cycle", slices, static_cast<double>(lookups), params.l2_hertz);
  flow.unit("crossbar, requests", std::min(slices, moving_outputs(params, ports, all)), sent,
            params.noc.clock_hz);
  flow.unit("crossbar, responses", std::min(slices, moving_outputs(params, all, ports)), returned,
            params.noc.clock_hz);
}

void add_loads_at_l2(Bottleneck& flow, const MachineParams& params, const Traffic& traffic) {
  unsigned returned = 0;
  for (const unsigned bytes : traffic.at_l2) returned += response_flits(params, bytes);
  add_misses(flow, params, traffic.requests);
  add_l2(flow, params, l2_slices(params),
         static_cast<unsigned>(traffic.at_l2.size()) * request_flits(params, 0), returned,
         traffic.at_l2.size());
}

/// Stores and atomics that an L1D may have under way.
void add_outstanding_writes(Bottleneck& flow, const MachineParams& params, double bytes,
                            unsigned packet) {
  const double seconds = unloaded_at_l2(params, packet, 0).in_l1d * 1e-9;
  flow.at_most({params.sm_count * params.l1d.outstanding_writes * bytes / seconds,
                "l1d.outstanding_writes"});
}

Limit atomics(const MachineParams& params, bool one_word) {
  std::array<Addr, kWarpLanes> address{};
  if (!one_word)
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) address[lane] = 4 * lane;
  sm::Coalescer coalescer(params.sm.granularity, params.l1d.line_bytes);
  sm::RequestList list;
  unsigned count = coalescer.coalesce(address.data(), ~LaneMask(0), 4, 0, list, 0);
  if (params.sm.atomics == sm::AtomicConflicts::apart)
    count = sm::split_by_word(address.data(), 4, params.l2.atomic.lanes, list, count);
  unsigned steps = 0, sent = 0, bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    const sm::AtomicGroups found =
        sm::atomic_groups(address.data(), list[i].lanes, 4, params.l2.atomic.lanes);
    Access access;
    access.atomic_groups = static_cast<std::uint8_t>(found.groups);
    access.atomic_chain = static_cast<std::uint8_t>(found.chain);
    steps += static_cast<unsigned>(l2::AtomicUnit(params.l2.atomic).perform(access, 0));
    bytes = packet_bytes(params, list[i]);
    sent += request_flits(params, bytes);
  }
  Bottleneck flow(kWarpLanes);
  add_issue(flow, params, {0, count, {}});
  add_misses(flow, params, count);
  const double slices = one_word ? 1 : l2_slices(params);
  add_l2(flow, params, slices, sent, count * response_flits(params, 0), count);
  flow.unit("atomic units of L2", slices, steps, params.l2_hertz);
  add_outstanding_writes(flow, params, double(kWarpLanes) / count, bytes);
  return flow.limit();
}

// Between two rows that a channel opens for a line each. A READ or PRECHARGE may have the cycle in
// which tRRD lets the next ACTIVATE go. With n of them in the P - 1 cycles left by the ACTIVATEs,
// at random, it waits for n / (P - 1 - n) cycles in the mean, so that (P - tRRD) (P - 1 - n) = n.
double cycles_of_a_row(const MachineParams& params) {
  const dram::Channel::Params& dram = params.dram;
  const dram::Timing t = dram.timing.in_cycles(dram.clock_hz);
  double apart = double(t.t_rrd) / dram.pseudo_channels;
  if (dram.command_bus == dram::CommandBus::one) {
    const bool train = dram.column_command == dram::ColumnCommand::train;
    const double n = (train ? 1 : params.l2.line_bytes / dram.burst_bytes) +
                     (dram.page == dram::Page::open ? 1 : 0);
    const double sum = apart + 1 + n;
    apart = (sum + std::sqrt(sum * sum - 4 * (apart * (1 + n) - n))) / 2;
  }
  return std::max(apart, t.t_faw / 4.0 / dram.pseudo_channels);
}

}  // namespace

// Heads that want an output are as good as a number at it: which of them is served does not matter.
double busy_outputs(unsigned inputs, unsigned outputs) {
  constexpr unsigned kStart = 256, kTimes = 4096;
  Random random(1);
  std::vector<unsigned> heads(outputs);
  for (unsigned i = 0; i < inputs; ++i) ++heads[random.below(outputs)];
  std::uint64_t sum = 0;
  for (unsigned t = 0; t < kStart + kTimes; ++t) {
    unsigned served = 0;
    for (unsigned& waiting : heads) {
      if (waiting == 0) continue;
      --waiting;
      ++served;
    }
    for (unsigned i = 0; i < served; ++i) ++heads[random.below(outputs)];
    if (t >= kStart) sum += served;
  }
  return static_cast<double>(sum) / kTimes;
}

Limit l1d_bandwidth(const MachineParams& params) {
  const Traffic load = traffic_of_loads(params, kWarpLanes, kWideLane);
  Bottleneck flow(load.bytes);
  flow.unit(l1d_rate(params), params.sm_count, l1d_cycles(params, load), params.sm_hertz);
  return flow.limit();
}

Limit l2_bandwidth(const MachineParams& params) {
  const Traffic load = traffic_of_loads(params, kWarpLanes, kWideLane);
  unsigned returned = 0;
  for (const unsigned bytes : load.at_l2) returned += response_flits(params, bytes);
  Bottleneck flow(sum_of(load.at_l2));
  flow.unit("lookups", l2_slices(params), static_cast<double>(load.at_l2.size()), params.l2_hertz);
  flow.unit("response ports", l2_slices(params), returned, params.noc.clock_hz);
  return flow.limit();
}

double dram_peak_bandwidth(const MachineParams& params) {
  return static_cast<double>(params.dram.peak_bandwidth()) * params.map.partitions;
}

double dram_refreshed_bandwidth(const MachineParams& params) {
  const double peak = dram_peak_bandwidth(params);
  if (params.dram.refresh != dram::Refresh::all_bank) return peak;
  const dram::Timing t = params.dram.timing.in_cycles(params.dram.clock_hz);
  // The row of each bank closes before and is opened after.
  return peak * (1 - static_cast<double>(t.t_rfc + t.t_rp + t.t_rcd) / t.t_refi);
}

Limit l1d_miss_bandwidth(const MachineParams& params, Level level) {
  const auto times = unloaded_load(params, level == Level::l2 ? Depth::l2 : Depth::row_hit);
  const double seconds = times.value().in_l1d * 1e-9, sms = params.sm_count;
  const unsigned request = traffic_of_loads(params, kWarpLanes, kWideLane).at_l2.front();
  // Little's law with `count` of them under way.
  Bottleneck flow(1);
  const auto under_way = [&](const char* name, double count, double bytes) {
    flow.at_most({count * bytes / seconds, name});
  };
  if (params.l1d.enable) {
    const std::uint64_t lines = params.l1d.way_bytes() / params.l1d.line_bytes * params.l1d.ways;
    const auto misses = std::min<std::uint64_t>(mha::most_misses(params.l1d.mshr), lines);
    under_way("MSHRs of L1D", sms * static_cast<double>(misses), bytes_of_miss(params));
  } else {
    under_way("l1d.outstanding_writes", sms * params.l1d.outstanding_writes, request);
  }
  if (params.noc.in_flight != 0) under_way("noc.in_flight", params.noc.in_flight, request);
  return flow.limit();
}

Limit l2_miss_bandwidth(const MachineParams& params) {
  const auto times = unloaded_load(params, Depth::row_hit);
  const double seconds = times.value().in_l2 * 1e-9;
  const Traffic load = traffic_of_loads(params, kWarpLanes, kWideLane);
  const std::uint64_t lines = std::uint64_t(params.l2.sets()) * params.l2.ways;
  const auto misses = std::min<std::uint64_t>(mha::most_misses(params.l2.mshr), lines);
  const unsigned bytes =
      params.l2.misses_by_sector()
          ? params.l2.bytes_of_fetch()
          : std::min(params.l2.line_bytes,
                     params.l2.mshr.slots * bytes_from_dram(params, load.at_l2.front()));
  return {l2_slices(params) * static_cast<double>(misses) * bytes / seconds, "MSHRs of L2"};
}

Limit stream_read(const MachineParams& params, Level level) {
  const Traffic load = traffic_of_loads(params, kWarpLanes, kWideLane);
  Bottleneck flow(load.bytes);
  add_issue(flow, params, load);
  if (level == Level::l1d && loads_hit_l1d(params)) return flow.limit();
  add_loads_at_l2(flow, params, load);
  flow.at_most(l1d_miss_bandwidth(params, level == Level::dram ? Level::dram : Level::l2));
  if (level != Level::dram) return flow.limit();
  flow.at_most({dram_refreshed_bandwidth(params), "DRAM"});
  flow.at_most(l2_miss_bandwidth(params));
  return flow.limit();
}

Limit stream_write(const MachineParams& params, unsigned lane_bytes) {
  const Traffic store = traffic_of_stores(params, kWarpLanes, lane_bytes);
  unsigned sent = 0;
  for (const unsigned bytes : store.at_l2) sent += request_flits(params, bytes);
  Bottleneck flow(store.bytes);
  add_issue(flow, params, store);
  add_misses(flow, params, store.requests);
  add_l2(flow, params, l2_slices(params), sent, store.requests * response_flits(params, 0),
         store.requests);
  add_outstanding_writes(flow, params, double(store.bytes) / store.requests, store.at_l2.front());
  return flow.limit();
}

Limit atomics_on_one_word(const MachineParams& params) { return atomics(params, true); }
Limit atomics_on_many_words(const MachineParams& params) { return atomics(params, false); }

Limit strided_read(const MachineParams& params, const Strided& strided, Level level) {
  const AddressMap map(params.map);
  const dram::Timing t = params.dram.timing.in_cycles(params.dram.clock_hz);
  const dram::Device device(t, params.map.banks, params.dram);
  struct Bank {
    unsigned opened = 0;
    std::uint32_t row = 0;
  };
  std::map<unsigned, unsigned> of_slice;
  std::map<unsigned, std::map<unsigned, Bank>> banks;
  for (unsigned i = 0; i < strided.lines; ++i) {
    const Addr address = strided.base + i * strided.stride;
    ++of_slice[map.slice(address).value];
    const DramCoordinates at = map.dram(address);
    Bank& bank = banks[map.partition(address).value][at.bank.value];
    if (bank.opened == 0 || bank.row != at.row) ++bank.opened;
    bank.row = at.row;
  }
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  const unsigned most = std::max_element(of_slice.begin(), of_slice.end(), less)->second;

  Traffic line = traffic_of_loads(params, kWarpLanes, 4);
  Bottleneck flow(line.bytes);
  add_issue(flow, params, line);
  add_loads_at_l2(flow, params, line);
  unsigned returned = 0;
  for (const unsigned bytes : line.at_l2) returned += response_flits(params, bytes);
  const double slices = static_cast<double>(strided.lines) / most;
  add_l2(flow, params, slices, static_cast<unsigned>(line.at_l2.size()) * request_flits(params, 0),
         returned, line.at_l2.size());
  if (level != Level::dram) return flow.limit();
  unsigned opened = 0, opened_in_bank = 0;
  for (const auto& [partition, of_bank] : banks) {
    unsigned sum = 0;
    for (const auto& [number, bank] : of_bank) {
      sum += bank.opened;
      opened_in_bank = std::max(opened_in_bank, bank.opened);
    }
    opened = std::max(opened, sum);
  }
  const double lines = strided.lines;
  flow.unit("a DRAM bank, tRC a row", lines / opened_in_bank, t.t_rc, params.dram.clock_hz);
  flow.unit("a DRAM channel, tRRD a row", lines / opened, cycles_of_a_row(params),
            params.dram.clock_hz);
  flow.at_most({dram_refreshed_bandwidth(params), "DRAM"});
  flow.at_most(l2_miss_bandwidth(params));
  return flow.limit();
}

std::uint64_t partition_stride(const MachineParams& params) {
  return params.map.partitions * params.map.interleave_bytes;
}

std::uint64_t bank_stride(const MachineParams& params) {
  return params.map.partitions * params.map.row_bytes * params.map.banks + params.l2.line_bytes;
}

}  // namespace warpmem::gpu
