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
  bool quick = false;   ///< below 20 s on one core: part of the tests
  bool covers = true;  ///< also show that the `cover` statements can be reached, by a bounded check
                       ///< within its depth: a property of what no run reaches would hold emptily
  /// Bounded check of a dau: so many primary misses and secondary ones until a set is linked come
  /// first, then any inputs. 0: any inputs from reset on.
  unsigned primed = 0;
};

/// In the order in which they are shown.
const std::vector<Proof>& proofs();

}  // namespace warpmem::formal
