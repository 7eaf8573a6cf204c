// SPDX-License-Identifier: Apache-2.0
#include "l1d/bypass/bucl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warpmem::l1d {

void Bucl::Params::describe(Schema& s, std::function<bool()> is_profile) {
  const char* const table = "BU Table II";
  s.integer("period", period, {10, 1'000'000}, "SM cycles of a sampling period", table);
  s.real("hit_rate_limit", hit_rate_limit, {0.0, 1.0},
         "a refused load bypasses only while L1D's hit rate is below", table);
  s.real("input_limit", input_limit, {0.0, 1.0},
         "a refused load bypasses only while its partition's input buffer is used less", table);
  s.integer("input_delay", input_delay, {1, 100'000},
            "SM cycles until the SMs know the utilisation of an input buffer",
            "chosen: a way through the crossbar");
  s.only_if(
      "l1d.bypass.kind: bucl_dyn", [is_profile] { return !is_profile(); },
      [&] {
        s.integer("tucd", tucd, {1, 32}, "threshold of the un-coalescing degree at launch", table);
        s.integer("least", least, {1, 32}, "lower bound of the threshold", "BU section V");
        s.integer("most", most, {1, 32}, "upper bound of the threshold", "BU section V");
      });
  s.only_if("l1d.bypass.kind: bucl_prf", is_profile, [&] {
    s.integer("profile_cycles", profile_cycles, {10, 1'000'000'000},
              "SM cycles in which every SM has a threshold of its own", table);
  });
}

void Bucl::Params::validate(Problems& problems) const {
  if (least <= tucd && tucd <= most) return;
  problems.add("l1d.bypass.bucl.tucd",
               fmt::format("{} is not within least {} and most {}; allowed: least <= tucd <= most",
                           tucd, least, most));
}

Bucl::Bucl(const Params& params, const AddressMap& map, const ClockDomain& clock)
    : params_(params),
      map_(map),
      clock_(clock),
      inputs_(map.partitions(), PeriodMeter(clock.time_of(params.period))),
      tucd_(params.tucd) {}

void Bucl::begin_launch(Cycle now) {
  start_ = now;
  number_ = accesses_ = hits_ = 0;
  hit_rate_ = 0;
  tucd_ = params_.tucd;
  chosen_at_ = kNever;
}

void Bucl::accessed(Cycle now, bool hit) {
  advance(now);
  ++accesses_;
  hits_ += hit;
}

// Ends the periods that are over in cycle `now`. Nobody can have counted anything of this cycle for
// them, so it does not matter who comes first.
void Bucl::advance(Cycle now) {
  for (; now >= end_of_period(); ++number_) end_period(end_of_period());
}

void Bucl::end_period(Cycle end) {
  ++periods_;
  const Cycle begin = end - params_.period;
  if (accesses_ > 0) {  // else nothing is known that was not before
    hit_rate_ = static_cast<double>(hits_) / static_cast<double>(accesses_);
    if (!params_.profile)
      tucd_ = hit_rate_ > params_.hit_rate_limit ? std::min(tucd_ + 1, params_.most)
                                                 : std::max(tucd_ - 1, params_.least);
  }
  accesses_ = hits_ = 0;
  hit_rate_series_.add_level(begin, end, hit_rate_);
  if (!params_.profile || chosen_at_ != kNever) tucd_series_.add_level(begin, end, tucd_);
  double input = 0;
  for (const PeriodMeter& meter : inputs_) input += meter.average(known_at(end));
  input_series_.add_level(begin, end, input / static_cast<double>(inputs_.size()));
}

Femtoseconds Bucl::known_at(Cycle now) const {
  return clock_.time_of(now < params_.input_delay ? 0 : now - params_.input_delay);
}

unsigned Bucl::tucd(unsigned sm, Cycle now) {
  advance(now);
  if (params_.profile && (chosen_at_ == kNever || now <= chosen_at_))
    return kProfileTucd[sm % std::size(kProfileTucd)];
  return tucd_;
}

bool Bucl::bypasses_refused(Addr address, Cycle now) {
  advance(now);
  return hit_rate_ < params_.hit_rate_limit &&
         inputs_[map_.partition(address).value].average(known_at(now)) < params_.input_limit;
}

void Bucl::choose(unsigned best, Cycle now) {
  tucd_ = kProfileTucd[best % std::size(kProfileTucd)];
  chosen_at_ = now;
}

void Bucl::register_stats(StatGroup& g) {
  g.before_snapshot([this] { advance(clock_.now()); });
  g.counter("periods", periods_, "periods", "sampling periods that ended");
  g.series("tucd.over_time", tucd_series_, "requests x cycles",
           "threshold of the un-coalescing degree, when all SMs have the same");
  g.series("hit_rate.over_time", hit_rate_series_, "cycles", "L1DHR, the hit rate of SM 0's L1D");
  g.series("input.over_time", input_series_, "cycles",
           "UIB, the average utilisation of the partitions' input buffers, as the SMs know it");
}

}  // namespace warpmem::l1d
