// SPDX-License-Identifier: Apache-2.0
#include "unit/program/ptx_conformance_scalar_video.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, ScalarVideo) { run_all(scalar_video_cases()); }

}  // namespace
}  // namespace warpmem::program::ptx
