// SPDX-License-Identifier: Apache-2.0
#include "program/trace/repeated_line.hpp"

#include <cstring>

#include "base/assert.hpp"
#include "program/trace/tokens.hpp"

namespace warpmem::program::trace {
namespace {

constexpr unsigned kMostHexDigits = 13;      // 52 bits; addresses have 49
constexpr unsigned kMostDecimalDigits = 18;  // fit into 64 bits with a sign

bool take_blank(const char*& at) { return *at == ' ' && *++at != ' '; }

// The value of "0x" and digits; false also for numbers that are too large.
[[gnu::always_inline]] inline bool take_address(const char*& at, Addr& value) {
  if (at[0] != '0' || at[1] != 'x') return false;
  const char* const first = at + 2;
  const char* end = first;
  Addr parsed = 0;
  for (unsigned digit = 0; (digit = kHexDigits[static_cast<unsigned char>(*end)]) < 16; ++end)
    parsed = parsed << 4 | digit;
  value = parsed;
  at = end;
  return end != first && end - first <= kMostHexDigits && parsed >> 49 == 0;
}

[[gnu::always_inline]] inline bool take_number(const char*& at, std::uint64_t& value) {
  const bool negative = *at == '-';
  if (negative) ++at;
  const char* const first = at;
  std::uint64_t parsed = 0;
  for (; *at >= '0' && *at <= '9'; ++at)
    parsed = parsed * 10 + static_cast<std::uint64_t>(*at - '0');
  value = negative ? 0 - parsed : parsed;
  return at != first && at - first <= kMostDecimalDigits;
}

}  // namespace

void RepeatedLine::remember(std::string_view line, std::size_t mask, std::size_t end,
                            const Step& step) {
  assert(mask + kMaskDigits <= end && end <= line.size());
  text_.assign(line.substr(0, end));
  mask_ = mask;
  step_ = step;
  const bool digits = parse_hex(line.substr(mask, kMaskDigits), lanes_);
  assert(digits);
  static_cast<void>(digits);
}

bool RepeatedLine::matches(std::string_view ahead, LaneMask& lanes) const {
  const std::size_t n = text_.size();
  if (n == 0 || ahead.size() <= n) return false;
  if (std::memcmp(ahead.data(), text_.data(), n) == 0) {
    lanes = lanes_;
    return true;
  }
  const std::size_t behind = mask_ + kMaskDigits;
  return std::memcmp(ahead.data(), text_.data(), mask_) == 0 &&
         std::memcmp(ahead.data() + behind, text_.data() + behind, n - behind) == 0 &&
         parse_hex(ahead.substr(mask_, kMaskDigits), lanes);
}

bool scan_addresses(const char*& at, LaneMask lanes, Addr* address) {
  const unsigned n = lane_count(lanes);
  if (!take_blank(at)) return false;
  const char mode = *at;
  if (mode == '\n') return false;
  ++at;
  if (mode == '0') {
    for (unsigned i = 0; i < n; ++i)
      if (!take_blank(at) || !take_address(at, address[i])) return false;
  } else if (mode == '1') {
    Addr base = 0;
    std::uint64_t stride = 0;
    if (!take_blank(at) || !take_address(at, base) || !take_blank(at) || !take_number(at, stride))
      return false;
    const LaneMask low = lanes == 0 ? 0 : lanes >> __builtin_ctz(lanes);
    if ((low & (low + 1)) != 0) return false;  // lanes that do not adjoin
    for (unsigned i = 0; i < n; ++i) address[i] = base + i * stride;
  } else if (mode == '2') {
    Addr base = 0;
    std::uint64_t delta = 0;
    if (!take_blank(at) || !take_address(at, base)) return false;
    address[0] = base;
    for (unsigned i = 1; i < n; ++i) {
      if (!take_blank(at) || !take_number(at, delta)) return false;
      address[i] = base += delta;
    }
  } else {
    return false;
  }
  std::uint64_t immediate = 0;
  return *at == '\n' || (take_blank(at) && take_number(at, immediate));
}

}  // namespace warpmem::program::trace
