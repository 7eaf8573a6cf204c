// SPDX-License-Identifier: Apache-2.0
// A copy of the RTL with one mistake, and the properties that must notice it.
#pragma once

#include <string>
#include <vector>

#include "formal/proofs.hpp"

namespace warpmem::formal::test {

struct BrokenCopy {
  std::string name;
  std::string file;  ///< below rtl/
  std::string from;  ///< occurs in it, the first occurrence is replaced
  std::string to;
  std::vector<std::string> noticed_by;
};

/// For one parameter set of one unit.
struct BrokenUnit {
  Proof proof;
  std::vector<BrokenCopy> copies;
  unsigned cycles = 8;  ///< from reset, in which each must be noticed
};

}  // namespace warpmem::formal::test
