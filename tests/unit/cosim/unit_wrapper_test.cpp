// SPDX-License-Identifier: Apache-2.0
// The descriptions of the units against their RTL: the same pins and parameters, in all wrappers.
#include "cosim/unit_wrapper.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "base/text_file.hpp"
#include "cosim/hardware_unit.hpp"
#include "cosim/unit_library.hpp"

namespace warpmem::cosim {
namespace {

using testing::HasSubstr;

std::string rtl_of(const HardwareUnit& unit) {
  return read_text(default_places().rtl / unit.name() / (unit.name() + ".sv"));
}

/// Returns all that the pattern's first group matches.
std::set<std::string> found(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::set<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
    names.insert((*match)[1]);
  return names;
}

UnitShape usual_shape(const HardwareUnit& unit) { return unit.shape_of(unit.sizes().front()); }

TEST(UnitDescriptions, HaveThePinsOfTheRtl) {
  for (const auto& unit : hardware_units()) {
    const UnitShape shape = usual_shape(*unit);
    std::set<std::string> pins(shape.state_pins.begin(), shape.state_pins.end());
    for (const auto* const list : {&shape.inputs, &shape.outputs})
      for (const UnitPin& pin : *list) EXPECT_TRUE(pins.insert(pin.pin).second) << pin.pin;
    EXPECT_EQ(pins, found(rtl_of(*unit), R"((?:input|output)\s+wire\s+logic\s.*?\b(\w+_[io])\b)"))
        << unit->name();
  }
}

TEST(UnitDescriptions, HaveTheParametersOfTheRtl) {
  for (const auto& unit : hardware_units()) {
    std::set<std::string> parameters;
    for (const auto& [name, value] : usual_shape(*unit).parameters) parameters.insert(name);
    EXPECT_EQ(parameters, found(rtl_of(*unit), R"(parameter\s+int\s+unsigned\s+(\w+))"))
        << unit->name();
  }
}

TEST(UnitWrappers, DriveAndSampleEveryPin) {
  const UnitShape shape = usual_shape(hardware_unit("tsma"));
  const std::string text = rtl_wrapper(shape).text;
  EXPECT_THAT(text, HasSubstr("to_pin<6>(top.req_idx_i, in.req_addr);"));
  EXPECT_THAT(text, HasSubstr("from_pin<48>(top.used_o, out.used);"));
  const std::string module = module_wrapper(usual_shape(hardware_unit("tsma_index_gen"))).text;
  EXPECT_THAT(module, HasSubstr("TsmaIndexGenModule<48u>"));
  EXPECT_THAT(module, HasSubstr("module.available_o(available_o);"));
  EXPECT_THAT(core_wrapper(usual_shape(hardware_unit("laws_score"))).text,
              HasSubstr("LawsScoreCore<16u, 5u, 31u>"));
}

}  // namespace
}  // namespace warpmem::cosim
