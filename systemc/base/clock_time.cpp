// SPDX-License-Identifier: Apache-2.0
#include "base/clock_time.hpp"

#include <limits>

namespace warpmem {

ClockTime ClockTime::in_cycles(std::uint64_t hertz) const {
  if (picoseconds_ == 0) return *this;
  __extension__ using Wide = unsigned __int128;
  constexpr std::uint64_t kPicoseconds = 1'000'000'000'000;  // of a second
  const Wide cycles = (static_cast<Wide>(picoseconds_) * hertz + kPicoseconds - 1) / kPicoseconds;
  assert(cycles <= std::numeric_limits<std::uint32_t>::max());
  return static_cast<std::uint32_t>(cycles);
}

std::string ClockTime::text() const {
  if (picoseconds_ == 0) return std::to_string(cycles_);
  std::string fraction = std::to_string(1000 + picoseconds_ % 1000).substr(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return std::to_string(picoseconds_ / 1000) + (fraction.empty() ? "" : "." + fraction) + " ns";
}

}  // namespace warpmem
