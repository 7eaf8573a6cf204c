// SPDX-License-Identifier: Apache-2.0
// Running another program with our standard streams.
#pragma once

#include <string>
#include <vector>

namespace warpmem::app {

/// Runs arguments[0] (searched in PATH) with extra environment NAME=VALUE entries and waits for it.
/// Returns its exit status, 128 + signal when it was killed. Throws UserError when it cannot start.
int run_program(const std::vector<std::string>& arguments,
                const std::vector<std::string>& environment = {});

}  // namespace warpmem::app
