// SPDX-License-Identifier: Apache-2.0
// What no lockstep run has found: is there anything to find, and would a property find it?
#pragma once

#include "mutation/mutants.hpp"

namespace warpmem::mutation {

enum class Judgement {
  kEquivalent,  ///< no input sequence tells it from the right unit, after a cycle of reset
  kRefuted,     ///< a property of the unit is violated
  kDifferent,   ///< outputs differ after `cycles` cycles, and no property is violated
  kUnknown,     ///< the time was over
};

struct Opinion {
  Judgement judgement = Judgement::kUnknown;
  unsigned cycles = 0;  ///< length of the shortest run that was found; 0: none
};

/// Judges a fault. Threads may call it at once, since every fault has files of its own.
Opinion judge(const Mutants& mutants, const Mutant& mutant, unsigned timeout_s);

/// Returns whether a property is violated within so many cycles: 0 if none is, else the length of
/// the run.
unsigned refuted_within(const Mutants& mutants, const Mutant& mutant, unsigned cycles,
                        unsigned timeout_s);

}  // namespace warpmem::mutation
