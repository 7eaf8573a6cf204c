// SPDX-License-Identifier: Apache-2.0
// Functions that device code calls and the system provides.
#pragma once

#include "program/ptx/warp.hpp"

namespace warpmem::program::ptx {

/// This is vprintf(format, arguments): it prints each lane's line to stdout at once, in lane order.
void device_printf(Warp& w, const Inst& in, const CallSite& site);
/// This is __assertfail(message, file, line, function, ...): it throws UserError.
void device_assert(Warp& w, const Inst& in, const CallSite& site);

}  // namespace warpmem::program::ptx
