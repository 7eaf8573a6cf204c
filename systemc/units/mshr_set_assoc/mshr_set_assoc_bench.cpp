// SPDX-License-Identifier: Apache-2.0
#include "units/mshr_bench.hpp"
#include "units/mshr_set_assoc/mshr_set_assoc_unit.hpp"

namespace warpmem::cosim::mshr_set_assoc {

std::unique_ptr<HardwareUnit> bench() { return make_mshr_bench<units::MshrSetAssocDescription>(); }

}  // namespace warpmem::cosim::mshr_set_assoc
