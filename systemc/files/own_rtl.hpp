// SPDX-License-Identifier: Apache-2.0
// RTL that a user brings for units of warpmem: another implementation of a unit's ports. Its top
// module has the unit's name; modules and included files that it does not bring are warpmem's.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "files/unit_sources.hpp"

namespace warpmem {

class OwnRtl {
 public:
  /// There is none: every unit is warpmem's.
  OwnRtl() = default;
  /// Takes Verilog files (.sv, .v), and folders with everything below them. Included files are
  /// looked for in the folders, and in those of the files. Throws UserError when a path does not
  /// exist, is no Verilog or has none below it, and when a module or package is declared twice.
  explicit OwnRtl(const std::vector<std::string>& paths);

  bool empty() const { return files_.empty(); }
  /// Returns whether a module of this name is declared.
  bool has(const std::string& module) const { return declared_in_.count(module) != 0; }
  /// Throws UserError that names what is declared unless a module `unit` is.
  void require(const std::string& unit) const;
  /// Returns the paths as they were given, absolute.
  const std::vector<std::string>& paths() const { return paths_; }
  /// Returns the Verilog files, and the folders in which included ones are looked for.
  const std::vector<std::filesystem::path>& files() const { return files_; }
  const std::vector<std::filesystem::path>& folders() const { return folders_; }
  /// Returns the user's files that a unit consists of, its top module in the last, and of
  /// warpmem's what they mention besides. Precondition: has(unit).
  UnitSources sources(const std::string& unit, const std::filesystem::path& rtl_root) const;

 private:
  std::vector<std::string> paths_;
  std::vector<std::filesystem::path> files_, folders_;
  std::map<std::string, std::filesystem::path> declared_in_;  // files of modules and packages
};

/// Returns the user's sources of a unit where there are some, else those of find_unit().
UnitSources find_unit(const std::filesystem::path& rtl_root, const std::string& unit,
                      const OwnRtl& own);

}  // namespace warpmem
