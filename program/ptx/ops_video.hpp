// SPDX-License-Identifier: Apache-2.0
// SIMD within a register.
#pragma once

#include "program/ptx/lower.hpp"

namespace warpmem::program::ptx {

void add_video(LowerTable& table);
void add_scalar_video(LowerTable& table);

}  // namespace warpmem::program::ptx
