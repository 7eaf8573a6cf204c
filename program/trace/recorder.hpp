// SPDX-License-Identifier: Apache-2.0
// Records a program: a device that executes kernels functionally, CTA after CTA, and writes what
// they did to a trace of our own format.
#pragma once

#include <string>

#include "program/device.hpp"
#include "program/functional_device.hpp"
#include "program/trace/own_format.hpp"

namespace warpmem::program::trace {

class RecordingDevice : public FunctionalDevice {
 public:
  explicit RecordingDevice(const std::string& path, DeviceProperties properties = {});
  void launch(Grid& grid) override;
  void allocated(Addr address, std::uint64_t bytes, bool managed) override;
  void released(Addr address, std::uint64_t bytes) override;
  void host_wrote(Addr address, std::uint64_t bytes) override;
  void host_read(Addr address, std::uint64_t bytes) override;
  void prefetch(Addr address, std::uint64_t bytes, bool to_device) override;
  /// Returns the time as FunctionalDevice has it: one warp instruction a cycle.
  double seconds() const override;
  void finish() override;

 private:
  OwnFormatWriter writer_;
};

/// Executes the grid functionally and writes it as one launch.
void record(Grid& grid, OwnFormatWriter& writer);

}  // namespace warpmem::program::trace
