// SPDX-License-Identifier: Apache-2.0
// The Verilated control of BUCL as a library; compiled on demand behind Verilator's output.
#include "Vbucl_ctrl.h"
#include "cosim/wrappers/rtl_unit.hpp"
#include "units/bucl_ctrl/bucl_ctrl_ports.hpp"

namespace {

using warpmem::units::BuclCtrlIn;
using warpmem::units::BuclCtrlOut;

void drive(Vbucl_ctrl& top, const BuclCtrlIn& in) {
  top.clear_i = in.clear;
  top.access_valid_i = in.access_valid;
  top.access_hit_i = in.access_hit;
  top.choose_valid_i = in.choose_valid;
  top.choose_row_i = in.choose_row;
  top.load_degree_i = in.load_degree;
  top.load_row_i = in.load_row;
  top.uib_i = in.uib;
}

void sample(const Vbucl_ctrl& top, BuclCtrlOut& out) {
  out.tucd = top.tucd_o;
  out.load_bypass = top.load_bypass_o;
  out.low = top.low_o;
  out.refused_bypass = top.refused_bypass_o;
  out.period_end = top.period_end_o;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::rtl_abi<Vbucl_ctrl, BuclCtrlIn, BuclCtrlOut, drive, sample>();
}
