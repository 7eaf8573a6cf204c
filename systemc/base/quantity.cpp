// SPDX-License-Identifier: Apache-2.0
#include "base/quantity.hpp"

#include <limits>
#include <vector>

#include "base/text.hpp"

namespace warpmem {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr std::uint64_t kMaxValue = std::numeric_limits<std::uint64_t>::max();

struct Scale {
  const char* name;
  std::uint64_t factor;
};

const std::vector<Scale>& scales(QuantityKind kind) {
  static const std::vector<Scale> none;
  static const std::vector<Scale> bytes = {
      {"B", 1}, {"KiB", 1ULL << 10}, {"MiB", 1ULL << 20}, {"GiB", 1ULL << 30}};
  static const std::vector<Scale> hertz = {
      {"Hz", 1}, {"kHz", 1'000}, {"MHz", 1'000'000}, {"GHz", 1'000'000'000}};
  static const std::vector<Scale> time = {{"ck", 1}, {"ns", 1'000}};
  switch (kind) {
    case QuantityKind::count:
      return none;
    case QuantityKind::time:
      return time;
    case QuantityKind::bytes:
      return bytes;
    case QuantityKind::hertz:
      return hertz;
  }
  return none;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Quantity failed(QuantityError error) {
  Quantity q;
  q.error = error;
  return q;
}

/// Appends a digit: `mantissa` = mantissa * base + digit, pinned at a value that is certainly too
/// large.
void push_digit(Wide& mantissa, unsigned base, int digit) {
  constexpr Wide kPinned = static_cast<Wide>(1) << 120;
  mantissa = mantissa * base + static_cast<unsigned>(digit);
  if (mantissa > kPinned) mantissa = kPinned;
}

Quantity parse_hex(std::string_view digits) {
  if (digits.empty()) return failed(QuantityError::syntax);
  Wide value = 0;
  for (const char c : digits) {
    const int digit = hex_digit(c);
    if (digit < 0) return failed(QuantityError::syntax);
    push_digit(value, 16, digit);
  }
  if (value > kMaxValue) return failed(QuantityError::too_large);
  Quantity q;
  q.value = static_cast<std::uint64_t>(value);
  return q;
}

/// The fraction is exact in 128 bits up to 18 digits. Once trailing zeros are gone, more digits
/// cannot be whole in any unit that exists here.
constexpr std::size_t kMaxFractionDigits = 18;

}  // namespace

Quantity parse_quantity(QuantityKind kind, std::string_view text) {
  text = trimmed(text);
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (!negative && text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    return parse_hex(text.substr(2));

  std::size_t i = 0;
  while (i < text.size() && is_digit(text[i])) ++i;
  const std::string_view whole = text.substr(0, i);
  std::string_view fraction;
  if (i < text.size() && text[i] == '.') {
    const std::size_t begin = ++i;
    while (i < text.size() && is_digit(text[i])) ++i;
    fraction = text.substr(begin, i - begin);
    if (fraction.empty()) return failed(QuantityError::syntax);
  }
  if (whole.empty()) return failed(QuantityError::syntax);
  const std::string_view unit = trimmed(text.substr(i));
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);

  std::uint64_t factor = 1;
  if (!unit.empty()) {
    factor = 0;
    for (const Scale& scale : scales(kind))
      if (unit == scale.name) factor = scale.factor;
    if (factor == 0) {
      Quantity q = failed(scales(kind).empty() ? QuantityError::syntax : QuantityError::unit);
      q.unit = std::string(unit);
      return q;
    }
  }
  if (negative) return failed(QuantityError::negative);
  if (fraction.size() > kMaxFractionDigits) return failed(QuantityError::fraction);

  Wide mantissa = 0;
  Wide divisor = 1;
  for (const char c : whole) push_digit(mantissa, 10, c - '0');
  if (mantissa > kMaxValue) return failed(QuantityError::too_large);
  Wide part = 0;
  for (const char c : fraction) {
    push_digit(part, 10, c - '0');
    divisor *= 10;
  }
  // whole < 2^64 and part < 10^18 < 2^60, factor <= 2^30: neither product overflows.
  if (part * factor % divisor != 0) return failed(QuantityError::fraction);
  const Wide value = mantissa * factor + part * factor / divisor;
  if (value > kMaxValue) return failed(QuantityError::too_large);
  Quantity q;
  q.value = static_cast<std::uint64_t>(value);
  return q;
}

std::string format_quantity(QuantityKind kind, std::uint64_t value) {
  const Scale* best = nullptr;
  for (const Scale& scale : scales(kind))
    if (scale.factor > 1 && value != 0 && value % scale.factor == 0) best = &scale;
  if (best == nullptr) return std::to_string(value);
  return std::to_string(value / best->factor) + " " + best->name;
}

std::string unit_names(QuantityKind kind) {
  std::string names;
  for (const Scale& scale : scales(kind))
    names += (names.empty() ? "" : ", ") + std::string(scale.name);
  return names;
}

}  // namespace warpmem
