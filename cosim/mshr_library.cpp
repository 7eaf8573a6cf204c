// SPDX-License-Identifier: Apache-2.0
#include "cosim/mshr_library.hpp"

#include <fmt/format.h>

namespace warpmem::cosim {

namespace {

/// Returns the modules inside of the file, besides itself.
std::vector<std::string> parts_of(const std::string& unit) {
  if (unit == "dl_mshr") return {"dau/dau_sets.sv", "dau/dau.sv"};
  if (unit == "tsma") return {"common/mshr_slots.sv", "tsma_index_gen/tsma_index_gen.sv"};
  return {"common/mshr_slots.sv", "common/mshr_file.sv"};
}

}  // namespace

std::filesystem::path mshr_library(const std::string& unit, const UnitParameters& parameters,
                                   const UnitPlaces& places, bool waves) {
  UnitFiles files;
  files.name = unit;
  files.rtl = parts_of(unit);
  files.rtl.push_back(fmt::format("{0}/{0}.sv", unit));
  return build_unit(View::rtl, files, parameters, places, waves);
}

std::unique_ptr<LibraryMshr> make_library_mshr(const std::string& unit,
                                               const UnitParameters& parameters,
                                               const UnitPlaces& places, bool waves) {
  return std::make_unique<LibraryMshr>(mshr_library(unit, parameters, places, waves));
}

}  // namespace warpmem::cosim
