// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime without a machine, as a library for test programs: no device factory is set, so
// kernels only execute.
#include <systemc>

int sc_main(int, char**) { return 0; }  // libsystemc refers to it
