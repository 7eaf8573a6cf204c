// SPDX-License-Identifier: Apache-2.0
// The synthesizable core of the index generator of TSMA as a library; compiled on demand.
#include "cosim/wrappers/core_unit.hpp"
#include "units/tsma_index_gen/tsma_index_gen_core.hpp"

namespace {

using Core = warpmem::units::TsmaIndexGenCore<WARPMEM_ENTRIES>;

// Fills whole pairs of words, since the RTL's port of up to 64 bits is one or two.
void available(const Core& core, std::uint32_t* words) {
  for (unsigned w = 0; w < (WARPMEM_ENTRIES + 63) / 64 * 2; ++w) {
    words[w] = 0;
    for (unsigned i = 32 * w; i < 32 * w + 32 && i < WARPMEM_ENTRIES; ++i)
      words[w] |= std::uint32_t{core.available(i)} << i % 32;
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::core_abi<Core, available>();
}
