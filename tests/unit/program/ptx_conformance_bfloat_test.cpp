// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_bfloat.hpp"

#include "unit/program/ptx_conformance_element_atomic.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Bfloat) { run_all(bfloat_cases()); }
TEST(PtxConformance, ElementAtomics) { run_all(element_atomic_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
