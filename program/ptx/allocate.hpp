// SPDX-License-Identifier: Apache-2.0
// Register allocation of one function: liveness, then a linear scan that maps the virtual registers
// of PTX to few places, so that a warp's registers stay in the host's cache and scoreboard numbers
// stay small.
#pragma once

#include <cstdint>
#include <vector>

#include "program/ptx/cfg.hpp"
#include "program/ptx/lower.hpp"

namespace warpmem::program::ptx {

struct Allocation {
  std::vector<Ref> place;             ///< place in the frame of each virtual register
  std::vector<std::uint16_t> number;  ///< dense scoreboard number of each virtual register
  std::uint32_t frame_bytes = 0;
  std::uint32_t scoreboard_registers = 0;
  std::vector<bool> unread;          ///< for each instruction, whether nothing reads its results
  std::uint32_t live_registers = 0;  ///< most 32-bit registers live at one instruction
};

Allocation allocate_registers(const LoweredFunction& function, const Cfg& cfg);

}  // namespace warpmem::program::ptx
