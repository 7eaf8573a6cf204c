// SPDX-License-Identifier: Apache-2.0
#include "units/dl_mshr/dl_mshr_unit.hpp"
#include "units/mshr_bench.hpp"

namespace warpmem::cosim::dl_mshr {

std::unique_ptr<HardwareUnit> bench() { return make_mshr_bench<units::DlMshrDescription>(); }

}  // namespace warpmem::cosim::dl_mshr
