// SPDX-License-Identifier: Apache-2.0
// What is proved by default: for each unit the parameter sets, and how, as its description says.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "units/unit_fields.hpp"

namespace warpmem::formal {

using Method = units::ProofMethod;

struct Proof {
  std::string unit;
  std::map<std::string, std::string> params;
  Method method = Method::pdr;
  unsigned depth = 30;  ///< k of an induction; cycles of a bounded check
  bool quick = false;   ///< it takes below 20 s on one core and is part of the tests
  bool covers = true;   ///< also show that the `cover` statements can be reached
  unsigned primed = 0;  ///< cycles of a bounded check that are given (units::UnitProof)
};

/// Returns the proofs in the order in which they are shown.
const std::vector<Proof>& proofs();

}  // namespace warpmem::formal
