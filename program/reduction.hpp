// SPDX-License-Identifier: Apache-2.0
// What a reduction in memory does with an element and a value: that of a bulk copy
// (cp.reduce.async.bulk) and of red.async (PTX ISA 8 sections 9.7.8.25.4 and 9.7.12.7). Where the
// bytes are is for the machine to say, and so when it happens.
#pragma once

#include <cstdint>

namespace warpmem::program {

/// The operations of atom and red; those of a Reduction come first.
enum class AtomicOp : std::uint8_t {
  add,
  min,
  max,
  inc,
  dec,
  and_,
  or_,
  xor_,
  exch,
  cas,
  add_f16  ///< one half or two side by side
};

enum class Element : std::uint8_t { u32, s32, u64, s64, f16, bf16, f32, f64 };

struct Reduction {
  AtomicOp op = AtomicOp::add;
  Element element = Element::u32;

  /// Bytes of an element.
  unsigned bytes() const;
  /// Returns whether PTX has it in global memory, which is whether it has it at all.
  bool exists() const;
  /// A number by which instructions carry it; 0 stands for none.
  std::uint8_t code() const {
    return static_cast<std::uint8_t>(1 + (static_cast<unsigned>(op) << 3) +
                                     static_cast<unsigned>(element));
  }
  /// The reduction of a code other than 0.
  static Reduction of(std::uint8_t code) {
    const unsigned bits = code - 1u;
    return {static_cast<AtomicOp>(bits >> 3), static_cast<Element>(bits & 7)};
  }
  /// Returns whether of(code) may be called and exists().
  static bool is_code(std::uint8_t code);

  /// Puts `bytes` bytes of values at `from` to the elements at `to`, both aligned to an element.
  void apply(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes) const;
};

/// Writes the bytes, or does the reduction of a code other than 0.
void write_or_reduce(std::uint8_t code, std::uint8_t* to, const std::uint8_t* from,
                     std::uint32_t bytes);

}  // namespace warpmem::program
