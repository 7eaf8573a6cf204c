// SPDX-License-Identifier: Apache-2.0
// The subcommands of `warpmem`, one file each. Each function adds its subcommand to the parser; the
// callback sets the exit status.
#pragma once

#include <CLI/CLI.hpp>

namespace warpmem::app {

void add_run(CLI::App& app, int& status);
void add_cc(CLI::App& app, int& status);
void add_toolkit(CLI::App& app, int& status);
void add_cosim(CLI::App& app, int& status);
void add_synth(CLI::App& app, int& status);
void add_formal(CLI::App& app, int& status);
void add_mutate(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_correlate(CLI::App& app, int& status);
void add_config(CLI::App& app, int& status);
void add_trace(CLI::App& app, int& status);
void add_list(CLI::App& app, int& status);
void add_help(CLI::App& app, int& status);
void add_sweep(CLI::App& app, int& status);
void add_reproduce(CLI::App& app, int& status);
void add_explore(CLI::App& app, int& status);

}  // namespace warpmem::app
