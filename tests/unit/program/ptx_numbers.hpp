// SPDX-License-Identifier: Apache-2.0
// Integer types of PTX in the host's arithmetic of 128 bits, and its rounding modes as the host's.
// Where the host has a mode that flushes to zero, it has the last word on what is so small.
#pragma once

#include <cfenv>
#include <cstdint>
#include <vector>

namespace warpmem::program::ptx {

using Wide = __int128;

/// This is an integer type of PTX.
struct IntType {
  const char* name;
  unsigned bytes;
  bool is_signed;
};
inline const std::vector<IntType>& integer_types() {
  static const std::vector<IntType> kTypes = {{"u16", 2, false}, {"s16", 2, true},
                                              {"u32", 4, false}, {"s32", 4, true},
                                              {"u64", 8, false}, {"s64", 8, true}};
  return kTypes;
}

inline std::uint64_t low_bytes(unsigned bytes) {
  return bytes >= 8 ? ~0ULL : (1ULL << (8 * bytes)) - 1;
}
/// Returns the number that the bits of a type stand for.
inline Wide number(std::uint64_t bits, IntType t) {
  bits &= low_bytes(t.bytes);
  if (t.is_signed && bits >> (8 * t.bytes - 1) & 1) return Wide(bits) - (Wide(1) << (8 * t.bytes));
  return Wide(bits);
}
inline std::uint64_t wrapped(Wide v, unsigned bytes) {
  return static_cast<std::uint64_t>(v) & low_bytes(bytes);
}

/// While it lives, the host makes zeros of tiny results: of those that are below the least normal
/// number after rounding with an exponent without bounds, as GPUs do.
class FlushScope {
 public:
#if defined(__SSE__)
  explicit FlushScope(bool active) : before_(__builtin_ia32_stmxcsr()) {
    constexpr unsigned kFlushToZero = 1u << 15;
    if (active) __builtin_ia32_ldmxcsr(before_ | kFlushToZero);
  }
  ~FlushScope() { __builtin_ia32_ldmxcsr(before_); }
  FlushScope(const FlushScope&) = delete;
  FlushScope& operator=(const FlushScope&) = delete;

 private:
  unsigned before_;
#else
  explicit FlushScope(bool) {}
#endif
};

struct RoundingMode {
  const char* name;
  int host;
};
inline constexpr RoundingMode kRoundingModes[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

}  // namespace warpmem::program::ptx
