// SPDX-License-Identifier: Apache-2.0
// What Verilator's runtime prints, and what failing checks print, comes here instead of going to
// standard output. Included by the compiler before the runtime and by the units' wrappers.
#pragma once

__attribute__((format(printf, 1, 2))) int warpmem_verilated_print(const char* format, ...);
