// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

#include "base/errors.hpp"

namespace warpmem {

/// Something that the machine lacks on which warpmem runs: a tool, memory, room on a disk, a folder
/// that may be written. Nothing need be wrong with the input, and the same run may succeed
/// elsewhere or later. The command line treats this like any UserError, but a sweep does not take
/// it for a result.
class EnvironmentError : public UserError {
 public:
  using UserError::UserError;
};

/// The environment variable by which whoever starts a process asks to be told such an error from
/// others.
inline constexpr const char* kTellApart = "WARPMEM_TEMPFAIL";
/// The exit status in that case (as in sysexits.h).
inline constexpr int kTryAgain = 75;

/// Returns the exit status of a process that such an error ends: 2, as for all mistakes of the
/// user, or kTryAgain.
inline int environment_exit_status() { return std::getenv(kTellApart) != nullptr ? kTryAgain : 2; }

}  // namespace warpmem
