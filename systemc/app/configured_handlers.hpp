// SPDX-License-Identifier: Apache-2.0
// Area, clock and power of the miss handlers that a machine is configured with.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/configuration.hpp"
#include "synth/miss_handler.hpp"

namespace warpmem::app {

/// The miss handler of one level, with what the configuration says of it.
struct ConfiguredHandler {
  std::string level;                        ///< "l1d" or "l2"
  unsigned copies = 0;                      ///< of it in the machine
  std::map<std::string, std::string> keys;  ///< of the configuration, on which its cost depends
  synth::MissHandlerDesign design;
};

/// Returns the handlers of L1D, where it is enabled, and of L2. Throws UserError for a kind that
/// was added from outside, which has no RTL here.
std::vector<ConfiguredHandler> configured_handlers(const Configuration& configuration);

/// Returns the table that is printed; costs[i] is that of handlers[i].
std::string table(const std::vector<ConfiguredHandler>& handlers,
                  const std::vector<synth::MissHandlerCost>& costs);
nlohmann::json to_json(const std::vector<ConfiguredHandler>& handlers,
                       const std::vector<synth::MissHandlerCost>& costs,
                       const synth::MissHandlerOptions& options);

}  // namespace warpmem::app
