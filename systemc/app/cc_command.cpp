// SPDX-License-Identifier: Apache-2.0
// warpmem cc: nvcc's habitual command line against warpmem's runtime. The arguments are the
// compiler's own and pass by untouched.
#include "app/commands.hpp"
#include "app/cuda_compiler.hpp"

namespace warpmem::app {

void add_cc(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "cc", "compile a CUDA program; arguments as for nvcc (-I -D -O -o -c -l -arch= ...)");
  command->prefix_command();
  command->set_help_flag("");  // the driver has its own
  command->callback([command, &status] { status = compile_cuda(command->remaining()); });
}

}  // namespace warpmem::app
