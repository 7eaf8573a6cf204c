// SPDX-License-Identifier: Apache-2.0
// The Verilated drain selector of MRPB as a library; compiled on demand behind Verilator's output.
#include "Vmrpb_drain.h"
#include "cosim/wrappers/rtl_unit.hpp"
#include "units/mrpb_drain/mrpb_drain_ports.hpp"

namespace {

using warpmem::units::MrpbDrainIn;
using warpmem::units::MrpbDrainOut;

void drive(Vmrpb_drain& top, const MrpbDrainIn& in) {
  top.ready_i = in.ready;
  top.take_i = in.take;
  top.head_valid_i = in.head_valid;
  top.head_stored_i = in.head_stored;
  top.head_queue_i = in.head_queue;
  top.enter_i = in.enter;
}

void sample(const Vmrpb_drain& top, MrpbDrainOut& out) {
  out.drain_valid = top.drain_valid_o;
  out.drain_forced = top.drain_forced_o;
  out.drain_queue = top.drain_queue_o;
  out.head_full = top.head_full_o;
  out.head_empty = top.head_empty_o;
  out.held = top.held_o;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::rtl_abi<Vmrpb_drain, MrpbDrainIn, MrpbDrainOut, drive, sample>();
}
