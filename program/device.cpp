// SPDX-License-Identifier: Apache-2.0
#include "program/device.hpp"

#include <utility>

#include "program/functional_device.hpp"

namespace warpmem::program {
namespace {

// This is a function-local static, since the application sets the factory while static objects are
// initialised.
DeviceFactory& factory() {
  static DeviceFactory the_factory = [] { return std::make_unique<FunctionalDevice>(); };
  return the_factory;
}

}  // namespace

void set_device_factory(DeviceFactory new_factory) { factory() = std::move(new_factory); }

std::unique_ptr<Device> create_device() { return factory()(); }

}  // namespace warpmem::program
