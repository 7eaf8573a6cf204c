// SPDX-License-Identifier: Apache-2.0
// The latency that a configuration implies for a load that meets no other traffic.
//
// The times follow one load through the stages of the modules, edge by edge of their clocks, as
// the headers of these modules describe them:
//
//   SM       n: issue   n+1 (+ sm.lsu.pipeline): LSU sends
//   TLB      first edge after: looked up and sent on (with unified virtual memory)
//   L1D      first edge after: accepted (after the front end's latency)
//              hit: + l1d.hit_cycles: answered   miss: + 1 (DL: 2): the fetch leaves
//   crossbar first edge after: granted; + flits - 1 + noc.latency (+ noc.far_latency): delivered
//   L2       first edge after: accepted (with a coalescer l2::Coalescer::kCycles more); as L1D
//   DRAM     first edge after: accepted; + 1: first command; + tRP + tRCD of a row that must be
//              opened; + tCL + the data's cycles + dram.min_latency: answered
//   back     L2: a cycle after the fill; crossbar; L1D: a cycle after the fill; SM: first edge
//   after
//
// A load depends on the one before in a chain, so that they start at changing phases of the other
// clocks; the mean of many is taken. Refreshes are not in it.
#pragma once

#include <optional>

#include "gpu/implied_traffic.hpp"

namespace warpmem::gpu {

/// Where a load finds its bytes. `row_hit`: in DRAM, in the row that is open in its bank;
/// `row_miss`: while another row is open (none with dram.page: closed).
enum class Depth : std::uint8_t { l1d, l2, row_hit, row_miss };
/// Where unified virtual memory finds the translation of its page.
enum class Translation : std::uint8_t { tlb, l2_tlb, walk };

/// Mean times of one access, ns.
struct UnloadedTimes {
  double whole = 0;   ///< from its issue to that of an instruction that uses the result
  double in_l1d = 0;  ///< from L1D's acceptance to its answer, for which it holds an entry there
  double in_l2 = 0;   ///< the same of L2; 0 where it does not get there
};

/// Returns whether DRAM belongs to the machine (dram.kind).
bool has_dram(const MachineParams& params);
/// Of a load of one lane, of 8 B. Empty where the machine has no such load: L1D hits when no load
/// can hit there, DRAM when there is none. `translation` counts with uvm.enable alone.
std::optional<UnloadedTimes> unloaded_load(const MachineParams& params, Depth depth,
                                           Translation translation = Translation::tlb);
/// Of a request with `sent` bytes of data to L2 that gets `returned` bytes from there.
UnloadedTimes unloaded_at_l2(const MachineParams& params, unsigned sent, unsigned returned);
/// Returns the SM cycles of a load of shared memory whose lanes need `passes` accesses of a bank.
unsigned unloaded_shared(const MachineParams& params, unsigned passes);

}  // namespace warpmem::gpu
