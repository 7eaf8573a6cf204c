// SPDX-License-Identifier: Apache-2.0
#include "l1d/bypass/bucl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpmem::l1d {

void Bucl::Params::describe(Schema& s, const std::function<bool()>& is_profile) {
  const char* const table = "BU Table II";
  s.integer("period", period, {10, 1'000'000}, "SM cycles of a sampling period of BUCL", table);
  s.real("hit_rate_limit", hit_rate_limit, {0.0, 1.0},
         "a load that L1D refuses bypasses only while L1D's hit rate is below this", table);
  s.real("input_limit", input_limit, {0.0, 1.0},
         "a load that L1D refuses bypasses only while the utilisation of its L2 slice's input "
         "queue is below this",
         table);
  s.integer("input_delay", input_delay, {1, 100'000},
            "SM cycles until the SMs know the utilisation of an L2 slice's input queue",
            "chosen: a way through the crossbar");
  s.only_if(
      "l1d.bypass.kind: bucl_dyn", [is_profile] { return !is_profile(); },
      [&] {
        s.integer("tucd", tucd, {1, 32},
                  "threshold of the un-coalescing degree at the start of a launch: loads of more "
                  "requests bypass",
                  table);
        s.integer("least", least, {1, 32},
                  "smallest threshold of the un-coalescing degree that BUCL takes", "BU section V");
        s.integer("most", most, {1, 32},
                  "largest threshold of the un-coalescing degree that BUCL takes", "BU section V");
      });
  s.choice("unit", unit, view_names(), view_text("BUCL's control"), "mechanisms 6");
  s.only_if("l1d.bypass.kind: bucl_prf", is_profile, [&] {
    s.integer("profile_cycles", profile_cycles, {10, 1'000'000'000},
              "SM cycles at the start of a launch in which every SM tries a threshold of its own",
              table);
  });
}

void Bucl::Params::validate(Problems& problems) const {
  if (least > tucd || tucd > most)
    problems.add(
        "l1d.bypass.bucl.tucd",
        fmt::format("{} is not within least {} and most {}; allowed: least <= tucd <= most", tucd,
                    least, most));
  if (unit == View::fast_class) return;
  for (const double limit : {hit_rate_limit, input_limit}) {
    const double thousandths = limit * units::kBuclScale;
    if (std::abs(thousandths - std::round(thousandths)) > 1e-6)
      problems.add("l1d.bypass.bucl.unit",
                   fmt::format("the views other than class compare thousandths, not {}; allowed: "
                               "class, or limits of three decimals",
                               limit));
  }
}

namespace {

std::unique_ptr<BuclCtrl> make_ctrl(const Bucl::Params& p, const UnitFactories& units) {
  BuclCtrlSize size{p.period, p.hit_rate_limit, p.input_limit, p.tucd, p.least, p.most, p.profile};
  if (p.profile) size.least = size.tucd = size.most = 1;  // these have no meaning while profiling
  if (p.unit == View::fast_class) return std::make_unique<FastBuclCtrl>(size);
  if (!units.bucl_ctrl)
    throw UserError("l1d.bypass.bucl.unit: this program has only the view 'class' of it");
  return units.bucl_ctrl(p.unit, size);
}

unsigned row_of(unsigned sm) { return sm % units::kBuclProfileRows; }

// Returns the largest number of thousandths that is not above the share. It is below a limit of
// whole thousandths if and only if the share is.
std::uint16_t thousandths(double share) {
  auto n = static_cast<unsigned>(share * units::kBuclScale);
  if ((n + 1) / double(units::kBuclScale) <= share) ++n;
  if (n / double(units::kBuclScale) > share) --n;
  return static_cast<std::uint16_t>(n);
}

}  // namespace

Bucl::Bucl(const Params& params, const AddressMap& map, const ClockDomain& clock,
           const UnitFactories& units)
    : params_(params),
      map_(map),
      clock_(clock),
      inputs_(map.slices(),
              PeriodMeter(clock.time_of(params.period), params.input_delay / params.period + 4)),
      tucd_(params.tucd),
      ctrl_(make_ctrl(params, units)) {}

void Bucl::begin_launch(Cycle now) {
  start_ = now;
  number_ = accesses_ = hits_ = 0;
  hit_rate_ = 0;
  tucd_ = params_.tucd;
  chosen_ = false;
  pins_ = {};
  pins_.clear = true;
  ctrl_->commit(pins_);
  pins_ = {};
  ctrl_now_ = now;
}

void Bucl::accessed(Cycle now, bool hit) {
  advance(now);
  ++accesses_;
  hits_ += hit;
  pins_.access_valid = true;
  pins_.access_hit = hit;
}

// Ends the periods that are over in cycle `now`. Nobody can have counted anything of this cycle for
// them, so it does not matter which L1D asks first.
void Bucl::advance(Cycle now) {
  for (; now >= end_of_period(); ++number_) end_period(end_of_period());
  advance_unit(now);
}

void Bucl::advance_unit(Cycle now) {
  if (ctrl_now_ >= now) return;
  ctrl_->commit(pins_);
  pins_ = {};
  ctrl_->idle(now - ctrl_now_ - 1);
  ctrl_now_ = now;
}

void Bucl::end_period(Cycle end) {
  ++periods_;
  advance_unit(end);
  const Cycle begin = end - params_.period;
  if (accesses_ > 0) hit_rate_ = static_cast<double>(hits_) / static_cast<double>(accesses_);
  if (!params_.profile) tucd_ = ctrl_->eval({}).tucd;
  accesses_ = hits_ = 0;
  hit_rate_series_.add_level(begin, end, hit_rate_);
  if (!params_.profile || chosen_) tucd_series_.add_level(begin, end, tucd_);
  double input = 0;
  for (const PeriodMeter& meter : inputs_) input += meter.average(known_at(end));
  input_series_.add_level(begin, end, input / static_cast<double>(inputs_.size()));
}

Cycle Bucl::settle(Cycle now) {
  advance(now);
  return end_of_period();
}

Femtoseconds Bucl::known_at(Cycle now) const {
  return clock_.time_of(now < params_.input_delay ? 0 : now - params_.input_delay);
}

unsigned Bucl::tucd(unsigned sm, Cycle now) {
  advance(now);
  units::BuclCtrlIn in;
  in.load_row = static_cast<std::uint8_t>(row_of(sm));
  return ctrl_->eval(in).tucd;
}

bool Bucl::bypasses_load(unsigned sm, unsigned degree, Cycle now) {
  advance(now);
  units::BuclCtrlIn in;
  in.load_row = static_cast<std::uint8_t>(row_of(sm));
  in.load_degree = static_cast<std::uint8_t>(std::min(degree, 63u));  // 63 is above all thresholds
  return ctrl_->eval(in).load_bypass;
}

bool Bucl::bypasses_refused(Addr address, Cycle now) {
  advance(now);
  const double input = inputs_[map_.slice(address).value].average(known_at(now));
  if (params_.unit == View::fast_class) return ctrl_->eval({}).low && input < params_.input_limit;
  units::BuclCtrlIn in;
  in.uib = thousandths(input);
  return ctrl_->eval(in).refused_bypass;
}

// The hit rate and the thresholds change with a period; the thresholds of all SMs change with the
// choice as well; the UIBs change when the end of a period of the meters becomes known.
Cycle Bucl::next_change(Cycle now) {
  advance(now);
  Cycle next = end_of_period();
  if (params_.profile && now <= profile_end()) next = std::min(next, profile_end() + 1);
  const Femtoseconds ends = inputs_.front().end_of(known_at(now));
  return std::min(next, clock_.cycle_at(ends - 1) + 1 + params_.input_delay);
}

void Bucl::choose(unsigned best, Cycle now) {
  advance_unit(now);
  pins_.choose_valid = true;
  pins_.choose_row = static_cast<std::uint8_t>(row_of(best));
  tucd_ = FastBuclCtrl::kProfileTucd[row_of(best)];
  chosen_ = true;
}

void Bucl::register_stats(StatGroup& g) {
  g.before_snapshot([this] { settle(clock_.now()); });
  g.counter("periods", periods_, "periods", "sampling periods that have ended");
  g.series("tucd.over_time", tucd_series_, "requests x cycles",
           "TUCD, the threshold of the un-coalescing degree, while all SMs have the same one");
  g.series("hit_rate.over_time", hit_rate_series_, "cycles", "L1DHR, the hit rate of SM 0's L1D");
  g.series("input.over_time", input_series_, "cycles",
           "UIB, the average utilisation of the L2 slices' input queues, as the SMs know it");
}

}  // namespace warpmem::l1d
