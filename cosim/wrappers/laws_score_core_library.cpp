// SPDX-License-Identifier: Apache-2.0
// The synthesizable core of the LAWS score as a library; compiled on demand with the parameters.
#include "cosim/wrappers/core_unit.hpp"
#include "units/laws_score/laws_score_core.hpp"

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::core_abi<
      warpmem::units::LawsScoreCore<WARPMEM_SCORE_BITS, WARPMEM_MISS_BITS, WARPMEM_MISS_LIMIT>>();
}
