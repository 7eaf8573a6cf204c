// SPDX-License-Identifier: Apache-2.0
// Throttling unit of LAWS-TH (KI 3.3) as the SM uses it: one of the unit's views. The rules are
// those of units/throttle_unit/throttle_unit_core.hpp.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/types.hpp"
#include "units/throttle_unit/throttle_unit_unit.hpp"

namespace warpmem::sm {

using ThrottleSize = units::ThrottleSize;

class ThrottleUnit {
 public:
  virtual ~ThrottleUnit() = default;
  virtual units::ThrottleOut eval(bool fair) const = 0;
  /// The clock edge at the end of a cycle with these inputs.
  virtual void commit(const units::ThrottleIn& in) = 0;
  /// As many clock edges at the end of cycles without events.
  virtual void idle(Cycle cycles, bool fair) = 0;
};

class FastThrottleUnit : public ThrottleUnit {
 public:
  explicit FastThrottleUnit(const ThrottleSize& size) : size_(size) {}

  units::ThrottleOut eval(bool fair) const override;
  void commit(const units::ThrottleIn& in) override;
  void idle(Cycle cycles, bool fair) override;

 private:
  enum class Mode : std::uint8_t { off, locality, divergence };
  unsigned hits() const { return static_cast<unsigned>(__builtin_popcountll(intra_)); }
  std::uint8_t warps_for(unsigned count) const {
    return static_cast<std::uint8_t>(std::clamp(count, 2u, size_.warps));
  }
  bool exceeds() const;
  void decide(unsigned load_count);

  ThrottleSize size_;
  std::uint64_t intra_ = 0;  // a bit for each warp
  Mode mode_ = Mode::off;
  std::uint8_t limit_ = 0;
  unsigned min_ = 0;  // 0: no decision has seen a hit yet
  unsigned max_ = 0;
  unsigned stable_ = 0;
  Cycle hold_ = 0;
};

}  // namespace warpmem::sm
