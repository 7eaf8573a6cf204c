// SPDX-License-Identifier: Apache-2.0
// A device without timing: kernels run at once, one CTA after the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/device.hpp"
#include "program/functional.hpp"

namespace warpmem::program {

class FunctionalDevice : public Device {
 public:
  explicit FunctionalDevice(DeviceProperties properties = {});
  const DeviceProperties& properties() const override { return properties_; }
  void launch(Grid& grid) override;
  void host_wrote(Addr address, std::uint64_t bytes) override;
  /// Counts one warp instruction a cycle, so that a program which divides by the elapsed time gets
  /// a number. It measures nothing.
  double seconds() const override;
  void finish() override {}

  struct Launch {
    std::string kernel;
    FunctionalResult executed;
  };
  /// Returns the launches in their order.
  const std::vector<Launch>& launches() const { return launches_; }

 private:
  DeviceProperties properties_;
  std::vector<Launch> launches_;
  std::uint64_t warp_instructions_ = 0;
};

}  // namespace warpmem::program
