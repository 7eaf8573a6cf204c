// SPDX-License-Identifier: Apache-2.0
// The Verilated index generator of TSMA as a library; compiled on demand behind Verilator's output.
#include "Vtsma_index_gen.h"
#include "cosim/wrappers/rtl_unit.hpp"
#include "units/tsma_index_gen/tsma_index_gen_ports.hpp"

namespace {

using warpmem::units::TsmaIndexGenIn;
using warpmem::units::TsmaIndexGenOut;

void drive(Vtsma_index_gen& top, const TsmaIndexGenIn& in) {
  top.take_i = in.take;
  top.release_i = in.release;
  top.release_idx_i = in.release_idx;
}

void sample(const Vtsma_index_gen& top, TsmaIndexGenOut& out) {
  out.idx = top.idx_o;
  out.full = top.full_o;
}

void available(const Vtsma_index_gen& top, std::uint32_t* words) {
  warpmem::cosim::port_words(top.available_o, words);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::rtl_abi<Vtsma_index_gen, TsmaIndexGenIn, TsmaIndexGenOut, drive, sample,
                                 available>();
}
