// SPDX-License-Identifier: Apache-2.0
// Stands in for Ramulator 2's header of this name.
#pragma once

#include <functional>

#include "base/base.h"

namespace Ramulator {

struct Request {
  struct Type {
    enum : int { Read = 0, Write };
  };
  Addr_t addr = -1;
  int type_id = -1;
  std::function<void(Request&)> callback;
};

}  // namespace Ramulator
