// SPDX-License-Identifier: Apache-2.0
// Static instructions of a trace, put together by hand.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "program/program.hpp"

namespace warpmem::program::trace::test {

inline InstInfo inst(OpClass op_class, std::vector<std::uint16_t> sources = {},
                     std::vector<std::uint16_t> destinations = {}) {
  InstInfo info;
  info.op_class = op_class;
  info.sources = static_cast<std::uint8_t>(sources.size());
  info.destinations = static_cast<std::uint8_t>(destinations.size());
  std::copy(sources.begin(), sources.end(), info.source.begin());
  std::copy(destinations.begin(), destinations.end(), info.destination.begin());
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
