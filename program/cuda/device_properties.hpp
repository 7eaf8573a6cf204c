// SPDX-License-Identifier: Apache-2.0
// What a program is told of the device.
#pragma once

#include <optional>

#include "program/cuda/include/driver_types.h"
#include "program/device.hpp"

namespace warpmem::program::cuda {

/// Fills all properties; those that stay 0 the device does not have.
void describe(const DeviceProperties& device, unsigned architecture, cudaDeviceProp& properties);

/// Returns the attribute, which most properties are, too; nothing for an unknown number.
std::optional<int> attribute(const cudaDeviceProp& properties, cudaDeviceAttr which);

}  // namespace warpmem::program::cuda
