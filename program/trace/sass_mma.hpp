// SPDX-License-Identifier: Apache-2.0
// Registers of the matrix instructions of tensor cores, of which a trace names the first ones.
#pragma once

#include <string_view>

namespace warpmem::program::trace {

/// Registers that a lane has of D = A x B + C, of which C and D are alike. A matrix of m x n
/// elements is dealt out evenly to the 32 lanes of a warp; HMMA.884 of Volta is four steps, each
/// of a quarter of the products with two registers of every matrix.
struct MmaRegisters {
  unsigned a = 1, b = 1, c = 1;
};

/// Returns those of HMMA, IMMA, BMMA, DMMA and QMMA by the shape and the elements that the mnemonic
/// names: HMMA.16816.F32.BF16 has 4, 2 and 4. One each where it names no shape.
MmaRegisters mma_registers(std::string_view mnemonic);

}  // namespace warpmem::program::trace
