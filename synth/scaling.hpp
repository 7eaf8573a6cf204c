// SPDX-License-Identifier: Apache-2.0
// Miss handlers of 8 to 256 entries: area, clock and power of each, and how far from the law one of
// them is that was synthesized though the law would have done.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "synth/miss_handler.hpp"

namespace warpmem::synth {

inline constexpr unsigned kScalingSizes[] = {8, 16, 32, 64, 128, 256};

/// Returns the kinds. conventional, set_assoc, tsma and htsma have `entries` of 8 slots, 4 ways,
/// and an s-MSHR of 8 entries; dl has sets of 2 slots, half of them reserved. Addresses have 25
/// bits, slots 16.
std::vector<std::string> scaling_kinds();
MissHandlerDesign scaling_design(const std::string& kind, unsigned entries);

struct ScalingPoint {
  MissHandlerDesign design;
  MissHandlerCost cost;
};

struct ScalingCheck {
  MissHandlerDesign design;
  MissHandlerCost synthesized;
  MissHandlerCost by_law;
};

struct Scaling {
  MissHandlerOptions options;
  std::vector<ScalingPoint> points;  ///< kind by kind, in ascending size
  std::vector<ScalingCheck> checks;
};

/// Measures `kinds`, all when it is empty. `check_entries` (above those synthesized anyway; 0:
/// none) is synthesized for each kind and compared with the law, which takes minutes each. Throws
/// what cost_of() throws.
Scaling scaling(const std::vector<std::string>& kinds, unsigned check_entries,
                const MissHandlerOptions& options);

std::string table(const Scaling& scaling);
nlohmann::json to_json(const Scaling& scaling);
nlohmann::json to_json(const MissHandlerDesign& design, const MissHandlerCost& cost);

}  // namespace warpmem::synth
