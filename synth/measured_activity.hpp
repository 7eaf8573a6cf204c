// SPDX-License-Identifier: Apache-2.0
// Transitions of a simulated unit, which `warpmem cosim --toggles` has counted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "synth/netlist.hpp"
#include "synth/unit_parameters.hpp"

namespace warpmem::synth {

struct MeasuredActivity {
  std::string from;  ///< the file, its cycles and the size of the unit, for people
  std::map<std::string, std::uint64_t> parameters;  ///< those of the unit that was simulated
  Transitions transitions;
};

/// Reads a file of this unit; without a name nothing is measured. Throws UserError for another one.
MeasuredActivity read_activity(const std::filesystem::path& file, const std::string& unit);

/// Throws UserError when the transitions are of another size than the unit has with the parameters
/// that are asked for.
void check_size(const MeasuredActivity& measured, const std::filesystem::path& file,
                const ParameterValues& asked, const ParameterValues& defaults);

}  // namespace warpmem::synth
