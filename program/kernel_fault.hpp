// SPDX-License-Identifier: Apache-2.0
// What a kernel did wrong while it ran. On a GPU the program hears of it and goes on without the
// device; every other error of a launch ends the program.
#pragma once

#include <string>

#include "base/errors.hpp"

namespace warpmem::program {

class KernelFault : public UserError {
 public:
  /// What CUDA tells apart.
  enum class Kind { launch_failure, assertion, illegal_address, misaligned_address };

  KernelFault(Kind kind, const std::string& what) : UserError(what), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace warpmem::program
