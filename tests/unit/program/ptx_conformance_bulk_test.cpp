// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_bulk.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, BulkCopies) { run_all(bulk_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
