// SPDX-License-Identifier: Apache-2.0
#include "program/functional_device.hpp"

#include <utility>

#include "program/functional.hpp"

namespace warpmem::program {

FunctionalDevice::FunctionalDevice(DeviceProperties properties)
    : properties_(std::move(properties)) {}

void FunctionalDevice::launch(Grid& grid) {
  warp_instructions_ += run_functional(grid).warp_instructions;
}

// There is no copy of the memory that would have to learn of it.
void FunctionalDevice::host_wrote(Addr, std::uint64_t) {}

double FunctionalDevice::seconds() const {
  return static_cast<double>(warp_instructions_) / static_cast<double>(properties_.clock_hertz);
}

}  // namespace warpmem::program
