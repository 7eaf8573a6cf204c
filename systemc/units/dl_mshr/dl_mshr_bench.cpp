// SPDX-License-Identifier: Apache-2.0
#include "units/dl_mshr/dl_mshr_unit.hpp"
#include "units/mshr_bench.hpp"

namespace warpmem::cosim {

std::unique_ptr<HardwareUnit> dl_mshr_bench() {
  return make_mshr_bench<units::DlMshrDescription>();
}

}  // namespace warpmem::cosim
