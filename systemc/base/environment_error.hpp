// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

#include "base/errors.hpp"

namespace warpmem {

/// What the machine that warpmem runs on lacks: a tool, memory, room on a disk, a folder that may
/// be written. Nothing need be wrong with the input: the same run may succeed elsewhere or later.
/// The command line treats it as any UserError; a sweep does not take it for a result.
class EnvironmentError : public UserError {
 public:
  using UserError::UserError;
};

/// The variable by which who starts a process asks to be told such an error from others.
inline constexpr const char* kTellApart = "WARPMEM_TEMPFAIL";
/// The exit status then (as in sysexits.h).
inline constexpr int kTryAgain = 75;

/// Of a process that such an error ends: 2, as for all mistakes of the user, or kTryAgain.
inline int environment_exit_status() { return std::getenv(kTellApart) != nullptr ? kTryAgain : 2; }

}  // namespace warpmem
