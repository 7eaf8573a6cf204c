// SPDX-License-Identifier: Apache-2.0
// Control of BUCL as the simulation uses it: one of the unit's views. The rules are those of
// units/bucl_ctrl/bucl_ctrl_core.hpp; the class takes limits of any fineness.
#pragma once

#include "base/clock_domain.hpp"
#include "units/bucl_ctrl/bucl_ctrl_unit.hpp"

namespace warpmem::l1d {

using BuclCtrlSize = units::BuclCtrlSize;

class BuclCtrl {
 public:
  virtual ~BuclCtrl() = default;
  virtual units::BuclCtrlOut eval(const units::BuclCtrlIn& in) const = 0;
  /// The clock edge at the end of a cycle with these inputs.
  virtual void commit(const units::BuclCtrlIn& in) = 0;
  /// As many clock edges at the end of cycles without inputs.
  virtual void idle(Cycle cycles) = 0;
};

class FastBuclCtrl : public BuclCtrl {
 public:
  /// Thresholds of BU Table II, for SMs 0, 1, ...; further SMs begin again.
  static constexpr std::uint8_t kProfileTucd[units::kBuclProfileRows] = {
      2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 25};

  explicit FastBuclCtrl(const BuclCtrlSize& size) : size_(size), tucd_(size.tucd) {}

  units::BuclCtrlOut eval(const units::BuclCtrlIn& in) const override;
  void commit(const units::BuclCtrlIn& in) override;
  void idle(Cycle cycles) override;

 private:
  void end_period();

  BuclCtrlSize size_;
  Cycle cycle_ = 0;                        // cycle within the period
  std::uint64_t accesses_ = 0, hits_ = 0;  // accesses and hits of the period
  double hit_rate_ = 0;                    // hit rate of the last period with accesses
  std::uint32_t tucd_;
  bool chosen_ = false;
};

}  // namespace warpmem::l1d
