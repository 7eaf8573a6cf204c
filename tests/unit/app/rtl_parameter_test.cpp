// SPDX-License-Identifier: Apache-2.0
#include "app/rtl_parameter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "cosim/hardware_unit.hpp"
#include "formal/proofs.hpp"

namespace warpmem::app {
namespace {

using Parameters = std::map<std::string, std::string>;

std::string refusal(const std::string& unit, const Parameters& parameters) {
  try {
    check_rtl_limits(unit, parameters);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

struct Case {
  std::string unit;
  Parameters parameters;
  std::string said;
};

TEST(RtlLimits, OfOneParameterAndOfSeveralTogether) {
  const std::vector<Case> cases = {
      {"dl_mshr",
       {{"SETS", "0"}},
       "SETS: 0 is not 1 to 4096\nRESERVED: 64 is more than the 0 sets"},
      {"dl_mshr", {{"SLOTS", "3"}}, "SLOTS: 3 is not 1, 2, 4 or 8"},
      {"dl_mshr", {{"SETS", "4"}, {"RESERVED", "5"}}, "RESERVED: 5 is more than the 4 sets"},
      // SETS stays at the 128 of the RTL.
      {"dl_mshr", {{"RESERVED", "129"}}, "RESERVED: 129 is more than the 128 sets"},
      {"cart_branch",
       {{"ROWS", "64"}, {"COLUMNS", "64"}},
       "columns: 64 rows of 64 are more than 64 leaves"},
      {"mrpb_drain", {{"POLICY", "6"}}, "policy: 6 is not 0 to 5"},
      {"mshr_set_assoc",
       {{"ENTRIES", "12"}, {"WAYS", "2"}},
       "WAYS: 12 entries in sets of 2: allowed: a power of two of sets"},
      {"mrpb_drain", {{"POLICY", "5"}}, ""},
      {"dl_mshr", {{"NOTHING", "5"}}, ""},  // Yosys says that there is no such parameter
      {"mshr_slots", {{"SETS", "0"}}, ""}   // a module that is no unit
  };
  for (const Case& c : cases) EXPECT_EQ(refusal(c.unit, c.parameters), c.said) << c.unit;
}

TEST(RtlLimits, LetEveryProofAndEverySizePass) {
  for (const formal::Proof& proof : formal::proofs())
    EXPECT_EQ(refusal(proof.unit, proof.params), "") << proof.unit;
  for (const auto& unit : cosim::hardware_units()) {
    for (const cosim::SizeValues& size : unit->sizes()) {
      Parameters parameters;
      for (const auto& [name, value] : unit->shape_of(size).parameters)
        parameters[name] = std::to_string(value);
      EXPECT_EQ(refusal(unit->name(), parameters), "") << unit->text_of(size);
    }
  }
}

}  // namespace
}  // namespace warpmem::app
