// SPDX-License-Identifier: Apache-2.0
#include "gpu/implied_traffic.hpp"

#include <algorithm>
#include <map>

#include "base/segment.hpp"
#include "noc/flits.hpp"

namespace warpmem::gpu {

namespace {

/// The requests of a warp instruction to neighbouring addresses from 0 on.
std::vector<sm::BlockRequest> requests_of(const MachineParams& params, unsigned lanes,
                                          unsigned lane_bytes) {
  std::array<Addr, kWarpLanes> address{};
  for (unsigned lane = 0; lane < lanes; ++lane) address[lane] = Addr(lane) * lane_bytes;
  const LaneMask mask = lanes == kWarpLanes ? ~LaneMask(0) : (LaneMask(1) << lanes) - 1;
  sm::Coalescer coalescer(params.sm.granularity, params.l1d.line_bytes);
  sm::RequestList list;
  const unsigned count = coalescer.coalesce(address.data(), mask, lane_bytes, 0, list, 0);
  return {list.begin(), list.begin() + count};
}

/// Sectors that L1D has asked for, by line.
using Asked = std::map<Addr, unsigned>;

/// Returns the bytes of the fetch that a request causes in an empty L1D, 0 when others have asked
/// for all that it wants.
unsigned fetch_of(const MachineParams& params, const sm::BlockRequest& request, Asked& asked) {
  const unsigned line = params.l1d.line_bytes;
  unsigned& before = asked[request.address / line];
  const unsigned wanted = unsigned{request.sectors} << request.address % line / kSectorBytes;
  const unsigned unit = params.l1d.bytes_of_fetch() / kSectorBytes;
  unsigned sectors = 0;
  for (unsigned first = 0; first * kSectorBytes < line; first += unit) {
    const unsigned group = ((1u << unit) - 1) << first;
    if ((wanted & group & ~before) != 0) sectors |= group;
  }
  if (sectors == 0) return 0;
  const auto low = static_cast<unsigned>(__builtin_ctz(sectors));
  const auto end = static_cast<unsigned>(32 - __builtin_clz(sectors));
  before |= ((1u << end) - 1) & ~((1u << low) - 1);
  return (end - low) * kSectorBytes;
}

}  // namespace

unsigned packet_bytes(const MachineParams& params, const sm::BlockRequest& request) {
  if (params.l1d.store_packet == l1d::StorePacket::line) return request.bytes;
  return least_segment(request.sectors, request.bytes).bytes;
}

bool loads_hit_l1d(const MachineParams& params) {
  return params.l1d.enable && params.l1d.keep == l1d::Keep::all;
}

Traffic traffic_of_loads(const MachineParams& params, unsigned lanes, unsigned lane_bytes) {
  const std::vector<sm::BlockRequest> requests = requests_of(params, lanes, lane_bytes);
  Traffic traffic{lanes * lane_bytes, static_cast<unsigned>(requests.size()), {}};
  const bool whole = params.l1d.bypass_fetch == l1d::BypassFetch::line;
  Asked asked;
  for (const sm::BlockRequest& request : requests) {
    const unsigned past =
        whole ? request.bytes : least_segment(request.sectors, request.bytes).bytes;
    const unsigned bytes = params.l1d.enable ? fetch_of(params, request, asked) : past;
    if (bytes != 0) traffic.at_l2.push_back(bytes);
  }
  return traffic;
}

Traffic traffic_of_stores(const MachineParams& params, unsigned lanes, unsigned lane_bytes) {
  const std::vector<sm::BlockRequest> requests = requests_of(params, lanes, lane_bytes);
  Traffic traffic{lanes * lane_bytes, static_cast<unsigned>(requests.size()), {}};
  for (const sm::BlockRequest& request : requests)
    traffic.at_l2.push_back(packet_bytes(params, request));
  return traffic;
}

unsigned bytes_from_dram(const MachineParams& params, unsigned bytes) {
  return params.l2.sectored() ? std::max(bytes, params.l2.bytes_of_fetch()) : params.l2.line_bytes;
}

unsigned response_flits(const MachineParams& params, unsigned bytes) {
  return noc::flits_of(params.noc.header_bytes + bytes, params.noc.response_flit());
}

unsigned request_flits(const MachineParams& params, unsigned bytes) {
  return noc::flits_of(params.noc.header_bytes + bytes, params.noc.flit_bytes);
}

unsigned sm_ports(const MachineParams& params) {
  return (params.sm_count + params.noc.cluster - 1) / params.noc.cluster;
}

unsigned l2_slices(const MachineParams& params) {
  return params.map.partitions * params.map.slices;
}

}  // namespace warpmem::gpu
