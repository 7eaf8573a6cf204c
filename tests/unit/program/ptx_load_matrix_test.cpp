// SPDX-License-Identifier: Apache-2.0
// ldmatrix: against the host, what the machine sees of it, and the errors.
#include "unit/program/ptx_conformance_load_matrix.hpp"
#include "unit/program/ptx_memory_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, LoadMatrix) { run_all(load_matrix_cases()); }

class PtxLoadMatrix : public PtxMemory {
 protected:
  /// Row i begins at byte 16 i of the array, `first` bytes further.
  static std::string loading(const std::string& spelling, const std::string& to,
                             unsigned first = 0) {
    return ".shared .align 16 .b8 tile[512]; mov.u32 %r2, tile; shl.b32 %r3, %r0, 4;"
           "add.u32 %r2, %r2, %r3; " +
           spelling + " " + to + ", [%r2+" + std::to_string(first) + "];";
  }
};

// The banks see one access of 16 bytes a row, and no lane without a row.
TEST_F(PtxLoadMatrix, IsALoadOfItsRowsToTheMachine) {
  const struct {
    const char *spelling, *to;
    LaneMask lanes;
    unsigned registers;
  } cases[] = {
      {"ldmatrix.sync.aligned.m8n8.x1.shared.b16", "{%r4}", 0xff, 1},
      {"ldmatrix.sync.aligned.m8n8.x2.shared.b16", "{%r4,%r5}", 0xffff, 2},
      {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "{%r4,%r5,%r6,%r7}", 0xffffffff, 4}};
  for (const auto& c : cases) {
    prepare(loading(c.spelling, c.to));
    const auto cta = grid->start_cta(0, SmView{});
    const Issue* load = nullptr;
    while (load == nullptr) {
      const InstInfo* const next = cta->next(0);
      ASSERT_NE(next, nullptr);
      const bool is_load = next->mem == MemOp::load && next->space == Space::shared;
      const Issue& issue = cta->execute(0);
      if (is_load) load = &issue;
    }
    EXPECT_EQ(load->lanes, c.lanes) << c.spelling;
    EXPECT_EQ(load->space, Space::shared);
    EXPECT_EQ(load->inst->bytes, 16);
    EXPECT_EQ(load->inst->destinations.size(), c.registers);
    EXPECT_EQ(load->address[7] - load->address[0], 7u * 16);
  }
}

TEST_F(PtxLoadMatrix, Faults) {
  const std::string x4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
  const std::string four = "{%r4,%r5,%r6,%r7}";
  EXPECT_NE(fails(loading(x4, four, 16)).find("out of range"), std::string::npos);
  EXPECT_NE(fails(loading(x4, four, 4)).find("align"), std::string::npos);
  EXPECT_NE(fails(loading(x4, four), {31}).find("not all lanes of the warp"), std::string::npos);
  EXPECT_NE(fails(loading(x4, "{%r4,%r5}")).find("needs 4 registers"), std::string::npos);
  EXPECT_NE(fails("ldmatrix.sync.aligned.m8n8.x1.b16 {%r4}, [%rd0];").find("out of range"),
            std::string::npos);
}

}  // namespace
}  // namespace warpmem::program::ptx
