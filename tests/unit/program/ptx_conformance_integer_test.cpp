// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_integer.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Integers) { run_all(integer_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
