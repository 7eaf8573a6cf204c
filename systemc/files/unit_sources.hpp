// SPDX-License-Identifier: Apache-2.0
// Which files make up an RTL unit.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmem {

struct UnitSources {
  std::string unit;                          ///< folder, and name of the top module
  std::filesystem::path rtl_root;            ///< folder of all units
  std::vector<std::filesystem::path> files;  ///< relative to rtl_root; used ones before users
};

/// Returns the names of all units: folders F of `rtl_root` with a file F/F.sv, sorted.
std::vector<std::string> list_units(const std::filesystem::path& rtl_root);

/// Finds rtl/UNIT/UNIT.sv and, file by file, the modules and packages that it mentions (one
/// module a file, named like the file). Throws UserError that lists the units, the nearest first,
/// when there is none of that name.
UnitSources find_unit(const std::filesystem::path& rtl_root, const std::string& unit);

/// Returns whether a file of the unit declares or uses `identifier`; comments and strings do not
/// count.
bool mentions(const UnitSources& sources, const std::string& identifier);

/// Returns the candidate with the smallest edit distance; empty when there are no candidates.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace warpmem
