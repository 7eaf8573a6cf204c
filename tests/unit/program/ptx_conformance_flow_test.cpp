// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_flow.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Flow) { run_all(flow_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
