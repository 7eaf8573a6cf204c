// SPDX-License-Identifier: Apache-2.0
// The arithmetic of an atomic operation on one element (PTX ISA 8 section 9.7.12.4).
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "program/ptx/float_math.hpp"
#include "program/ptx/ops.hpp"
#include "program/reduction.hpp"

namespace warpmem::program::ptx {

inline std::uint32_t add_halves(std::uint32_t a, std::uint32_t b) {
  const auto low = add_half(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b));
  const auto high =
      add_half(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16));
  return std::uint32_t(high) << 16 | low;
}

/// Returns what is left of `old`; c is the third operand of cas. Floats can only be added.
template <class T>
T combine(AtomicOp op, T old, T b, T c, bool flush_single) {
  if constexpr (std::is_floating_point_v<T>) {
    // Single precision in global memory flushes subnormals; in shared memory it does not.
    if (flush_single) return canonical(flush(flush(old) + flush(b)));
    return canonical(old + b);
  } else {
    using U = std::make_unsigned_t<T>;
    switch (op) {
      case AtomicOp::add:
        return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
      case AtomicOp::min:
        return std::min(old, b);
      case AtomicOp::max:
        return std::max(old, b);
      case AtomicOp::inc:
        return old >= b ? T(0) : static_cast<T>(old + 1);
      case AtomicOp::dec:
        return old == 0 || old > b ? b : static_cast<T>(old - 1);
      case AtomicOp::exch:
        return b;
      case AtomicOp::cas:
        return old == b ? c : old;
      case AtomicOp::and_:
        return static_cast<T>(old & b);
      case AtomicOp::or_:
        return static_cast<T>(old | b);
      case AtomicOp::xor_:
        return static_cast<T>(old ^ b);
      case AtomicOp::add_f16:
        return static_cast<T>(
            add_halves(static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(b)));
    }
    return old;
  }
}

}  // namespace warpmem::program::ptx
