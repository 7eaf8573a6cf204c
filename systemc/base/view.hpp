// SPDX-License-Identifier: Apache-2.0
// Names the one of a hardware unit's three views that is in the loop. The statistics of a run are
// the same with each (docs/miss-handlers.md).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpmem {

enum class View : std::uint8_t { fast_class, systemc, rtl };
/// The views as the configuration names them.
inline std::vector<std::pair<std::string, View>> view_names() {
  return {{"class", View::fast_class}, {"systemc", View::systemc}, {"rtl", View::rtl}};
}

}  // namespace warpmem
