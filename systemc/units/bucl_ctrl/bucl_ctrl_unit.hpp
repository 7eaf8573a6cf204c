// SPDX-License-Identifier: Apache-2.0
// BUCL's control, described once for all its views.
#pragma once

#include <cstdint>

#include "units/unit_fields.hpp"

namespace warpmem::units {

/// Resolution of the hit rate, of the utilisation, and of their limits.
inline constexpr unsigned kBuclScale = kShareScale;
/// Rows of BU Table II: the thresholds of SMs 0, 1, ... while profiling.
inline constexpr unsigned kBuclProfileRows = 15;

struct BuclCtrlSize {
  std::uint32_t period = 1000;
  double hit_rate_limit = 0.8;  ///< in views other than the class whole thousandths
  double input_limit = 0.7;     ///< the same
  std::uint32_t tucd = 5;
  std::uint32_t least = 2;
  std::uint32_t most = 25;
  bool profile = false;
};

struct BuclCtrlIn {
  bool clear = false;            ///< a kernel is launched: its first cycle is the next one
  bool access_valid = false;     ///< the observed L1D had an access
  bool access_hit = false;       ///< that access hit
  bool choose_valid = false;     ///< profiling: the best SM is known
  std::uint8_t choose_row = 0;   ///< row of the best SM, below kBuclProfileRows
  std::uint8_t load_degree = 0;  ///< requests of a load, up to 63
  std::uint8_t load_row = 0;     ///< row of the load's SM
  std::uint16_t uib = 0;         ///< utilisation of a refused request's partition, in 1/kBuclScale

  using Size = BuclCtrlSize;
  template <class V>
  static constexpr void fields(V&& v, const Size&) {
    v("clear", &BuclCtrlIn::clear, 1);
    v("access_valid", &BuclCtrlIn::access_valid, 1);
    v("access_hit", &BuclCtrlIn::access_hit, 1);
    v("choose_valid", &BuclCtrlIn::choose_valid, 1);
    v("choose_row", &BuclCtrlIn::choose_row, 4);
    v("load_degree", &BuclCtrlIn::load_degree, 6);
    v("load_row", &BuclCtrlIn::load_row, 4);
    v("uib", &BuclCtrlIn::uib, 10);
  }
};

struct BuclCtrlOut {
  std::uint8_t tucd = 0;        ///< threshold of the load's SM
  bool load_bypass = false;     ///< load_degree is above the threshold
  bool low = false;             ///< the hit rate was below its limit
  bool refused_bypass = false;  ///< low, and uib is below its limit
  bool period_end = false;      ///< last cycle of a sampling period

  using Size = BuclCtrlSize;
  template <class V>
  static constexpr void fields(V&& v, const Size&) {
    v("tucd", &BuclCtrlOut::tucd, 6);
    v("load_bypass", &BuclCtrlOut::load_bypass, 1);
    v("low", &BuclCtrlOut::low, 1);
    v("refused_bypass", &BuclCtrlOut::refused_bypass, 1);
    v("period_end", &BuclCtrlOut::period_end, 1);
  }
};

struct BuclCtrlDescription : UnitDefaults {
  using In = BuclCtrlIn;
  using Out = BuclCtrlOut;
  using Size = BuclCtrlSize;

  static constexpr const char* kName = "bucl_ctrl";
  static constexpr const char* kViewKey = "bucl.unit";
  static constexpr unsigned kPlace = 8;
  static constexpr unsigned kProofPlace = 11;

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"PERIOD", "period", "--period", "cycles of a sampling period", 2, 1'000'000},
      size.period);
    v(SizeField{"HIT_LIMIT", "hit_rate_limit", "--hit-rate-limit", "limit of L1DHR", 0, 1},
      size.hit_rate_limit);
    v(SizeField{"UIB_LIMIT", "input_limit", "--input-limit", "limit of UIB", 0, 1},
      size.input_limit);
    v(SizeField{"TUCD", "tucd", "--tucd", "threshold at launch"}, size.tucd);
    v(SizeField{"LEAST", "least", "--least", "lower bound of the threshold"}, size.least);
    v(SizeField{"MOST", "most", "--most", "upper bound of the threshold"}, size.most);
    v(SizeField{"PROFILE", "profile", "--profile", "thresholds are profiled (BUCL-Prf)"},
      size.profile);
  }
  // The usual period of 1000 cycles would leave few decisions, so it is one of the corners. Periods
  // of a power of two and one more show the width of the counter of cycles, a long one without a
  // hit that of the balance; the longest would take too long here.
  static constexpr Size kSizes[] = {
      {50, 0.8, 0.7, 5, 2, 25, false},   {1000, 0.8, 0.7, 5, 2, 25, false},
      {20, 0.8, 0.7, 5, 2, 25, true},    {2, 0.5, 0.5, 1, 1, 1, false},
      {7, 1.0, 0.0, 3, 3, 3, false},     {999, 0.333, 0.999, 32, 1, 32, false},
      {3, 0.001, 0.001, 5, 2, 25, true}, {64, 0.25, 0.5, 31, 31, 32, false},
      {65, 0.0, 1.0, 2, 1, 32, false},   {65'537, 1.0, 1.0, 1, 1, 1, false}};
  static constexpr Size kAttacked = {6, 0.8, 0.7, 5, 2, 25, false};
  static constexpr UnitProof kProofs[] = {
      {"PERIOD=6 HIT_LIMIT=750 TUCD=3 LEAST=2 MOST=4 PROFILE=0", true},
      {"PERIOD=6 HIT_LIMIT=750 TUCD=3 LEAST=2 MOST=4 PROFILE=1"}};
};

}  // namespace warpmem::units
