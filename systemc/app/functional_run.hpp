// SPDX-License-Identifier: Apache-2.0
// What a run without timing knows at its end, as a file.
#pragma once

#include <string>

#include "program/functional_device.hpp"

namespace warpmem::app {

/// Returns the launches that a device executed, as JSON of the shape of stats.json: names, and the
/// counts that need no machine.
std::string functional_json(const program::FunctionalDevice& device);

/// Makes a device that writes them to `file` when the program ends, or nothing where `file` is
/// empty.
class FunctionalRun : public program::FunctionalDevice {
 public:
  explicit FunctionalRun(std::string file, program::DeviceProperties properties = {})
      : FunctionalDevice(std::move(properties)), file_(std::move(file)) {}
  /// After a kernel's fault the file holds the launches before it.
  void launch(program::Grid& grid) override;
  void finish() override;

 private:
  std::string file_;
};

}  // namespace warpmem::app
