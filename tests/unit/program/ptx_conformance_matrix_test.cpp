// SPDX-License-Identifier: Apache-2.0
// mma.sync against integers, and what it does not take.
#include "unit/program/ptx_conformance_matrix.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Matrix) { run_all(matrix_cases()); }

TEST(PtxMatrix, SomeLanesAloneAreAFault) {
  DeviceMemory memory(1 << 16);
  Module module(header() +
                    ".visible .entry k() { .reg .b32 %r<9>; .reg .pred %p; mov.u32 %r1, %tid.x; "
                    "setp.lt.u32 %p, %r1, 31; @%p mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
                    "{%r1,%r2,%r3,%r4}, {%r5,%r6}, {%r7}, {%r1,%r2,%r3,%r4}; ret; }",
                "lanes.ptx");
  module.bind(memory);
  try {
    run_functional(*make_grid(module, "k", {1}, {32}, 0, {}, memory));
    ADD_FAILURE() << "no fault";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("not all lanes of the warp"), std::string::npos);
  }
}

}  // namespace
}  // namespace warpmem::program::ptx
