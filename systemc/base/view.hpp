// SPDX-License-Identifier: Apache-2.0
// Names the one of a hardware unit's views that is in the loop: the fast class, the synthesizable
// C++ core, the SC_MODULE around it, or the RTL. The statistics of a run are the same with each
// (docs/mechanisms.md 6).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpmem {

enum class View : std::uint8_t { fast_class, core, systemc, rtl };
/// The views as the configuration names them.
inline std::vector<std::pair<std::string, View>> view_names() {
  return {{"class", View::fast_class},
          {"core", View::core},
          {"systemc", View::systemc},
          {"rtl", View::rtl}};
}
/// Returns what a key says that chooses the view of `unit`.
inline std::string view_text(const std::string& unit) {
  return "which view of " + unit +
         " is in the loop: the fast class, the synthesizable core in C++, the SC_MODULE around it, "
         "or RTL; same statistics";
}

}  // namespace warpmem
