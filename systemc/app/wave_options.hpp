// SPDX-License-Identifier: Apache-2.0
// `warpmem run --waves`: waveforms of hardware units over a window of the machine's time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli_fwd.hpp"
#include "app/configuration.hpp"
#include "cosim/unit_waves.hpp"

namespace warpmem::app {

struct WaveOptions {
  std::vector<std::string> waves;     ///< texts for cosim::parse_waves()
  std::optional<std::uint64_t> from;  ///< first cycle of the SM clock; none: 0
  std::optional<std::uint64_t> to;    ///< the last one; none: kUsualWaveCycles from the first on

  std::uint64_t first() const { return from.value_or(0); }
};

/// A window has so many cycles unless its end is given.
inline constexpr std::uint64_t kUsualWaveCycles = 10'000;

void add_wave_options(CLI::App& command, WaveOptions& options);

/// Throws UserError for a window that ends before it begins.
void check_window(const WaveOptions& options);

/// Checks the options and returns what the configuration needs besides: units have waveforms where
/// they have pins, so that the core takes the place of a class, with its statistics. Makes the
/// files' paths absolute. `shared`: the window is something else's too. Throws UserError.
std::vector<std::string> checked_waves(WaveOptions& options,
                                       const ConfigurationOptions& configuration, bool shared);

/// Returns "FIRST-LAST".
std::string wave_cycles(const WaveOptions& options);

/// Returns what the texts ask for. `cycles` is a "FIRST-LAST" in cycles of a clock of `hertz`;
/// empty: all of them. Throws UserError.
std::vector<cosim::WaveRequest> wave_requests(const std::vector<std::string>& texts,
                                              const std::string& cycles, std::uint64_t hertz);

}  // namespace warpmem::app
