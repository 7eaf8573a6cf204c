// SPDX-License-Identifier: Apache-2.0
// What can be seen of a DAU from outside, for a user's RTL. Which of several free sets a request
// gets is the unit's choice (DL 4.4: "a free slot set is selected"); the class follows it, and all
// later answers are determined by what has been chosen. The rules are in rtl/dau/README.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cache/mha/dl/fast_dau.hpp"

namespace warpmem::cosim {

/// Returns the inputs without a merge into a chain that there is not, or that is released in this
/// cycle, and without RET of one that there is not: DL-MSHR never asks for them.
mha::DauIn dau_legal_input(const mha::FastDau& dau, const mha::DauIn& in);

/// Returns what a DAU in the state of `dau` that makes the choice of `unit` answers. Where a
/// request gets nothing, what `unit` has on req_set, req_slot and req_link means nothing. If `unit`
/// answers otherwise, `reason` becomes a sentence about it: "links set 5, which is in use".
/// Precondition: `in` is legal.
mha::DauOut dau_follow(const mha::FastDau& dau, const mha::DauIn& in, const mha::DauOut& unit,
                       std::string* reason);

/// Directed vectors name the sets that the class gives out. This gives them the names that they
/// have in a unit with other choices.
class DauRenaming {
 public:
  explicit DauRenaming(const mha::DauSize& size) : script_(size), name_of_(size.sets) {}

  void reset() { script_.reset(); }
  /// Returns the vector as the unit is asked, without what is not legal.
  mha::DauIn renamed(const mha::DauIn& vector);
  /// Takes the unit's answer to it.
  void commit(const mha::DauOut& unit);

 private:
  mha::FastDau script_;  // what the vectors were written for
  mha::DauIn in_;
  std::vector<std::uint32_t> name_of_;  // set of the unit, by that of the script
};

}  // namespace warpmem::cosim
