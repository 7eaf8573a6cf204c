// SPDX-License-Identifier: Apache-2.0
// Stands in for Ramulator 2's header of this name.
#pragma once

#include "frontend/frontend.h"

namespace Ramulator {

class IMemorySystem {
 public:
  virtual ~IMemorySystem() = default;
  virtual void connect_frontend(IFrontEnd* frontend) = 0;
  virtual bool send(Request request) = 0;
  virtual void tick() = 0;
  virtual float get_tCK() { return -1.0f; }
  virtual void finalize() {}
};

}  // namespace Ramulator
