// SPDX-License-Identifier: Apache-2.0
// Which files make up an RTL unit.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmem {

struct UnitSources {
  std::string unit;                ///< folder, and name of the top module
  std::filesystem::path rtl_root;  ///< folder of all units
  /// Used ones before users; relative to rtl_root, or absolute where they are the user's own.
  std::vector<std::filesystem::path> files;
  /// Folders that are searched for included files before rtl_root; absolute, the user's own.
  std::vector<std::filesystem::path> include_folders = {};

  /// Returns the paths of the files.
  std::vector<std::filesystem::path> paths() const;
  /// Returns the folders for included files, rtl_root the last.
  std::vector<std::filesystem::path> folders() const;
  /// Makes the links in the folder `work` by which read_commands() names our files and the folders
  /// for included ones: Yosys takes no -I with a space in it.
  void link_into(const std::filesystem::path& work) const;
  /// Returns the commands with which Yosys reads the unit there. The last file, which has the top
  /// module, is read with the options `of_top`, every other with `options`.
  std::string read_commands(const std::string& options, const std::string& of_top) const;
};

/// Returns the identifiers of the text in their order, comments and strings left out.
std::vector<std::string> identifiers_of(const std::string& text);

/// Returns the names of all units: folders F of `rtl_root` with a file F/F.sv, sorted.
std::vector<std::string> list_units(const std::filesystem::path& rtl_root);

/// Finds rtl/UNIT/UNIT.sv and, file by file, the modules and packages that it mentions (one
/// module a file, named like the file). Throws UserError that lists the units when there is none of
/// that name.
UnitSources find_unit(const std::filesystem::path& rtl_root, const std::string& unit);

/// Returns whether a file of the unit declares or uses `identifier`; comments and strings do not
/// count.
bool mentions(const UnitSources& sources, const std::string& identifier);

/// Returns a digest of the unit's RTL as synthesis reads it: comments, spacing and properties do
/// not count, so that figures are as old as what they were made of.
std::string rtl_digest(const UnitSources& sources);

}  // namespace warpmem
