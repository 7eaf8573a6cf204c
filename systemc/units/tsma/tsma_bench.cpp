// SPDX-License-Identifier: Apache-2.0
#include "units/mshr_bench.hpp"
#include "units/tsma/tsma_unit.hpp"

namespace warpmem::cosim::tsma {

std::unique_ptr<HardwareUnit> bench() { return make_mshr_bench<units::TsmaDescription>(); }

}  // namespace warpmem::cosim::tsma
