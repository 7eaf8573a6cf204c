// SPDX-License-Identifier: Apache-2.0
// What an access of a warp to neighbouring addresses asks of each level, by the rules of the
// configuration: the coalescer's, L1D's and L2's. For the figures that a configuration implies.
#pragma once

#include <vector>

#include "gpu/params.hpp"

namespace warpmem::gpu {

/// A warp instruction whose lane i accesses `lane_bytes` bytes from i * lane_bytes on, from an
/// address that is a multiple of 512.
struct Traffic {
  unsigned bytes = 0;     ///< of all lanes
  unsigned requests = 0;  ///< that go to L1D
  /// Bytes of what goes to L2 where L1D has nothing, or may not answer: fetches of loads, packets
  /// of stores.
  std::vector<unsigned> at_l2;
};

/// `lanes` is 1..32; `lane_bytes` 1, 2, 4, 8 or 16.
Traffic traffic_of_loads(const MachineParams& params, unsigned lanes, unsigned lane_bytes);
Traffic traffic_of_stores(const MachineParams& params, unsigned lanes, unsigned lane_bytes);

/// Returns the bytes of data that a request of a store or an atomic carries to L2.
unsigned packet_bytes(const MachineParams& params, const sm::BlockRequest& request);
/// Returns whether loads of global memory can hit in L1D.
bool loads_hit_l1d(const MachineParams& params);
/// Returns the bytes that a read of `bytes` asks DRAM for when it misses in L2.
unsigned bytes_from_dram(const MachineParams& params, unsigned bytes);
/// Returns the flits of a packet from L2, or to L2, that carries `bytes` of data (0: none).
unsigned response_flits(const MachineParams& params, unsigned bytes);
unsigned request_flits(const MachineParams& params, unsigned bytes);
/// Ports of the crossbar on the side of the SMs.
unsigned sm_ports(const MachineParams& params);
/// L2 slices of the machine.
unsigned l2_slices(const MachineParams& params);

}  // namespace warpmem::gpu
