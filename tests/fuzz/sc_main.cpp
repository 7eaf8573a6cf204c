// SPDX-License-Identifier: Apache-2.0
// The SystemC library asks for it; nothing is simulated here.
#include <systemc>

int sc_main(int, char**) { return 0; }
