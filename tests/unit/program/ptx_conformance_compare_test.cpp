// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_compare.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Compare) { run_all(compare_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
