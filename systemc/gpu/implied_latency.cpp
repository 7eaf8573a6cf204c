// SPDX-License-Identifier: Apache-2.0
#include "gpu/implied_latency.hpp"

#include "base/clock_edges.hpp"
#include "cache/mha/capacity.hpp"
#include "dram/device.hpp"
#include "l2/coalescer.hpp"

namespace warpmem::gpu {

namespace {

constexpr unsigned kLoads = 4096;  // of a chain; more than the phases of any two clocks in use

unsigned frontend_cycles(const cache::FrontendParams& params) {
  switch (params.kind) {
    case cache::FrontendKind::fifo:
      return 0;
    case cache::FrontendKind::mrpb:
      return params.mrpb.latency;
    default:
      return params.latency;
  }
}

/// DRAM cycles from the acceptance of a read of `bytes` to its answer.
Cycle dram_cycles(const MachineParams& params, Depth depth, unsigned bytes) {
  const dram::Channel::Params& d = params.dram;
  const dram::Timing timing = d.timing.in_cycles(d.clock_hz);
  const dram::Device device(timing, params.map.banks, d);
  Cycle cycles = 1;
  if (d.page == dram::Page::closed || depth == Depth::row_miss) cycles += timing.t_rcd;
  if (d.page == dram::Page::open && depth == Depth::row_miss) cycles += timing.t_rp;
  return cycles + (device.bursts(0, bytes) - 1) * device.burst_distance() + timing.t_cl +
         d.burst_cycles() + d.min_latency;
}

/// An access on its way through the machine.
class Way {
 public:
  struct Packets {
    unsigned sent = 0;      ///< data bytes of the request to L2
    unsigned returned = 0;  ///< data bytes of L2's answer
  };
  Way(const MachineParams& params, Depth depth, Translation translation, Packets packets)
      : params_(params),
        sm_(params.sm_hertz),
        noc_(params.noc.clock_hz),
        l2_(params.l2_hertz),
        depth_(depth),
        translation_(translation),
        fetches_(params.l1d.enable && packets.sent == 0),
        request_flits_(request_flits(params, packets.sent)),
        response_flits_(response_flits(params, packets.returned)),
        dram_cycles_(depth < Depth::row_hit
                         ? 0
                         : dram_cycles(params, depth, bytes_from_dram(params, packets.returned))) {
    const unsigned slices = l2_slices(params), far = slices / 2;
    far_share_ = static_cast<double>(far) / slices;
  }

  /// Performs accesses, each issued when the one before is complete; returns their mean times.
  UnloadedTimes chain() {
    for (unsigned i = 0; i < kLoads; ++i) {
      const auto before = static_cast<unsigned>(i * far_share_);
      far_ = static_cast<unsigned>((i + 1) * far_share_) != before ? params_.noc.far_latency : 0;
      access();
    }
    const auto nanoseconds = [](Femtoseconds sum) {
      return static_cast<double>(sum) / 1e6 / kLoads;
    };
    return {nanoseconds(time_), nanoseconds(in_l1d_), nanoseconds(in_l2_)};
  }

 private:
  // From an edge of the clock: `cycles` edges on. From another time: the first edge after it, and
  // cycles - 1 on.
  void advance(std::uint64_t hertz, Cycle cycles) {
    time_ = time_of_edge(edge_at(time_, hertz) + cycles, hertz);
  }

  void access() {
    advance(sm_, 2 + params_.sm.lsu_pipeline);  // issue, send, seen by the next module
    if (params_.uvm.enable) translate();
    advance(sm_, frontend_cycles(params_.l1d.frontend));
    const Femtoseconds accepted = time_;
    if (depth_ == Depth::l1d) {
      advance(sm_, params_.l1d.hit_cycles);
    } else {
      advance(sm_, fetches_ ? mha::access_cycles(params_.l1d.mshr) : 1);
      cross(request_flits_);
      at_l2();
      cross(response_flits_);
      advance(sm_, 2);
    }
    in_l1d_ += time_ - accepted;
    if (params_.uvm.enable) advance(sm_, 1);
    advance(sm_, 1);
  }

  // The TLB passes a hit on in the cycle in which it sees it. A miss goes to the GMMU and comes
  // back over links of a cycle; its answer leaves a cycle after the look-up or the walk.
  void translate() {
    advance(sm_, 1);
    if (translation_ == Translation::tlb) return;
    advance(sm_, 3 + params_.uvm.l2_tlb_cycles);
    if (translation_ == Translation::walk) advance(sm_, 1 + params_.uvm.walk_cycles);
  }

  void cross(unsigned flits) { advance(noc_, 1 + flits - 1 + params_.noc.latency + far_); }

  void at_l2() {
    if (params_.l2.coalescer.entries != 0) advance(l2_, l2::Coalescer::kCycles);
    advance(l2_, 1 + frontend_cycles(params_.l2.frontend));
    const Femtoseconds accepted = time_;
    if (depth_ == Depth::l2) {
      advance(l2_, params_.l2.hit_cycles);
    } else {
      advance(l2_, mha::access_cycles(params_.l2.mshr));
      advance(params_.dram.clock_hz, 1 + dram_cycles_);
      advance(l2_, 2);
    }
    in_l2_ += time_ - accepted;
  }

  const MachineParams& params_;
  std::uint64_t sm_, noc_, l2_;  // clocks, hertz
  Depth depth_;
  Translation translation_;
  bool fetches_;  // L1D's miss handler takes part
  unsigned request_flits_, response_flits_;
  Cycle dram_cycles_;
  double far_share_ = 0;
  Cycle far_ = 0;
  Femtoseconds time_ = 0;
  Femtoseconds in_l1d_ = 0, in_l2_ = 0;
};

}  // namespace

bool has_dram(const MachineParams& params) {
  return params.dram_kind != memory::DramKind::external;
}

std::optional<UnloadedTimes> unloaded_load(const MachineParams& params, Depth depth,
                                           Translation translation) {
  if (depth == Depth::l1d && !loads_hit_l1d(params)) return {};
  if (depth > Depth::l2 && !has_dram(params)) return {};
  const Traffic load = traffic_of_loads(params, 1, 8);
  return Way(params, depth, translation, {0, load.at_l2.front()}).chain();
}

UnloadedTimes unloaded_at_l2(const MachineParams& params, unsigned sent, unsigned returned) {
  return Way(params, Depth::l2, Translation::tlb, {sent, returned}).chain();
}

unsigned unloaded_shared(const MachineParams& params, unsigned passes) {
  return params.sm.shared_latency + (passes - 1) * params.sm.shared_conflict;
}

}  // namespace warpmem::gpu
