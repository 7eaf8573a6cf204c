// SPDX-License-Identifier: Apache-2.0
// Special registers (PTX ISA 6.x section 9, and those of clusters of ISA 8 section 10).
#pragma once

#include <cstdint>
#include <string_view>

namespace warpmem::program::ptx {

enum class Special : std::uint8_t {
  none,
  zero,  ///< reads 0: performance counters, environment, the unused fourth dimension
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  total_smem_size,
  dynamic_smem_size,
  grid_barrier_lo,  ///< %envreg1 and %envreg2: where the barrier of a cooperative grid lies
  grid_barrier_hi,
  heap_lo,  ///< %envreg3 and %envreg4: where the heap of malloc() lies
  heap_hi,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,  ///< a predicate
};

/// `name` with its %. Special::none when PTX (or the interpreter) has no such register.
Special parse_special(std::string_view name);

}  // namespace warpmem::program::ptx
