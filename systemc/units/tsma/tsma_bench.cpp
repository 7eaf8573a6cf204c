// SPDX-License-Identifier: Apache-2.0
#include "units/mshr_bench.hpp"
#include "units/tsma/tsma_unit.hpp"

namespace warpmem::cosim {

std::unique_ptr<HardwareUnit> tsma_bench() { return make_mshr_bench<units::TsmaDescription>(); }

}  // namespace warpmem::cosim
