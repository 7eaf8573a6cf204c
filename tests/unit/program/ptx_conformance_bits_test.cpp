// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_bits.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Bits) { run_all(bits_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
