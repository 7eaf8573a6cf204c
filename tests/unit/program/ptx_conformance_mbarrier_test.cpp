// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_mbarrier.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Mbarrier) { run_all(mbarrier_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
