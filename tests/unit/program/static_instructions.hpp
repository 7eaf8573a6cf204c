// SPDX-License-Identifier: Apache-2.0
// Static instructions of a trace, put together by hand.
#pragma once

#include <utility>
#include <vector>

#include "program/program.hpp"

namespace warpmem::program::trace::test {

inline InstInfo inst(OpClass op_class, std::vector<std::uint16_t> sources = {},
                     std::vector<std::uint16_t> destinations = {}) {
  InstInfo info;
  info.op_class = op_class;
  for (const std::uint16_t reg : sources) info.sources.add(reg);
  for (const std::uint16_t reg : destinations) info.destinations.add(reg);
  return info;
}

inline InstInfo access(MemOp mem, Space space, unsigned bytes, std::vector<std::uint16_t> sources,
                       std::vector<std::uint16_t> destinations = {}) {
  InstInfo info = inst(OpClass::memory, std::move(sources), std::move(destinations));
  info.mem = mem;
  info.space = space;
  info.bytes = static_cast<std::uint8_t>(bytes);
  return info;
}

}  // namespace warpmem::program::trace::test
