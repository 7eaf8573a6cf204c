// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/types.hpp"

#include <array>
#include <utility>

namespace warpmem::program::ptx {

Type parse_type(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Type>, 17> kNames = {{
      {"pred", Type::pred},
      {"u8", Type::u8},
      {"s8", Type::s8},
      {"b8", Type::b8},
      {"u16", Type::u16},
      {"s16", Type::s16},
      {"b16", Type::b16},
      {"f16", Type::f16},
      {"f16x2", Type::f16x2},
      {"u32", Type::u32},
      {"s32", Type::s32},
      {"b32", Type::b32},
      {"f32", Type::f32},
      {"u64", Type::u64},
      {"s64", Type::s64},
      {"b64", Type::b64},
      {"f64", Type::f64},
  }};
  for (const auto& [text, type] : kNames)
    if (text == name) return type;
  return Type::none;
}

}  // namespace warpmem::program::ptx
