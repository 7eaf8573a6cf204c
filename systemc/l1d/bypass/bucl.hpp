// SPDX-License-Identifier: Apache-2.0
// Bypassing of un-coalesced loads (BU section IV). All L1Ds share this one update logic.
//
// A load of more lines than TUCD bypasses L1D with all of them. A request that L1D refuses
// bypasses when, in the last sampling period, L1D's hit rate (L1DHR) and the utilisation of the
// input buffer of its L2 slice (UIB) were below their thresholds.
//
// Both are averages over sampling periods. The hit rate is that of SM 0's L1D (BU V-D). The UIBs
// come from the slices' clock domain with a delay. BUCL-Dyn moves TUCD by one a period.
// BUCL-Prf first gives every SM a TUCD of its own and then gives all of them the TUCD of the SM
// that did most.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/address_map.hpp"
#include "base/params.hpp"
#include "base/period_meter.hpp"
#include "base/stats.hpp"
#include "l1d/unit_factories.hpp"

namespace warpmem::l1d {

class Bucl {
 public:
  struct Params {
    bool profile = false;            ///< BUCL-Prf instead of BUCL-Dyn; set from l1d.bypass.kind
    std::uint32_t period = 1000;     ///< SM cycles of a sampling period
    double hit_rate_limit = 0.8;     ///< L1DHR threshold
    double input_limit = 0.7;        ///< UIB threshold
    std::uint32_t input_delay = 64;  ///< SM cycles until a slice's UIB is known
    std::uint32_t tucd = 5;          ///< dyn: TUCD at launch
    std::uint32_t least = 2;         ///< dyn: lower bound of TUCD, and below it the upper bound
    std::uint32_t most = 25;
    std::uint32_t profile_cycles = 5000;  ///< prf: SM cycles from launch to the choice
    View unit = View::fast_class;         ///< view of the control in the loop

    /// `is_profile` tells whether the configuration asks for BUCL-Prf.
    void describe(Schema& schema, const std::function<bool()>& is_profile);
    void validate(Problems& problems) const;
  };
  /// `map` tells the slice of an address and must outlive this object; `clock` is that of the
  /// SMs. Calls come in the order of their cycles, with one access a cycle. Throws UserError when
  /// the view of the control cannot be built.
  Bucl(const Params& params, const AddressMap& map, const ClockDomain& clock,
       const UnitFactories& units = {});

  /// The meter to which slice `s` reports the share of its input buffer that is in use.
  PeriodMeter& input_of(unsigned s) { return inputs_[s]; }

  /// A launch begins: forgets what was learned.
  void begin_launch(Cycle now);
  /// SM 0's L1D had an access in cycle `now`.
  void accessed(Cycle now, bool hit);
  /// Returns whether a load of `degree` requests of SM `sm` bypasses with all of them.
  bool bypasses_load(unsigned sm, unsigned degree, Cycle now);
  /// Returns whether a refused request to `address` bypasses, if the request queue has room.
  bool bypasses_refused(Addr address, Cycle now);
  unsigned tucd(unsigned sm, Cycle now);
  /// Returns the first cycle after `now` in which the answers above may differ from those in `now`.
  /// A request that they refuse is refused in every cycle up to it.
  Cycle next_change(Cycle now);

  /// Ends the periods that are over in cycle `now` and returns the end of the present one. While a
  /// launch runs it must be called at each end of a period, since the meters keep what is read only
  /// until then.
  Cycle settle(Cycle now);

  /// prf: the cycle in which the best SM has to be chosen.
  Cycle profile_end() const { return start_ + params_.profile_cycles; }
  /// prf: from the cycle after `now` on all SMs have the TUCD of `best`.
  void choose(unsigned best, Cycle now);

  void register_stats(StatGroup& group);

 private:
  void advance(Cycle now);
  void advance_unit(Cycle now);
  void end_period(Cycle end);
  Cycle end_of_period() const { return start_ + (number_ + 1) * params_.period; }
  Femtoseconds known_at(Cycle now) const;

  const Params params_;
  const AddressMap& map_;
  const ClockDomain& clock_;
  std::vector<PeriodMeter> inputs_;

  Cycle start_ = 0;                        // first cycle of the launch
  std::uint64_t number_ = 0;               // number of the present period
  std::uint64_t accesses_ = 0, hits_ = 0;  // in the present period
  double hit_rate_ = 0;                    // hit rate of the last period with accesses
  // Dyn: TUCD after the last period; prf: TUCD that was chosen.
  unsigned tucd_ = 0;
  bool chosen_ = false;  // prf: the choice has been made

  std::unique_ptr<BuclCtrl> ctrl_;  // the control decides; the numbers above are for the statistics
  units::BuclCtrlIn pins_;          // inputs of the control's present cycle
  Cycle ctrl_now_ = 0;              // the control's present cycle

  std::uint64_t periods_ = 0;
  TimeSeries tucd_series_, hit_rate_series_, input_series_;
};

}  // namespace warpmem::l1d
