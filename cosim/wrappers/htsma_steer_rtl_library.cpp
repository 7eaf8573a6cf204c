// SPDX-License-Identifier: Apache-2.0
// The Verilated steering of HTSMA as a library; compiled on demand behind Verilator's output.
#include "Vhtsma_steer.h"
#include "cosim/wrappers/rtl_unit.hpp"
#include "units/htsma_steer/htsma_steer_ports.hpp"

namespace {

using warpmem::units::HtsmaSteerIn;
using warpmem::units::HtsmaSteerOut;

void drive(Vhtsma_steer& top, const HtsmaSteerIn& in) {
  top.shared_count_i = in.shared_count;
  top.victim_valid_i = in.victim_valid;
  top.victim_hit_i = in.victim_hit;
  top.small_empty_i = in.small_empty;
  top.small_full_i = in.small_full;
  top.small_match_i = in.small_match;
}

void sample(const Vhtsma_steer& top, HtsmaSteerOut& out) {
  out.to_small = top.to_small_o;
  out.to_array = top.to_array_o;
  out.merges = top.merges_o;
  out.compares = top.compares_o;
  out.critical = top.critical_o;
  out.steer = static_cast<warpmem::units::HtsmaSteer>(top.steer_o);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::rtl_abi<Vhtsma_steer, HtsmaSteerIn, HtsmaSteerOut, drive, sample>();
}
