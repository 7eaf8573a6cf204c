// SPDX-License-Identifier: Apache-2.0
// Stands in for Ramulator 2's header of this name.
#pragma once

#include <functional>

#include "base/request.h"

namespace Ramulator {

class IMemorySystem;

class IFrontEnd {
 public:
  virtual ~IFrontEnd() = default;
  virtual void connect_memory_system(IMemorySystem* memory) = 0;
  virtual bool receive_external_requests(int type, Addr_t address, int source,
                                         std::function<void(Request&)> callback) = 0;
  virtual void finalize() {}
};

}  // namespace Ramulator
