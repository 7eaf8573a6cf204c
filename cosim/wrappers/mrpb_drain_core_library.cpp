// SPDX-License-Identifier: Apache-2.0
// The synthesizable core of MRPB's drain selector as a library; compiled on demand.
#include "cosim/wrappers/core_unit.hpp"
#include "units/mrpb_drain/mrpb_drain_core.hpp"

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::core_abi<warpmem::units::MrpbDrainCore<WARPMEM_QUEUES, WARPMEM_ENTRIES,
                                                                WARPMEM_POLICY, WARPMEM_FLUSH>>();
}
