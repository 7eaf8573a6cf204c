// SPDX-License-Identifier: Apache-2.0
#include "units/mshr_bench.hpp"
#include "units/mshr_conventional/mshr_conventional_unit.hpp"

namespace warpmem::cosim::mshr_conventional {

std::unique_ptr<HardwareUnit> bench() {
  return make_mshr_bench<units::MshrConventionalDescription>();
}

}  // namespace warpmem::cosim::mshr_conventional
