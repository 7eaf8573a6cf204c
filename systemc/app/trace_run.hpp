// SPDX-License-Identifier: Apache-2.0
// Runs a trace in this process, where a program would run in one of its own.
#pragma once

#include <string>

#include "app/environment.hpp"

namespace warpmem::app {

/// Returns the SHA-256 over the trace's files: the file, or a list and the kernels it names in its
/// order.
std::string trace_hash(const std::string& path);

/// Replays the trace on the machine and writes the run directory; without timing it only reads the
/// trace to its end and so checks it. The data check is off: a trace carries no values.
void run_trace(const std::string& path, Environment environment, bool check_data_wanted);

}  // namespace warpmem::app
