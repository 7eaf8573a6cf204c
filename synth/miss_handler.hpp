// SPDX-License-Identifier: Apache-2.0
// A whole miss handling architecture, or a reordering front end: control and comparators
// synthesized around their storage; slots, data buffers and waiting requests as memory macros.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "synth/macro_model.hpp"

namespace warpmem::synth {

struct MissHandlerDesign {
  /// conventional, set_assoc, dl, tsma, htsma; or the control of queues with `entries` x `slots`
  /// requests in a memory: cart_branch, mrpb_drain (at their default sizes)
  std::string kind = "conventional";
  unsigned entries = 32;       ///< dl: slot sets
  unsigned slots = 8;          ///< of an entry or set
  unsigned ways = 4;           ///< set_assoc
  unsigned reserved = 0;       ///< dl
  unsigned small_entries = 8;  ///< htsma: of the s-MSHR
  unsigned addr_bits = 25;
  unsigned slot_bits = 16;  ///< without the data buffer
  unsigned data_bits = 0;   ///< data buffer of a slot
};

struct MissHandlerOptions {
  std::filesystem::path rtl_root;
  std::filesystem::path liberty;  ///< empty: osu018
  double node_nm = 180;
  double activity = 0.1;
  std::filesystem::path cache_dir;
  std::function<void(const std::string&)> progress;
};

/// One synthesized size behind a law, and what the law says there.
struct LawPoint {
  unsigned entries = 0;
  double area_um2 = 0;
  double fitted_um2 = 0;
};

struct MissHandlerCost {
  double sequential_um2 = 0;
  double combinational_um2 = 0;
  double storage_um2 = 0;  ///< macros: estimated
  double period_ns = 0;    ///< of the control
  double access_ns = 0;    ///< a secondary miss: the control's longest path and the slot's macro
  double leakage_mw = 0;
  double dynamic_mw = 0;      ///< at 1 / access_ns, one request a cycle
  std::vector<LawPoint> law;  ///< empty: synthesized at its own size
  double area_um2() const { return sequential_um2 + combinational_um2 + storage_um2; }
  double power_mw() const { return leakage_mw + dynamic_mw; }
};

/// Sizes up to this are synthesized; larger ones follow the law through kLawSizes.
inline constexpr unsigned kMostSynthesized = 32;
inline constexpr unsigned kLawSizes[] = {8, 16, 32};

/// Least squares of y = a + b·n through points (n, y); {a, b}. At least two different n.
std::pair<double, double> line_through(const std::vector<std::pair<double, double>>& points);

/// Throws UserError for an unknown kind and whatever the flow refuses.
MissHandlerCost cost_of(const MissHandlerDesign& design, const MissHandlerOptions& options);

}  // namespace warpmem::synth
