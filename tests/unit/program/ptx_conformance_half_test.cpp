// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_half.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Half) { run_all(half_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
