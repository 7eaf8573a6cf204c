// SPDX-License-Identifier: Apache-2.0
// The user's program as `warpmem run` starts it: on our standard streams and in our process group.
// It is asked to end when we are, and gets the time to write its results.
#pragma once

#include <string>
#include <vector>

namespace warpmem::app {

/// This is how a program ended.
struct ProgramEnd {
  int status = 0;  ///< exit status; 128 + the signal when one ended it
  int signal = 0;  ///< 0: it ended by itself
};

/// Runs argv[0], a path, with these NAME=VALUE besides our environment or instead of one of it.
/// Throws UserError when it cannot be started.
ProgramEnd run_user_program(const std::vector<std::string>& argv,
                            const std::vector<std::string>& variables);

/// Returns why such a file cannot be a program, though it is there; empty: it may be one.
std::string why_no_program(const std::string& file);

/// While one lives, SIGINT, SIGTERM and SIGHUP are passed on to the program that
/// run_user_program() runs, and are requests to end (base/interrupt.hpp) for what runs here.
class SignalsTakenOver {
 public:
  SignalsTakenOver();
  ~SignalsTakenOver();
  SignalsTakenOver(const SignalsTakenOver&) = delete;
  SignalsTakenOver& operator=(const SignalsTakenOver&) = delete;
};

}  // namespace warpmem::app
