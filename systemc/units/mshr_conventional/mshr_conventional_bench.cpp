// SPDX-License-Identifier: Apache-2.0
#include "units/mshr_bench.hpp"
#include "units/mshr_conventional/mshr_conventional_unit.hpp"

namespace warpmem::cosim {

std::unique_ptr<HardwareUnit> mshr_conventional_bench() {
  return std::make_unique<MshrUnit<units::MshrConventionalDescription>>();
}

}  // namespace warpmem::cosim
