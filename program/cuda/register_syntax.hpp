// SPDX-License-Identifier: Apache-2.0
// Registers in assembly with operands that are written with one per cent sign, those of the machine
// and those that the assembly declares, `asm("mov.u32 %0, %laneid;" : "=r"(lane))`: nvcc takes
// them, clang wants two.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpmem::program::cuda {

/// Returns the source with two signs before these registers, every other character in its line;
/// std::nullopt when there is nothing to do. Assembly without operands, where one is right, other
/// strings and comments stay as they are.
std::optional<std::string> with_escaped_registers(std::string_view source);

}  // namespace warpmem::program::cuda
