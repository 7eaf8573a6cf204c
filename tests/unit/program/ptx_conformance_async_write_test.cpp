// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_async_write.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, AsynchronousWritesAndReductions) { run_all(async_write_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
