// SPDX-License-Identifier: Apache-2.0
// What can be seen of a DAU from outside, for a user's RTL. Which of several free sets a request
// gets is the unit's choice (DL 4.4: "a free slot set is selected"); the class follows it, and all
// later answers are determined by what has been chosen. The rules are in rtl/dau/README.md.
#pragma once

#include <string>

#include "cache/mha/dl/fast_dau.hpp"

namespace warpmem::mha {

/// Returns the inputs without a merge into a chain that there is not, or that is released in this
/// cycle, and without RET of one that there is not: DL-MSHR never asks for them.
DauIn dau_legal_input(const FastDau& dau, const DauIn& in);

/// Returns what a DAU in the state of `dau` that makes the choice of `unit` answers. Where a
/// request gets nothing, what `unit` has on req_set, req_slot and req_link means nothing. If `unit`
/// answers otherwise, `reason` becomes a sentence about it: "links set 5, which is in use".
/// Precondition: `in` is legal.
DauOut dau_follow(const FastDau& dau, const DauIn& in, const DauOut& unit, std::string* reason);

}  // namespace warpmem::mha
