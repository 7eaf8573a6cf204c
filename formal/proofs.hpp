// SPDX-License-Identifier: Apache-2.0
// What is proved by default: for each unit the parameter sets, and how.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace warpmem::formal {

enum class Method {
  kPdr,        ///< property-directed reachability (yosys-abc): for any number of cycles
  kInduction,  ///< k-induction (yosys-smtbmc, z3): for any number of cycles
  kBounded,    ///< all input sequences of `depth` cycles from reset
};

struct Proof {
  std::string unit;
  std::map<std::string, std::string> params;
  Method method = Method::kPdr;
  unsigned depth = 30;  ///< k of an induction; cycles of a bounded check
  bool quick = false;   ///< it takes below 20 s on one core and is part of the tests
  bool covers = true;  ///< also show that the `cover` statements can be reached, by a bounded check
                       ///< within its depth: a property of what no run reaches would hold emptily
  /// A bounded check of a dau begins with so many primary misses, and secondary ones until a set is
  /// linked; then any inputs come. 0: any inputs from the reset on.
  unsigned primed = 0;
};

/// Returns the proofs in the order in which they are shown.
const std::vector<Proof>& proofs();

}  // namespace warpmem::formal
