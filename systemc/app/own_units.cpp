// SPDX-License-Identifier: Apache-2.0
#include "app/own_units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "cosim/hardware_unit.hpp"
#include "cosim/own_unit.hpp"
#include "files/named_files.hpp"
#include "files/sha256.hpp"

namespace warpmem::app {

namespace fs = std::filesystem;

namespace {

void check(const OwnRtl& own, const std::string& name) {
  cosim::UnitPlaces where = cosim::default_places();
  where.rtl = places().rtl;
  where.own = own;
  const cosim::HardwareUnit& unit = cosim::hardware_unit(name);
  for (const std::string& warning : cosim::check_own_unit(unit.shape_of(unit.attacked()), where))
    fmt::print(stderr, "warpmem: warning: {}\n", warning);
}

std::vector<std::string> brought_by(const OwnRtl& own) {
  std::vector<std::string> units;
  for (const auto& unit : cosim::hardware_units())
    if (own.has(unit->name())) units.push_back(unit->name());
  return units;
}

/// Returns what would ask for the RTL of a unit.
std::string hint_for(const cosim::HardwareUnit& unit) {
  if (unit.view_key().empty()) return "; it is no part of the machine";
  return fmt::format("; --set with a key that ends in {} does, and the value rtl", unit.view_key());
}

}  // namespace

CLI::Option* add_own_rtl(CLI::App& command, std::vector<std::string>& paths) {
  return command
      .add_option("--rtl", paths,
                  "another implementation of the unit's ports: Verilog files, or folders with all "
                  "below them; may be repeated (docs/own-unit.md)")
      ->type_name("PATH")
      ->allow_extra_args(false);
}

OwnRtl checked_own_rtl(const std::vector<std::string>& paths, const std::string& unit) {
  if (paths.empty()) return {};
  const OwnRtl own(paths);
  own.require(unit);
  check(own, unit);
  return own;
}

OwnRtl checked_own_rtl(const std::vector<std::string>& paths, const std::set<std::string>& in_use) {
  if (paths.empty()) return {};
  const OwnRtl own(paths);
  const std::vector<std::string> units = brought_by(own);
  if (units.empty())
    throw UserError(
        fmt::format("{}: no module has the name of a unit; `warpmem list units` has "
                    "them",
                    fmt::join(paths, ", ")));
  for (const std::string& unit : units)
    if (in_use.count(unit) == 0)
      throw UserError(fmt::format("--rtl: nothing in this run asks for the RTL of {}{}", unit,
                                  hint_for(cosim::hardware_unit(unit))));
  for (const std::string& unit : units) check(own, unit);
  return own;
}

std::vector<fs::path> own_rtl_files(const std::vector<std::string>& paths) {
  const OwnRtl own(paths);
  return with_named_files(own.files(), own.folders());
}

void check_no_page(const std::string& page) {
  if (!page.empty()) throw UserError("--page records warpmem's own RTL; leave out --rtl");
}

std::vector<std::pair<std::string, std::string>> own_rtl_hashes(const OwnRtl& own) {
  std::set<fs::path> files;
  for (const std::string& unit : brought_by(own)) {
    const UnitSources sources = own.sources(unit, places().rtl);
    for (const fs::path& file : with_named_files(sources.paths(), sources.folders()))
      if (*file.lexically_relative(sources.rtl_root).begin() == "..") files.insert(file);
  }
  std::vector<std::pair<std::string, std::string>> hashes;
  for (const fs::path& file : files) hashes.emplace_back(file, sha256_hex(read_text(file)));
  return hashes;
}

}  // namespace warpmem::app
