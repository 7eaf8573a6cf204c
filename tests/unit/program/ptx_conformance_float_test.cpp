// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_float.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Float) { run_all(float_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
