// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_convert.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Convert) { run_all(convert_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
