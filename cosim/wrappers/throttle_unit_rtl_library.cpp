// SPDX-License-Identifier: Apache-2.0
// The Verilated throttling unit as a library; compiled on demand behind Verilator's output.
#include "Vthrottle_unit.h"
#include "cosim/wrappers/rtl_unit.hpp"
#include "units/throttle_unit/throttle_ports.hpp"

namespace {

using warpmem::units::ThrottleIn;
using warpmem::units::ThrottleOut;

void drive(Vthrottle_unit& top, const ThrottleIn& in) {
  top.clear_i = in.clear;
  top.fair_i = in.fair;
  top.access_valid_i = in.access_valid;
  top.access_intra_i = in.access_intra;
  top.access_warp_i = in.access_warp;
  top.end_warps_i = in.end_warps;
  top.mshr_full_i = in.mshr_full;
  top.load_count_i = in.load_count;
}

void sample(const Vthrottle_unit& top, ThrottleOut& out) {
  out.limited = top.limited_o;
  out.limit = top.limit_o;
  out.hit_count = top.hit_count_o;
  out.min_count = top.min_count_o;
  out.max_count = top.max_count_o;
  out.by_divergence = top.by_divergence_o;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::rtl_abi<Vthrottle_unit, ThrottleIn, ThrottleOut, drive, sample>();
}
