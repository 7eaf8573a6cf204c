// SPDX-License-Identifier: Apache-2.0
#include "program/functional_device.hpp"

#include <utility>

namespace warpmem::program {

FunctionalDevice::FunctionalDevice(DeviceProperties properties)
    : properties_(std::move(properties)) {}

void FunctionalDevice::launch(Grid& grid) {
  launches_.push_back({grid.traits().name, run_functional(grid)});
  warp_instructions_ += launches_.back().executed.warp_instructions;
}

// There is no copy of the memory that would have to learn of it.
void FunctionalDevice::host_wrote(Addr, std::uint64_t) {}

double FunctionalDevice::seconds() const {
  return static_cast<double>(warp_instructions_) / static_cast<double>(properties_.clock_hertz);
}

}  // namespace warpmem::program
