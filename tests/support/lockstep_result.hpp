// SPDX-License-Identifier: Apache-2.0
// What every lockstep run of a unit with a list of situations must show.
#pragma once

#include <gmock/gmock.h>

#include "cosim/lockstep.hpp"

namespace warpmem::cosim {

/// Expects no difference; every situation that this size can be in was met, and no other.
inline void expect_all(const LockstepResult& result) {
  EXPECT_FALSE(result.difference) << result.describe();
  EXPECT_THAT(result.coverage.missing, testing::IsEmpty()) << result.describe();
  EXPECT_THAT(result.coverage.impossible, testing::IsEmpty()) << result.describe();
}

}  // namespace warpmem::cosim
