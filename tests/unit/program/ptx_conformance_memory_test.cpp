// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_memory.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Memory) { run_all(memory_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
