// SPDX-License-Identifier: Apache-2.0
// Stands in for Ramulator 2's header of this name: the declarations that the adapter uses.
#pragma once

#include <cstdint>

namespace Ramulator {

using Addr_t = std::int64_t;

}  // namespace Ramulator
