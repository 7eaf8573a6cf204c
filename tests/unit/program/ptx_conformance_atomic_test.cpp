// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_atomic.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Atomic) { run_all(atomic_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
