// SPDX-License-Identifier: Apache-2.0
// The option --rtl: RTL that a user brings for units (docs/own-unit.md).
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/cli_fwd.hpp"
#include "files/own_rtl.hpp"

namespace warpmem::app {

/// Adds --rtl, which gives `paths`.
CLI::Option* add_own_rtl(CLI::App& command, std::vector<std::string>& paths);

/// Returns the RTL that is brought for `unit`, once it is known to have the unit's ports and
/// nothing that no unit may have (cosim/own_unit.hpp); prints Verilator's warnings. Throws
/// UserError for what is wrong. No paths: there is none.
OwnRtl checked_own_rtl(const std::vector<std::string>& paths, const std::string& unit);
/// Does the same for all units that are brought. Throws UserError when there is none, and when
/// `in_use` lacks one.
OwnRtl checked_own_rtl(const std::vector<std::string>& paths, const std::set<std::string>& in_use);

/// Returns all files that are brought, with what they include. Throws UserError as OwnRtl does.
std::vector<std::filesystem::path> own_rtl_files(const std::vector<std::string>& paths);

/// Throws UserError when a page, which records warpmem's own RTL, is asked for with --rtl.
void check_no_page(const std::string& page);

/// Returns the user's files that units consist of, included ones too, each with its SHA-256.
std::vector<std::pair<std::string, std::string>> own_rtl_hashes(const OwnRtl& own);

}  // namespace warpmem::app
