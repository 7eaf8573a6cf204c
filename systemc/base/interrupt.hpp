// SPDX-License-Identifier: Apache-2.0
// Signals that ask this process to end. The handler only leaves word. Work of any length looks for
// it now and then, and stops where its results are whole.
#pragma once

#include <array>
#include <csignal>
#include <stdexcept>
#include <string>

namespace warpmem {

/// Work was stopped because a signal asked for it. The command line exits with 128 + signal().
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(int signal);
  int signal() const { return signal_; }

 private:
  int signal_;
};

/// To be called by a signal handler; the first signal counts. Safe in a signal handler.
void request_interrupt(int signal);
/// Returns the signal, or 0 when none came. Safe in a signal handler.
int requested_interrupt();
/// Throws Interrupted when a signal came. Cheap enough for every instruction of an interpreter.
void throw_if_interrupted();

/// SIGINT, SIGTERM and SIGHUP leave word while one lives.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_;
};

/// Returns a text like "SIGSEGV (Segmentation fault)".
std::string signal_text(int signal);

/// Ends this process as the signal does by default; whoever waits for it learns which one it was.
/// Safe in a signal handler.
void end_by_signal(int signal);

}  // namespace warpmem
