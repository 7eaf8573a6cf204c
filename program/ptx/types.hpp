// SPDX-License-Identifier: Apache-2.0
// The fundamental types of PTX (ISA 6.x section 5.2).
#pragma once

#include <cstdint>
#include <string_view>

namespace warpmem::program::ptx {

enum class Type : std::uint8_t {
  none,
  pred,
  u8,
  s8,
  b8,
  u16,
  s16,
  b16,
  f16,
  f16x2,
  bf16,    ///< of some instructions alone: parse_type does not know it
  bf16x2,  ///< so, too
  u32,
  s32,
  b32,
  f32,
  u64,
  s64,
  b64,
  f64,
};

inline constexpr unsigned size_bytes(Type t) {
  switch (t) {
    case Type::none:
    case Type::pred:
      return 0;
    case Type::u8:
    case Type::s8:
    case Type::b8:
      return 1;
    case Type::u16:
    case Type::s16:
    case Type::b16:
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::f16x2:
    case Type::bf16x2:
    case Type::u32:
    case Type::s32:
    case Type::b32:
    case Type::f32:
      return 4;
    case Type::u64:
    case Type::s64:
    case Type::b64:
    case Type::f64:
      return 8;
  }
  return 0;
}

inline constexpr bool is_signed(Type t) {
  return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64;
}
inline constexpr bool is_bfloat(Type t) { return t == Type::bf16 || t == Type::bf16x2; }
inline constexpr bool is_float(Type t) {
  return t == Type::f16 || t == Type::bf16 || t == Type::f32 || t == Type::f64;
}
inline constexpr bool is_integer(Type t) {
  return size_bytes(t) != 0 && !is_float(t) && t != Type::f16x2 && t != Type::bf16x2;
}

/// Returns the type of `name` without the dot; Type::none for anything else.
Type parse_type(std::string_view name);

/// This is how a register is kept: 32 lanes of 4 or 8 bytes, or one bit a lane.
enum class RegClass : std::uint8_t { word, wide, predicate };
inline constexpr RegClass reg_class(Type t) {
  if (t == Type::pred) return RegClass::predicate;
  return size_bytes(t) == 8 ? RegClass::wide : RegClass::word;
}

}  // namespace warpmem::program::ptx
