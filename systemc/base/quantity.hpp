// SPDX-License-Identifier: Apache-2.0
// Numbers as people write them in a configuration: "16 KiB", "1.137 GHz", "0x80", and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpmem {

/// A time counts cycles, or picoseconds when its unit is ns.
enum class QuantityKind : std::uint8_t { count, bytes, hertz, time };

enum class QuantityError : std::uint8_t {
  none,
  syntax,     ///< not a number
  unit,       ///< a number with a unit that this kind does not have
  fraction,   ///< not whole after scaling ("0.3 B", "1.5" for a count)
  too_large,  ///< 2^64 or more
  negative
};

struct Quantity {
  QuantityError error = QuantityError::none;
  std::uint64_t value = 0;
  std::string unit;  ///< the unknown unit, with QuantityError::unit
};

/// Reads a number of that kind. Decimals are exact and never go by way of floating point. A number
/// without a unit counts bytes or hertz.
Quantity parse_quantity(QuantityKind kind, std::string_view text);

/// Returns the shortest exact text, with the largest unit that divides the value ("16 KiB", "1137
/// MHz", "100").
std::string format_quantity(QuantityKind kind, std::uint64_t value);

constexpr bool is_power_of_two(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

/// Returns the units of that kind, for messages: "B, KiB, MiB, GiB"; empty for a count.
std::string unit_names(QuantityKind kind);

}  // namespace warpmem
