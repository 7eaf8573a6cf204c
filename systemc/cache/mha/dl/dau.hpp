// SPDX-License-Identifier: Apache-2.0
// Dynamic Allocation Unit of DL-MSHR (DL 4.5, Fig 8; docs/mechanisms.md 2.3): a state machine for
// each slot set, the selection of free sets, the counters of free sets, and the tail pointers.
// Three views agree in every cycle: the fast class (fast_dau.hpp), the synthesizable core
// (units/dau/) and the RTL (rtl/dau/, whose README has the rules and the states). Fields are named
// like the RTL's ports without _i and _o.
//
// The unit is used as hardware is: out = eval(in) is combinational, and commit(in) is the clock
// edge that ends the cycle. A cycle without inputs and without a release in progress may be left
// out: at most it takes sets from S4 to S2 and from S9 to S7, and these react alike to every input.
#pragma once

#include "units/dau/dau_unit.hpp"

namespace warpmem::mha {

using units::DauIn;
using units::DauOut;
using units::DauSets;
using units::DauSize;
using units::DauState;
using units::kDauStates;
using units::kMostDauSets;

class Dau {
 public:
  virtual ~Dau() = default;

  virtual DauOut eval(const DauIn& in) const = 0;
  virtual void commit(const DauIn& in) = 0;
  /// Returns eval(in) and does commit(in).
  virtual DauOut step(const DauIn& in) {
    const DauOut out = eval(in);
    commit(in);
    return out;
  }
  /// Returns whether nobody but DL-MSHR sees when a step is made, so that those without a request
  /// may be made later.
  virtual bool may_lag() const { return false; }
  /// Frees every set and clears the pointers.
  virtual void reset() = 0;

  virtual const DauSize& size() const = 0;
  /// The arrays are valid until the next commit() or reset().
  virtual DauSets inspect() const = 0;
};

}  // namespace warpmem::mha
