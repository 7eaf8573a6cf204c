// SPDX-License-Identifier: Apache-2.0
// Runs another program with our standard streams, without a shell.
#pragma once

#include <string>
#include <vector>

namespace warpmem::program::cuda {

/// Waits for it; its exit status, or 128 + the signal that ended it. Throws UserError when
/// arguments[0] (searched for in PATH) cannot be started.
int spawn_and_wait(const std::vector<std::string>& arguments);

}  // namespace warpmem::program::cuda
